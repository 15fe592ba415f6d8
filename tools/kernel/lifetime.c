/*
 * libveu-kernel: lifetimes of variables and predicates.
 *
 * SPDX-License-Identifier: MIT
 *
 * A life is a contiguous range of instructions, from the first that names the
 * variable to the last. Waiting lanes never have a lower place than running
 * ones, so a range in code order is enough, except in loops: a loop extends
 * from a label to a goto back to it. A variable lives through a whole loop that
 * names it if code outside the loop names it, too, if its first access there is
 * not a write of the whole variable for all lanes, or if a goto in the loop
 * jumps past that write to a label before the last access, where a lane may
 * read what it wrote in an earlier iteration. Otherwise, a lane that has left
 * the loop would lose its value to one that still iterates.
 *
 * A variable whose address is taken lives as long as its routine runs. A
 * variable that several routines name always lives.
 */
#include <string.h>
#include "hw/veu/eu/limits.h"
#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/program/type.h"
#include "tools/kernel/lifetime.h"
#include "tools/kernel/operands.h"
#include "tools/visa/align.h"
#include "tools/visa/program.h"

/* Many loops around many variables: no kernel takes this many steps. */
#define MAX_STEPS (UINT32_C(1) << 28)

/* A loop, by instruction numbers: a label and a goto back to it. */
typedef struct Loop {
    uint32_t first;
    uint32_t last;
} Loop;

/* A goto and the later label that it jumps to. */
typedef struct Skip {
    uint32_t first;
    uint32_t last;
} Skip;

typedef struct Finder {
    KernelLives *lives;
    const VisaLinked *linked;
    /* elements: uint32_t, the instruction of each label */
    GArray *label_numbers;
    GArray *loops;       /* of Loop */
    GArray *skips;       /* elements: Skip; until the end, last is a label */
    GArray *call_labels; /* elements: KernelCallEdge, caller and label */
    GArray *pointed; /* elements: uint32_t, functions whose address is taken */
    /* elements: uint32_t, routines that call by address */
    GArray *pointer_calls;
    uint32_t steps; /* of extending lives */
    VisaError *error;
} Finder;

/* --- Parts --------------------------------------------------------------- */

static bool add_part(Finder *f, unsigned index, const VisaSymbol *s)
{
    KernelPart *part = &f->lives->parts[index];
    uint32_t base = s->alias - VEU_FIRST_VARIABLE;

    if (!veu_type_bytes(s->type) || !s->elements) {
        return visa_error(f->error,
                          "%s has a type that no variable may have, "
                          "or no elements",
                          s->name);
    }
    *part = (KernelPart){ .root = index };
    if (!s->alias) {
        return true;
    }
    if (s->alias < VEU_FIRST_VARIABLE) {
        part->root = KERNEL_NOWHERE;
        part->predefined = s->alias;
        part->byte = s->alias_byte;
        return true;
    }
    if (base >= index) {
        return visa_error(f->error,
                          "%s is an alias of a variable that is not "
                          "declared before it",
                          s->name);
    }
    *part = f->lives->parts[base];
    part->byte += s->alias_byte;
    return part->byte < VEU_LIMIT_REGISTER_BYTES ||
           visa_error(f->error, "%s is outside of its variable", s->name);
}

/*
 * Variables that fill a line of the host's cache begin with one: the vectors of
 * 16 lanes, of which each access would otherwise take two lines.
 */
#define LINE_BYTES 64

static bool find_parts(Finder *f)
{
    const GArray *symbols = f->linked->routine->symbols[VISA_VARIABLE];
    KernelLives *l = f->lives;

    for (unsigned i = 0; i < l->variable_count; i++) {
        const VisaSymbol *s = &g_array_index(symbols, VisaSymbol, i);
        KernelLife *root;

        if (!add_part(f, i, s)) {
            return false;
        }
        if (l->parts[i].root != KERNEL_NOWHERE) {
            root = &l->variables[l->parts[i].root];
            root->size = MAX(root->size,
                             l->parts[i].byte + visa_symbol_bytes(s));
            root->align = MAX(root->align, visa_align_bytes(s->align, 32));
            root->align = MAX(root->align,
                              root->size < LINE_BYTES ? 1 : LINE_BYTES);
        }
    }
    return true;
}

static bool fix_inputs(Finder *f)
{
    const GArray *inputs = f->linked->routine->inputs;
    KernelLives *l = f->lives;

    for (unsigned i = 0; i < inputs->len; i++) {
        const VisaInput *input = &g_array_index(inputs, VisaInput, i);
        uint32_t index = input->id - VEU_FIRST_VARIABLE;

        if ((input->kind & 3) != VISA_INPUT_VARIABLE) {
            continue;
        }
        if (index >= l->variable_count || l->parts[index].root != index) {
            return visa_error(f->error, "an input is not a variable");
        }
        l->variables[index].fixed = input->offset;
        l->variables[index].first = 0;
    }
    return true;
}

/* --- Accesses ------------------------------------------------------------ */

/* An input lives from the start, before anything writes it. */
static void start_life(KernelLife *life, uint32_t number, int32_t routine,
                       bool whole)
{
    if (life->first > life->last) {
        life->starts_whole = whole;
        life->first = number;
        life->start = number;
        life->routine = routine;
    }
    life->last = number;
    if (life->routine != routine) {
        life->routine = KERNEL_SHARED;
    }
}

static bool bad_operand(Finder *f)
{
    return visa_error(f->error, "an operand is not declared");
}

static bool access_operand(Finder *f, const KernelOperand *o, uint32_t number)
{
    KernelLives *l = f->lives;
    int32_t routine = l->routine_starts->len - 1;
    uint32_t index = o->id -
                     (o->kind == VISA_VARIABLE ? VEU_FIRST_VARIABLE : 1);
    KernelLife *life;

    if (o->kind == VISA_PREDICATE) {
        if (index >= l->predicate_count) {
            return bad_operand(f);
        }
        life = &l->predicates[index];
        start_life(life, number, routine, o->whole >= life->size);
        return true;
    }
    if (index >= l->variable_count) {
        return bad_operand(f);
    }
    if (l->parts[index].root == KERNEL_NOWHERE) {
        return true;
    }
    life = &l->variables[l->parts[index].root];
    start_life(life, number, routine,
               !l->parts[index].byte && o->whole >= life->size);
    life->address_taken |= o->address;
    life->align = MAX(life->align, o->raw ? 32 : 1);
    return true;
}

/* --- Control flow -------------------------------------------------------- */

static void add_edge(GArray *edges, uint32_t from, uint32_t to)
{
    const KernelCallEdge edge = { .caller = from, .callee = to };

    g_array_append_val(edges, edge);
}

static void start_routine(Finder *f, uint32_t number)
{
    g_array_append_val(f->lives->routine_starts, number);
}

/* Returns true if a function starts here: each starts a new routine. */
static bool starts_function(const Finder *f, uint32_t at)
{
    for (unsigned i = 0; i < f->linked->functions->len; i++) {
        if (g_array_index(f->linked->functions, uint32_t, i) == at) {
            return true;
        }
    }
    return false;
}

/* A goto to an earlier label closes a loop; other gotos skip code. */
static bool follow_goto(Finder *f, const KernelInstruction *i, uint32_t number)
{
    uint32_t target;

    if (i->label < 0 || (unsigned)i->label >= f->label_numbers->len) {
        return visa_error(f->error, "a label is not declared");
    }
    target = g_array_index(f->label_numbers, uint32_t, i->label);
    if (target != KERNEL_NOWHERE) {
        Loop loop = { .first = target, .last = number };

        g_array_append_val(f->loops, loop);
    } else {
        Skip skip = { .first = number, .last = i->label };

        g_array_append_val(f->skips, skip);
    }
    return true;
}

/* A label without a place is refused when the program is written. */
static void resolve_skips(Finder *f)
{
    for (unsigned i = 0; i < f->skips->len; i++) {
        Skip *skip = &g_array_index(f->skips, Skip, i);

        skip->last = g_array_index(f->label_numbers, uint32_t, skip->last);
    }
}

static bool follow(Finder *f, const KernelInstruction *i, uint32_t number)
{
    uint32_t routine = f->lives->routine_starts->len - 1;

    switch (i->opcode) {
    case KERNEL_LABEL:
    case KERNEL_SUBROUTINE:
        if (i->label < 0 || (unsigned)i->label >= f->label_numbers->len) {
            return visa_error(f->error, "a label is not declared");
        }
        g_array_index(f->label_numbers, uint32_t, i->label) = number;
        return true;
    case KERNEL_GOTO:
    case KERNEL_JMP:
        return follow_goto(f, i, number);
    case KERNEL_CALL:
        add_edge(f->call_labels, routine, i->label);
        return true;
    case KERNEL_FCALL:
        add_edge(f->lives->calls, routine, i->callee);
        return true;
    case KERNEL_FADDR:
        g_array_append_val(f->pointed, i->callee);
        return true;
    case KERNEL_IFCALL:
        g_array_append_val(f->pointer_calls, routine);
        return true;
    default:
        return true;
    }
}

static bool read_code(Finder *f)
{
    const GByteArray *code = f->linked->routine->code;
    uint32_t number = 0;

    start_routine(f, 0);
    for (uint32_t at = 0; at < code->len; number++) {
        KernelInstruction i;

        if (!kernel_instruction_read(f->linked->routine, code->data + at,
                                     code->len - at, &i)) {
            return visa_error(f->error, "an instruction cannot be read");
        }
        if (at && (i.opcode == KERNEL_SUBROUTINE || starts_function(f, at))) {
            start_routine(f, number);
        }
        if (!follow(f, &i, number)) {
            return false;
        }
        for (unsigned o = 0; o < i.operand_count; o++) {
            if (!access_operand(f, &i.operands[o], number)) {
                return false;
            }
        }
        at += i.bytes;
    }
    start_routine(f, number); /* ends the last routine */
    f->lives->routine_count = f->lives->routine_starts->len - 1;
    return f->lives->routine_count <= VEU_LIMIT_ROUTINES ||
           visa_error(f->error, "it has %u routines, and may have %u",
                      f->lives->routine_count, VEU_LIMIT_ROUTINES);
}

/* --- Calls --------------------------------------------------------------- */

/* The routine of an instruction, by the instruction's number. */
static uint32_t routine_of(const KernelLives *l, uint32_t number)
{
    uint32_t routine = 0;

    while (routine + 1 < l->routine_count &&
           g_array_index(l->routine_starts, uint32_t, routine + 1) <= number) {
        routine++;
    }
    return routine;
}

/* The routine of function @index: routines start where functions do. */
static uint32_t routine_of_function(const Finder *f, const GArray *numbers,
                                    uint32_t index)
{
    return index < numbers->len ?
               routine_of(f->lives, g_array_index(numbers, uint32_t, index)) :
               0;
}

/* The instruction that each function starts with. */
static GArray *number_functions(const Finder *f)
{
    const GByteArray *code = f->linked->routine->code;
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    uint32_t number = 0;

    for (uint32_t at = 0; at < code->len; number++) {
        KernelInstruction i;

        if (starts_function(f, at)) {
            g_array_append_val(numbers, number);
        }
        kernel_instruction_read(f->linked->routine, code->data + at,
                                code->len - at, &i);
        at += i.bytes;
    }
    return numbers;
}

/* Edges contain function indexes so far; from here on, routines. */
static void resolve_calls(Finder *f)
{
    GArray *calls = f->lives->calls;
    GArray *numbers = number_functions(f);

    for (unsigned i = 0; i < f->pointer_calls->len; i++) {
        for (unsigned p = 0; p < f->pointed->len; p++) {
            add_edge(calls, g_array_index(f->pointer_calls, uint32_t, i),
                     g_array_index(f->pointed, uint32_t, p));
        }
    }
    for (unsigned i = 0; i < calls->len; i++) {
        KernelCallEdge *edge = &g_array_index(calls, KernelCallEdge, i);

        edge->callee = routine_of_function(f, numbers, edge->callee);
    }
    for (unsigned i = 0; i < f->call_labels->len; i++) {
        KernelCallEdge edge = g_array_index(f->call_labels, KernelCallEdge, i);

        if (edge.callee < f->label_numbers->len) {
            add_edge(calls, edge.caller,
                     routine_of(f->lives,
                                g_array_index(f->label_numbers, uint32_t,
                                              edge.callee)));
        }
    }
    g_array_unref(numbers);
}

/* --- Loops --------------------------------------------------------------- */

/*
 * Returns true if a goto in the loop skips the first write. If the life ends
 * before the label, lanes that skip the write skip all accesses.
 */
static bool is_skipped(Finder *f, const KernelLife *life, const Loop *loop)
{
    for (unsigned i = 0; i < f->skips->len; i++) {
        const Skip *s = &g_array_index(f->skips, Skip, i);

        f->steps++;
        if (s->first >= loop->first && s->first < life->start &&
            s->last > life->start && s->last <= life->last) {
            return true;
        }
    }
    return false;
}

/* Extends a life by the loop if necessary. Returns true if it did. */
static bool extend(Finder *f, KernelLife *life, const Loop *loop)
{
    bool inside = life->first >= loop->first && life->last <= loop->last;

    f->steps++;
    if (life->first > loop->last || life->last < loop->first ||
        (life->first <= loop->first && life->last >= loop->last) ||
        (inside && life->starts_whole && !is_skipped(f, life, loop))) {
        return false;
    }
    life->first = MIN(life->first, loop->first);
    life->last = MAX(life->last, loop->last);
    return true;
}

/*
 * A longer life may reach the label of another goto, so this repeats until
 * nothing changes.
 */
static bool extend_life(Finder *f, KernelLife *life)
{
    bool again = life->first <= life->last;

    if (again && life->address_taken && life->routine >= 0) {
        const uint32_t *starts =
            (const uint32_t *)f->lives->routine_starts->data;

        life->first = starts[life->routine];
        life->last = starts[life->routine + 1];
    }
    while (again) {
        again = false;
        for (unsigned i = 0; i < f->loops->len; i++) {
            if (f->steps > MAX_STEPS) {
                return visa_error(f->error, "the code has too many loops and "
                                            "variables to place them");
            }
            again |= extend(f, life, &g_array_index(f->loops, Loop, i));
        }
    }
    return true;
}

static bool extend_lives(Finder *f)
{
    KernelLives *l = f->lives;

    for (unsigned i = 0; i < l->variable_count; i++) {
        if (!extend_life(f, &l->variables[i])) {
            return false;
        }
    }
    for (unsigned i = 0; i < l->predicate_count; i++) {
        if (!extend_life(f, &l->predicates[i])) {
            return false;
        }
    }
    return true;
}

/* --- All ----------------------------------------------------------------- */

static KernelLife *new_lives(unsigned count)
{
    KernelLife *lives = g_new0(KernelLife, count + 1);

    for (unsigned i = 0; i < count; i++) {
        lives[i] = (KernelLife){ .first = UINT32_MAX,
                                 .align = 1,
                                 .fixed = KERNEL_NOWHERE };
    }
    return lives;
}

static void size_predicates(KernelLives *l, const VisaRoutine *routine)
{
    for (unsigned i = 0; i < l->predicate_count; i++) {
        l->predicates[i].size = g_array_index(routine->symbols[VISA_PREDICATE],
                                              VisaSymbol, i)
                                    .elements;
    }
}

static GArray *new_numbers(unsigned count)
{
    const uint32_t nowhere = KERNEL_NOWHERE;
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));

    while (numbers->len < count) {
        g_array_append_val(numbers, nowhere);
    }
    return numbers;
}

bool kernel_lives(KernelLives *lives, const VisaLinked *linked,
                  VisaError *error)
{
    const VisaRoutine *routine = linked->routine;
    Finder f = {
        .lives = lives,
        .linked = linked,
        .label_numbers = new_numbers(routine->symbols[VISA_LABEL]->len),
        .loops = g_array_new(FALSE, FALSE, sizeof(Loop)),
        .skips = g_array_new(FALSE, FALSE, sizeof(Skip)),
        .call_labels = g_array_new(FALSE, FALSE, sizeof(KernelCallEdge)),
        .pointed = new_numbers(0),
        .pointer_calls = new_numbers(0),
        .error = error,
    };
    bool good;

    *lives = (KernelLives){
        .variable_count = routine->symbols[VISA_VARIABLE]->len,
        .predicate_count = routine->symbols[VISA_PREDICATE]->len,
        .routine_starts = new_numbers(0),
        .calls = g_array_new(FALSE, FALSE, sizeof(KernelCallEdge)),
    };
    lives->parts = g_new0(KernelPart, lives->variable_count + 1);
    lives->variables = new_lives(lives->variable_count);
    lives->predicates = new_lives(lives->predicate_count);
    size_predicates(lives, routine);
    good = find_parts(&f) && fix_inputs(&f) && read_code(&f);
    if (good) {
        resolve_calls(&f);
        resolve_skips(&f);
        good = extend_lives(&f);
    }
    g_array_unref(f.label_numbers);
    g_array_unref(f.loops);
    g_array_unref(f.skips);
    g_array_unref(f.call_labels);
    g_array_unref(f.pointed);
    g_array_unref(f.pointer_calls);
    return good;
}

void kernel_lives_free(KernelLives *lives)
{
    g_free(lives->parts);
    g_free(lives->variables);
    g_free(lives->predicates);
    if (lives->calls) {
        g_array_unref(lives->calls);
        g_array_unref(lives->routine_starts);
    }
}
