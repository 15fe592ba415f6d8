/*
 * veu tools: writing a vISA object, version 4.1.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * encoding.md, section 1. The string pool has the order that compilers use: the
 * kernel's name, the predefined names, then those of each symbol and its
 * attributes.
 */
#include <string.h>
#include "tools/visa/instruction.h"
#include "tools/visa/predefined.h"

/* The parts of a kernel's object. */
typedef struct Writer {
    const VisaRoutine *routine;
    GByteArray *strings; /* the pool */
    uint32_t string_count;
    GByteArray *tables; /* from the name to the inputs */
    uint32_t inputs_at; /* in the tables */
    GByteArray *attributes;
    GByteArray *code;
    /* for the routine's strings; 0: not in the pool yet */
    uint32_t *pool_index;
    VisaError *error;
    bool good;
} Writer;

static void put_count(Writer *w, GByteArray *out, uint64_t count,
                      unsigned bytes, const char *what)
{
    uint64_t most = (UINT64_C(1) << (8 * bytes)) - 1;

    if (count > most && w->good) {
        w->good = visa_error(w->error,
                             "'%s' has %" G_GUINT64_FORMAT " %s, "
                             "and an object at most %" G_GUINT64_FORMAT,
                             w->routine->name, count, what, most);
    }
    visa_put(out, count, bytes);
}

static uint32_t add_string(Writer *w, const char *string)
{
    if (!*string && w->string_count) {
        return 0;
    }
    g_byte_array_append(w->strings, (const uint8_t *)string,
                        strlen(string) + 1);
    return w->string_count++;
}

/* Names with which all kernels begin; S31 is the bindless sampler. */
static void add_common_strings(Writer *w)
{
    add_string(w, w->routine->name);
    for (uint32_t i = 0; i < visa_predefined_count(VISA_VARIABLE); i++) {
        add_string(w, visa_predefined(VISA_VARIABLE, i)->name);
    }
    for (uint32_t i = 0; i < visa_predefined_count(VISA_SURFACE); i++) {
        add_string(w, visa_predefined(VISA_SURFACE, i)->name);
    }
    add_string(w, "S31");
}

static void put_attributes(Writer *w, GByteArray *out, const GArray *attributes,
                           unsigned count_bytes)
{
    uint32_t count = attributes ? attributes->len : 0;

    put_count(w, out, count, count_bytes, "attributes of one thing");
    for (uint32_t i = 0; i < count; i++) {
        const VisaAttribute *a = &g_array_index(attributes, VisaAttribute, i);

        visa_put(out, add_string(w, a->name), 4);
        visa_put(out, a->bytes, 1);
        g_byte_array_append(out, a->value, a->bytes);
    }
}

static void put_symbol(Writer *w, VisaKind kind, const VisaSymbol *symbol)
{
    visa_put(w->tables, add_string(w, symbol->name), 4);
    if (kind == VISA_VARIABLE) {
        visa_put(w->tables, symbol->type | symbol->align << 4, 1);
        visa_put(w->tables, symbol->elements, 2);
        visa_put(w->tables, symbol->alias, 4);
        visa_put(w->tables, symbol->alias_byte, 2);
        visa_put(w->tables, symbol->alias_scope, 1);
    } else if (kind == VISA_LABEL) {
        visa_put(w->tables, symbol->label_kind, 1);
    } else {
        visa_put(w->tables, symbol->elements, 2);
    }
    put_attributes(w, w->tables, symbol->attributes, 1);
}

static void put_symbols(Writer *w)
{
    static const struct {
        const char *what;
        unsigned count_bytes;
    } tables[VISA_KINDS] = {
        [VISA_VARIABLE] = { "variables", 4 },
        [VISA_ADDRESS] = { "address variables", 2 },
        [VISA_PREDICATE] = { "predicates", 2 },
        [VISA_LABEL] = { "labels", 2 },
        [VISA_SAMPLER] = { "samplers", 1 },
        [VISA_SURFACE] = { "surfaces", 1 },
    };

    for (unsigned kind = 0; kind < VISA_KINDS; kind++) {
        const GArray *symbols = w->routine->symbols[kind];

        put_count(w, w->tables, symbols->len, tables[kind].count_bytes,
                  tables[kind].what);
        for (uint32_t i = 0; i < symbols->len; i++) {
            put_symbol(w, kind, &g_array_index(symbols, VisaSymbol, i));
        }
    }
    visa_put(w->tables, 0, 1); /* VME variables */
}

static void put_inputs(Writer *w)
{
    w->inputs_at = w->tables->len;
    visa_put(w->tables, w->routine->inputs->len, 4);
    for (uint32_t i = 0; i < w->routine->inputs->len; i++) {
        VisaInput *in = &g_array_index(w->routine->inputs, VisaInput, i);

        visa_put(w->tables, in->kind, 1);
        visa_put(w->tables, in->id, 4);
        visa_put(w->tables, in->offset, 2);
        visa_put(w->tables, in->bytes, 2);
    }
}

/* Replaces the index of a string in an instruction by that in the pool. */
static void put_string_index(void *opaque, char kind, uint8_t *at)
{
    Writer *w = opaque;
    unsigned bytes = kind == 'n' ? 2 : 4;
    uint32_t index = 0;

    memcpy(&index, at, bytes);
    if (index >= w->routine->strings->len) {
        return;
    }
    if (!w->pool_index[index]) {
        w->pool_index[index] =
            add_string(w, g_ptr_array_index(w->routine->strings, index));
    }
    if (kind == 'n' && w->pool_index[index] > UINT16_MAX && w->good) {
        w->good = visa_error(w->error,
                             "'%s' has too many names: a function's index has "
                             "16 bits",
                             w->routine->name);
    }
    memcpy(at, &w->pool_index[index], bytes);
}

static void put_code(Writer *w)
{
    const GByteArray *code = w->routine->code;
    uint32_t at = 0;
    uint32_t length = 1;

    g_byte_array_append(w->code, code->data, code->len);
    while (length && at < code->len) {
        length = visa_visit(w->routine->layout, w->code->data + at,
                            code->len - at, "nN", put_string_index, w);
        at += length;
    }
}

/*
 * Writes the object of a kernel or function; *inputs_at is the offset of its
 * inputs.
 */
static GByteArray *write_routine(Writer *w, uint32_t *inputs_at)
{
    const VisaRoutine *routine = w->routine;
    GByteArray *out = g_byte_array_new();
    uint32_t rest = 8 + (routine->function ? 2 : 0);

    add_common_strings(w);
    visa_put(w->tables, 0, 4); /* the name is string 0 */
    put_symbols(w);
    if (!routine->function) {
        put_inputs(w);
    }
    put_attributes(w, w->attributes, routine->attributes, 2);
    put_code(w);
    visa_put(out, w->string_count, 4);
    g_byte_array_append(out, w->strings->data, w->strings->len);
    *inputs_at = out->len + w->inputs_at;
    g_byte_array_append(out, w->tables->data, w->tables->len);
    visa_put(out, w->code->len, 4);
    visa_put(out, out->len - 4 + rest + w->attributes->len, 4);
    if (routine->function) {
        visa_put(out, routine->argument_grfs, 1);
        visa_put(out, routine->return_grfs, 1);
    }
    g_byte_array_append(out, w->attributes->data, w->attributes->len);
    g_byte_array_append(out, w->code->data, w->code->len);
    return out;
}

/* A written kernel or function. */
typedef struct Written {
    const VisaRoutine *routine;
    GByteArray *bytes;
    uint32_t inputs_at;
} Written;

static bool write_one(Written *written, VisaError *error)
{
    Writer w = {
        .routine = written->routine,
        .strings = g_byte_array_new(),
        .tables = g_byte_array_new(),
        .attributes = g_byte_array_new(),
        .code = g_byte_array_new(),
        .pool_index = g_new0(uint32_t, written->routine->strings->len + 1),
        .error = error,
        .good = true,
    };

    written->bytes = write_routine(&w, &written->inputs_at);
    g_byte_array_unref(w.strings);
    g_byte_array_unref(w.tables);
    g_byte_array_unref(w.attributes);
    g_byte_array_unref(w.code);
    g_free(w.pool_index);
    return w.good;
}

/* The header's entry; @offset is that of the kernel in the file. */
static void put_extent(GByteArray *out, const Written *written, uint32_t offset)
{
    const VisaRoutine *routine = written->routine;

    if (routine->function) {
        visa_put(out, 0, 1); /* linkage */
    }
    visa_put(out, strlen(routine->name), 2);
    g_byte_array_append(out, (const uint8_t *)routine->name,
                        strlen(routine->name));
    visa_put(out, offset, 4);
    visa_put(out, written->bytes->len, 4);
    if (!routine->function) {
        visa_put(out, offset + written->inputs_at, 4);
    }
    visa_put(out, 0, 4); /* no relocations */
    if (!routine->function) {
        visa_put(out, 0, 1); /* no GEN binaries */
    }
}

static unsigned count_kernels(const VisaObject *object)
{
    unsigned kernels = 0;

    while (kernels < object->routines->len &&
           !((VisaRoutine *)g_ptr_array_index(object->routines, kernels))
                ->function) {
        kernels++;
    }
    return kernels;
}

/* @offset is that of the first kernel, after the header. */
/* Refuses to write what a reader would refuse. */
static bool check_counts(const VisaObject *object, VisaError *error)
{
    unsigned kernels = count_kernels(object);
    unsigned functions = object->routines->len - kernels;

    return (kernels <= VISA_MAX_KERNELS && functions <= VISA_MAX_KERNELS) ||
           (visa_error(error, "the text has %u kernels and %u functions",
                       kernels, functions) ||
            visa_hint(error, "an object has at most %u of each: make several",
                      VISA_MAX_KERNELS));
}

static void put_header(GByteArray *out, const VisaObject *object,
                       const GArray *written, uint32_t offset)
{
    unsigned kernels = count_kernels(object);

    g_byte_array_append(out, (const uint8_t *)"CISA", 4);
    visa_put(out, VISA_MAJOR, 1);
    visa_put(out, VISA_MINOR, 1);
    visa_put(out, kernels, 2);
    for (unsigned i = 0; i <= written->len; i++) {
        const Written *w = &g_array_index(written, Written, i);

        if (i == kernels) {
            visa_put(out, 0, 2); /* variables of the file */
            visa_put(out, written->len - kernels, 2);
        }
        if (i < written->len) {
            put_extent(out, w, offset);
            offset += w->bytes->len;
        }
    }
}

static GByteArray *put_together(const VisaObject *object, const GArray *written)
{
    GByteArray *out = g_byte_array_new();
    uint32_t header;

    put_header(out, object, written, 0);
    header = out->len;
    g_byte_array_set_size(out, 0);
    put_header(out, object, written, header);
    for (unsigned i = 0; i < written->len; i++) {
        GByteArray *bytes = g_array_index(written, Written, i).bytes;

        g_byte_array_append(out, bytes->data, bytes->len);
    }
    return out;
}

static void clear_written(gpointer data)
{
    g_byte_array_unref(((Written *)data)->bytes);
}

GByteArray *visa_object_write(const VisaObject *object, VisaError *error)
{
    GArray *written = g_array_new(FALSE, FALSE, sizeof(Written));
    GByteArray *out;
    bool good;

    g_array_set_clear_func(written, clear_written);
    good = check_counts(object, error);
    for (unsigned i = 0; good && i < object->routines->len; i++) {
        Written one = { .routine = g_ptr_array_index(object->routines, i) };

        good = write_one(&one, error);
        g_array_append_val(written, one);
    }
    out = good ? put_together(object, written) : NULL;
    g_array_unref(written);
    return out;
}
