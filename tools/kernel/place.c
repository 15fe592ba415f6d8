/*
 * libveu-kernel: places of variables and predicates.
 *
 * SPDX-License-Identifier: MIT
 *
 * The register file, from its start: the image that an EU thread starts with,
 * predefined variables, variables that several routines name, and a frame for
 * each routine. In a frame, and in the image, variables that do not live at the
 * same time share places. The frame of a routine follows those of all its
 * callers, because a callee must not change what lives across the call.
 * Variables with equal places and types are merged, as are predicates, because
 * tables have few entries.
 */
#include <string.h>
#include "hw/veu/eu/limits.h"
#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/program/type.h"
#include "tools/kernel/kernel_internal.h"
#include "tools/kernel/lifetime.h"
#include "tools/kernel/operands.h"
#include "tools/visa/predefined.h"

/* The maximum number of variables of vISA text, before places are shared. */
#define MAX_VARIABLES 65536

typedef struct Placer {
    VisaLinked *linked;
    VisaLayout *layout;
    KernelLives lives;
    bool one_place;
    uint32_t *places;      /* of each variable that is not a part, by index */
    uint32_t *frame_start; /* of each routine */
    uint32_t *frame_end;
    uint32_t frames; /* lowest place for frames */
    uint32_t end;    /* of all */
    VisaError *error;
} Placer;

/* Live variables, by place. */
typedef struct Active {
    const KernelLife *life;
    uint32_t place;
} Active;

static uint32_t round_up(uint32_t value, uint32_t to)
{
    return to ? (value + to - 1) / to * to : value;
}

static bool is_used(const KernelLife *life)
{
    return life->first <= life->last;
}

static bool too_large(Placer *p)
{
    return visa_error(p->error,
                      "its variables take more than the %u bytes of "
                      "the register file",
                      VEU_LIMIT_REGISTER_BYTES);
}

/* --- Values with one place ----------------------------------------------- */

/* The variables that are parts of register 0: ids and bytes. */
static const struct {
    uint8_t id;
    uint8_t byte;
} in_r0[] = {
    { VISA_ID_R0, 0 }, { 1, 4 },  { 2, 6 },  /* %thread_x, %thread_y */
    { 3, 4 },          { 4, 24 }, { 5, 28 }, /* %group_id_x, _y, _z */
};

static bool is_in_r0(uint32_t id)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(in_r0); i++) {
        if (in_r0[i].id == id) {
            return true;
        }
    }
    return false;
}

static void place_predefined(Placer *p)
{
    VisaLayout *l = p->layout;

    for (unsigned i = 0; i < G_N_ELEMENTS(in_r0); i++) {
        l->predefined_byte[in_r0[i].id] = in_r0[i].byte;
    }
    for (uint32_t id = 1; id < VEU_FIRST_VARIABLE; id++) {
        const VisaPredefined *v = visa_predefined(VISA_VARIABLE, id);

        if (!l->predefined[id] || !v || is_in_r0(id)) {
            continue;
        }
        p->frames = round_up(p->frames, l->grf_bytes);
        l->predefined_byte[id] = p->frames;
        p->frames += v->elements * veu_type_bytes(v->type);
    }
}

static bool place_shared(Placer *p)
{
    for (unsigned i = 0; i < p->lives.variable_count; i++) {
        const KernelLife *life = &p->lives.variables[i];

        if (is_used(life) && life->fixed != KERNEL_NOWHERE) {
            p->places[i] = life->fixed;
        } else if (is_used(life) &&
                   (life->routine == KERNEL_SHARED || p->one_place)) {
            p->frames = round_up(p->frames, life->align);
            p->places[i] = p->frames;
            p->frames += life->size;
        }
        if (p->frames > VEU_LIMIT_REGISTER_BYTES) {
            return too_large(p);
        }
    }
    return true;
}

/* --- A frame ------------------------------------------------------------- */

/* Removes those that ended before @first. */
static void expire(GArray *active, uint32_t first)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < active->len; i++) {
        Active a = g_array_index(active, Active, i);

        if (a.life->last >= first) {
            g_array_index(active, Active, kept++) = a;
        }
    }
    g_array_set_size(active, kept);
}

/* The first gap that is large enough; *index is its position in the list. */
static uint32_t find_gap(const GArray *active, uint32_t start,
                         const KernelLife *life, unsigned *index)
{
    uint32_t at = round_up(start, life->align);

    for (*index = 0; *index < active->len; (*index)++) {
        const Active *a = &g_array_index(active, Active, *index);

        if (a->place >= at + life->size) {
            break;
        }
        at = round_up(a->place + a->life->size, life->align);
    }
    return at;
}

static int compare_lives(const void *a, const void *b, void *opaque)
{
    const Placer *p = opaque;
    const KernelLife *x = &p->lives.variables[*(const uint32_t *)a];
    const KernelLife *y = &p->lives.variables[*(const uint32_t *)b];

    return x->first != y->first ? (x->first < y->first ? -1 : 1) :
           x->size != y->size   ? (x->size > y->size ? -1 : 1) :
                                  0;
}

/* The variables of a routine that have no place yet, ordered by start. */
static GArray *variables_of(const Placer *p, int32_t routine)
{
    GArray *variables = g_array_new(FALSE, FALSE, sizeof(uint32_t));

    for (uint32_t i = 0; i < p->lives.variable_count; i++) {
        const KernelLife *life = &p->lives.variables[i];

        if (is_used(life) && life->routine == routine &&
            p->places[i] == KERNEL_NOWHERE) {
            g_array_append_val(variables, i);
        }
    }
    g_array_sort_with_data(variables, compare_lives, (void *)p);
    return variables;
}

static bool place_routine(Placer *p, unsigned routine)
{
    GArray *variables = variables_of(p, routine);
    GArray *active = g_array_new(FALSE, FALSE, sizeof(Active));
    uint32_t end = p->frame_start[routine];
    bool good = true;

    for (unsigned i = 0; good && i < variables->len; i++) {
        uint32_t index = g_array_index(variables, uint32_t, i);
        Active a = { .life = &p->lives.variables[index] };
        unsigned at;

        expire(active, a.life->first);
        a.place = find_gap(active, p->frame_start[routine], a.life, &at);
        g_array_insert_val(active, at, a);
        p->places[index] = a.place;
        end = MAX(end, a.place + a.life->size);
        good = end <= VEU_LIMIT_REGISTER_BYTES || too_large(p);
    }
    p->frame_end[routine] = end;
    p->end = MAX(p->end, end);
    g_array_unref(variables);
    g_array_unref(active);
    return good;
}

/* --- All frames ---------------------------------------------------------- */

/* Returns true if the frames of all routines that call it are placed. */
static bool is_ready(const Placer *p, const bool *done, unsigned routine)
{
    for (unsigned i = 0; i < p->lives.calls->len; i++) {
        const KernelCallEdge *e = &g_array_index(p->lives.calls, KernelCallEdge,
                                                 i);

        if (e->callee == routine && !done[e->caller]) {
            return false;
        }
    }
    return true;
}

static uint32_t start_of(const Placer *p, unsigned routine)
{
    uint32_t start = p->frames;

    for (unsigned i = 0; i < p->lives.calls->len; i++) {
        const KernelCallEdge *e = &g_array_index(p->lives.calls, KernelCallEdge,
                                                 i);

        if (e->callee == routine) {
            start = MAX(start, p->frame_end[e->caller]);
        }
    }
    return round_up(start, p->layout->grf_bytes);
}

/* Callers come before callees; no routine calls itself. */
static bool place_frames(Placer *p)
{
    unsigned count = p->lives.routine_count;
    g_autofree bool *done = g_new0(bool, count);
    unsigned left = count;
    unsigned before;

    do {
        before = left;
        for (unsigned r = 0; r < count; r++) {
            if (done[r] || !is_ready(p, done, r)) {
                continue;
            }
            p->frame_start[r] = start_of(p, r);
            if (!place_routine(p, r)) {
                return false;
            }
            done[r] = true;
            left--;
        }
    } while (left && left < before);
    return !left || visa_error(p->error, "a function calls itself, directly or "
                                         "through others");
}

/* --- Tables -------------------------------------------------------------- */

static uint32_t place_of_part(const Placer *p, unsigned index)
{
    const KernelPart *part = &p->lives.parts[index];

    return part->root == KERNEL_NOWHERE ?
               p->layout->predefined_byte[part->predefined] + part->byte :
               p->places[part->root] + part->byte;
}

static bool is_used_part(const Placer *p, unsigned index)
{
    uint32_t root = p->lives.parts[index].root;

    return root == KERNEL_NOWHERE || is_used(&p->lives.variables[root]);
}

/*
 * Merges variables of equal places, types and sizes into one entry. Returns the
 * entry's id for each variable.
 */
static uint32_t *merge_variables(Placer *p, GArray *merged, GArray *bytes)
{
    const GArray *symbols = p->linked->routine->symbols[VISA_VARIABLE];
    uint32_t *ids = g_new0(uint32_t, symbols->len + 1);
    GHashTable *known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
                                              NULL);

    for (unsigned i = 0; i < symbols->len; i++) {
        const VisaSymbol *s = &g_array_index(symbols, VisaSymbol, i);
        uint32_t place = is_used_part(p, i) ? place_of_part(p, i) :
                                              KERNEL_NOWHERE;
        char *key = g_strdup_printf("%u %u %u", place, s->type, s->elements);
        uint32_t id = GPOINTER_TO_UINT(g_hash_table_lookup(known, key));

        if (id || place == KERNEL_NOWHERE) {
            g_free(key);
        } else {
            g_array_append_val(merged, *s);
            g_array_append_val(bytes, place);
            id = VEU_FIRST_VARIABLE + merged->len - 1;
            g_hash_table_insert(known, key, GUINT_TO_POINTER(id));
        }
        ids[i] = id;
    }
    g_hash_table_unref(known);
    return ids;
}

/* An entry of the predicates' table, and when it becomes free again. */
typedef struct PredicateEntry {
    uint32_t size;
    int32_t routine;
    uint32_t last;
} PredicateEntry;

static int compare_predicates(const void *a, const void *b, void *opaque)
{
    const Placer *p = opaque;
    const KernelLife *x = &p->lives.predicates[*(const uint32_t *)a];
    const KernelLife *y = &p->lives.predicates[*(const uint32_t *)b];

    return x->first != y->first ? (x->first < y->first ? -1 : 1) : 0;
}

static uint32_t place_predicate(const Placer *p, const KernelLife *life,
                                GArray *entries)
{
    PredicateEntry entry = { life->size, life->routine, life->last };

    for (unsigned i = 0; !p->one_place && i < entries->len; i++) {
        PredicateEntry *e = &g_array_index(entries, PredicateEntry, i);

        if (e->size == life->size && e->routine == life->routine &&
            life->routine != KERNEL_SHARED && e->last < life->first) {
            e->last = life->last;
            return i + 1;
        }
    }
    g_array_append_val(entries, entry);
    return entries->len;
}

static uint32_t *merge_predicates(Placer *p, GArray *entries)
{
    unsigned count = p->lives.predicate_count;
    uint32_t *ids = g_new0(uint32_t, count + 1);
    g_autofree uint32_t *order = g_new(uint32_t, count + 1);

    for (unsigned i = 0; i < count; i++) {
        order[i] = i;
    }
    g_qsort_with_data(order, count, sizeof(order[0]), compare_predicates, p);
    for (unsigned i = 0; i < count; i++) {
        const KernelLife *life = &p->lives.predicates[order[i]];

        if (is_used(life)) {
            ids[order[i]] = place_predicate(p, life, entries);
        }
    }
    return ids;
}

/* Replaces the table of predicates by the entries. */
static void replace_predicates(Placer *p, const GArray *entries)
{
    GArray *symbols = p->linked->routine->symbols[VISA_PREDICATE];

    for (unsigned i = 0; i < entries->len; i++) {
        g_array_index(symbols, VisaSymbol, i).elements =
            g_array_index(entries, PredicateEntry, i).size;
    }
    g_array_set_size(symbols, entries->len);
}

static void replace_variables(Placer *p, const GArray *merged,
                              const GArray *bytes)
{
    GArray *symbols = p->linked->routine->symbols[VISA_VARIABLE];

    g_array_set_size(symbols, 0);
    g_array_append_vals(symbols, merged->data, merged->len);
    p->layout->register_byte = g_memdup2(bytes->data,
                                         (bytes->len + 1) * sizeof(uint32_t));
}

static void rename_code(Placer *p, const KernelIds *ids)
{
    GByteArray *code = p->linked->routine->code;
    uint32_t at = 0;

    while (at < code->len) {
        KernelInstruction i;

        kernel_instruction_read(p->linked->routine, code->data + at,
                                code->len - at, &i);
        kernel_instruction_rename(code->data + at, i.bytes, ids);
        at += i.bytes;
    }
}

static void write_tables(Placer *p)
{
    GArray *merged = g_array_new(FALSE, TRUE, sizeof(VisaSymbol));
    GArray *bytes = g_array_new(TRUE, TRUE, sizeof(uint32_t));
    GArray *entries = g_array_new(FALSE, TRUE, sizeof(PredicateEntry));
    g_autofree uint32_t *variables = merge_variables(p, merged, bytes);
    g_autofree uint32_t *predicates = merge_predicates(p, entries);
    const KernelIds ids = { .variables = variables, .predicates = predicates };

    rename_code(p, &ids);
    replace_variables(p, merged, bytes);
    replace_predicates(p, entries);
    g_array_unref(merged);
    g_array_unref(bytes);
    g_array_unref(entries);
}

/* --- All ----------------------------------------------------------------- */

/* The image ends with its last input. */
static uint32_t image_end(const KernelLives *lives, uint32_t grf_bytes)
{
    uint32_t end = grf_bytes;

    for (unsigned i = 0; i < lives->variable_count; i++) {
        const KernelLife *life = &lives->variables[i];

        if (life->fixed != KERNEL_NOWHERE) {
            end = MAX(end, life->fixed + life->size);
        }
    }
    return round_up(end, grf_bytes);
}

static bool place_all(Placer *p)
{
    p->frames = MAX(p->frames, image_end(&p->lives, p->layout->grf_bytes));
    place_predefined(p);
    if (!place_shared(p) || !place_frames(p)) {
        return false;
    }
    p->layout->bytes = p->end;
    write_tables(p);
    return true;
}

/*
 * Refuses, before all work, what no program has room for however it is placed.
 */
static bool check_limits(const VisaLinked *linked, VisaError *error)
{
    const VisaRoutine *r = linked->routine;
    const struct {
        const char *what;
        uint64_t count;
        uint64_t most;
    } limits[] = {
        { "bytes of code", r->code->len, VEU_LIMIT_LOAD_BYTES },
        { "labels", r->symbols[VISA_LABEL]->len, VEU_LIMIT_LABELS },
        { "functions", linked->functions->len, VEU_LIMIT_FUNCTIONS },
        { "variables", r->symbols[VISA_VARIABLE]->len, MAX_VARIABLES },
        { "predicates", r->symbols[VISA_PREDICATE]->len, MAX_VARIABLES },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(limits); i++) {
        if (limits[i].count > limits[i].most) {
            return visa_error(error,
                              "it has %" G_GUINT64_FORMAT " %s, and may have "
                              "%" G_GUINT64_FORMAT,
                              limits[i].count, limits[i].what, limits[i].most);
        }
    }
    return true;
}

bool veu_kernel_place_variables(VisaLinked *linked, VisaLayout *layout,
                                uint32_t grf_bytes, uint32_t image_bytes,
                                bool one_place, VisaError *error)
{
    Placer p = {
        .linked = linked,
        .layout = layout,
        .one_place = one_place,
        .frames = image_bytes,
        .error = error,
    };
    bool good;

    *layout = (VisaLayout){ .grf_bytes = grf_bytes };
    memcpy(layout->predefined, linked->predefined, sizeof(layout->predefined));
    layout->predefined[VISA_ID_R0] = true;
    good = check_limits(linked, error) && kernel_lives(&p.lives, linked, error);
    if (good) {
        p.places = g_new(uint32_t, p.lives.variable_count + 1);
        memset(p.places, 0xff, (p.lives.variable_count + 1) * sizeof(uint32_t));
        p.frame_start = g_new0(uint32_t, p.lives.routine_count + 1);
        p.frame_end = g_new0(uint32_t, p.lives.routine_count + 1);
        good = place_all(&p);
        g_free(p.places);
        g_free(p.frame_start);
        g_free(p.frame_end);
    }
    kernel_lives_free(&p.lives);
    return good;
}
