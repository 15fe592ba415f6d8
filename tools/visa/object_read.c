/*
 * veu tools: reading a vISA object.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * The bytes are hostile: counted items are read one at a time, and each takes
 * bytes of the file, so that memory stays in proportion to the file.
 */
#include <string.h>
#include "tools/visa/instruction.h"

/* A position in the file. @good becomes false at its end and stays false. */
typedef struct Reader {
    const uint8_t *bytes;
    size_t size;
    size_t at;
    bool good;
    const char *what; /* what is being read, for the error */
    VisaError *error;
} Reader;

static bool lacks(Reader *r, size_t count)
{
    if (r->good && count > r->size - r->at) {
        r->good = visa_error(r->error, "the object ends in %s, at byte %zu",
                             r->what, r->size);
    }
    return !r->good;
}

static uint32_t take(Reader *r, unsigned count)
{
    uint32_t value = 0;

    if (lacks(r, count)) {
        return 0;
    }
    for (unsigned i = 0; i < count; i++) {
        value |= (uint32_t)r->bytes[r->at++] << (8 * i);
    }
    return value;
}

static void skip(Reader *r, size_t count)
{
    if (!lacks(r, count)) {
        r->at += count;
    }
}

static void refuse(Reader *r, const char *message)
{
    if (r->good) {
        r->good = visa_error(r->error, "%s, at byte %zu", message, r->at);
    }
}

/* The bytes of a kernel or function. */
typedef struct Extent {
    char *name;
    bool function;
    uint32_t offset;
    uint32_t size;
} Extent;

typedef struct Loading {
    Reader reader;
    GArray *extents; /* of Extent */
    VisaObject *object;
} Loading;

static char *take_name(Reader *r, unsigned length)
{
    const uint8_t *start = r->bytes + r->at;

    skip(r, length);
    return r->good ? g_strndup((const char *)start, length) : NULL;
}

/* Skips a table of relocations or binaries, which is not needed. */
static void skip_table(Reader *r, unsigned count_bytes, unsigned entry_bytes)
{
    skip(r, (size_t)take(r, count_bytes) * entry_bytes);
}

static void read_extent(Loading *l, bool function)
{
    Reader *r = &l->reader;
    Extent extent = { .function = function };

    if (function) {
        take(r, 1); /* linkage */
    }
    extent.name = take_name(r, take(r, 2));
    extent.offset = take(r, 4);
    extent.size = take(r, 4);
    if (!function) {
        take(r, 4); /* offset of the inputs, which the kernel has, too */
    }
    skip_table(r, 2, 4); /* relocated variables */
    skip_table(r, 2, 4); /* relocated functions */
    if (!function) {
        skip_table(r, 1, 9); /* GEN binaries */
    }
    g_array_append_val(l->extents, extent);
}

static void read_extents(Loading *l, bool function)
{
    uint32_t count = take(&l->reader, 2);

    if (count > VISA_MAX_KERNELS) {
        refuse(&l->reader, "an object has at most 512 kernels");
    }
    for (uint32_t i = 0; i < count && l->reader.good; i++) {
        read_extent(l, function);
    }
}

static void read_header(Loading *l)
{
    Reader *r = &l->reader;

    r->what = "its header";
    if (take(r, 4) != 0x41534943) {
        refuse(r, "this is not a vISA object: it does not begin with CISA");
    }
    l->object->major = take(r, 1);
    l->object->minor = take(r, 1);
    if (r->good &&
        (l->object->major != VISA_MAJOR || l->object->minor > VISA_MAX_MINOR)) {
        r->good = visa_error(r->error, "vISA %u.%u objects are not supported",
                             l->object->major, l->object->minor);
        visa_hint(r->error, "versions 4.0 to 4.2 are");
    }
    read_extents(l, false);
    if (take(r, 2)) {
        refuse(r, "variables of the whole file are not supported");
    }
    read_extents(l, true);
}

/* A kernel's string pool: the start of each string. */
typedef struct Strings {
    Reader *reader;
    GPtrArray *start; /* elements: const char *, in the file */
} Strings;

static void read_strings(Strings *s)
{
    Reader *r = s->reader;
    uint32_t count = take(r, 4);

    for (uint32_t i = 0; i < count && r->good; i++) {
        const void *start = r->bytes + r->at;
        const uint8_t *end = memchr(start, 0, r->size - r->at);

        if (!end) {
            r->at = r->size;
            lacks(r, 1);
            return;
        }
        g_ptr_array_add(s->start, (void *)start);
        r->at = end + 1 - r->bytes;
    }
}

static const char *take_string(Strings *s)
{
    uint32_t index = take(s->reader, 4);
    const char *name = "";

    if (index >= s->start->len) {
        refuse(s->reader, "this name is not in the string pool");
    } else {
        name = g_ptr_array_index(s->start, index);
    }
    if (strnlen(name, VISA_MAX_NAME + 1) > VISA_MAX_NAME) {
        refuse(s->reader, "this name has more than 1024 characters");
        name = "";
    }
    return name;
}

static void read_attributes(Strings *s, uint32_t count, VisaRoutine *routine,
                            GArray **attributes)
{
    for (uint32_t i = 0; i < count && s->reader->good; i++) {
        const char *name = take_string(s);
        uint32_t bytes = take(s->reader, 1);
        const uint8_t *value = s->reader->bytes + s->reader->at;

        skip(s->reader, bytes);
        if (s->reader->good) {
            visa_add_attribute(routine, attributes, name, value, bytes);
        }
    }
}

static void read_variable_fields(Reader *r, VisaSymbol *symbol)
{
    uint32_t properties = take(r, 1);

    symbol->type = properties & 0xf;
    symbol->align = properties >> 4;
    symbol->elements = take(r, 2);
    symbol->alias = take(r, 4);
    symbol->alias_byte = take(r, 2);
    symbol->alias_scope = take(r, 1);
}

static void read_symbol(Strings *s, VisaRoutine *routine, VisaKind kind)
{
    VisaSymbol *symbol = visa_add_symbol(routine, kind, take_string(s));

    if (kind == VISA_VARIABLE) {
        read_variable_fields(s->reader, symbol);
    } else if (kind == VISA_LABEL) {
        symbol->label_kind = take(s->reader, 1);
    } else {
        symbol->elements = take(s->reader, 2);
    }
    read_attributes(s, take(s->reader, 1), routine, &symbol->attributes);
}

static void read_symbols(Strings *s, VisaRoutine *routine)
{
    static const struct {
        const char *what;
        unsigned count_bytes;
    } tables[VISA_KINDS] = {
        [VISA_VARIABLE] = { "its variables", 4 },
        [VISA_ADDRESS] = { "its address variables", 2 },
        [VISA_PREDICATE] = { "its predicates", 2 },
        [VISA_LABEL] = { "its labels", 2 },
        [VISA_SAMPLER] = { "its samplers", 1 },
        [VISA_SURFACE] = { "its surfaces", 1 },
    };

    for (unsigned kind = 0; kind < VISA_KINDS; kind++) {
        uint32_t count;

        s->reader->what = tables[kind].what;
        count = take(s->reader, tables[kind].count_bytes);
        for (uint32_t i = 0; i < count && s->reader->good; i++) {
            read_symbol(s, routine, kind);
        }
    }
    if (take(s->reader, 1)) {
        refuse(s->reader, "VME variables are not supported");
    }
}

static void read_inputs(Reader *r, VisaRoutine *routine)
{
    uint32_t count;

    r->what = "its inputs";
    count = take(r, 4);
    for (uint32_t i = 0; i < count && r->good; i++) {
        VisaInput input = { .kind = take(r, 1) };

        input.id = take(r, 4);
        input.offset = take(r, 2);
        input.bytes = take(r, 2);
        g_array_append_val(routine->inputs, input);
    }
}

static void read_code(Reader *r, VisaRoutine *routine, uint32_t entry,
                      uint32_t size)
{
    r->what = "its instructions";
    if (r->good && entry > r->size) {
        refuse(r, "the instructions begin past the kernel's end");
    }
    if (r->good) {
        r->at = entry;
        skip(r, size);
    }
    if (r->good) {
        g_byte_array_append(routine->code, r->bytes + entry, size);
    }
}

/* Instructions name strings by their index in the pool. */
static void keep_strings(const Strings *s, VisaRoutine *routine)
{
    for (unsigned i = 0; s->reader->good && i < s->start->len; i++) {
        g_ptr_array_add(routine->strings,
                        g_string_chunk_insert(routine->names,
                                              g_ptr_array_index(s->start, i)));
    }
}

/* Reads a kernel with a reader for its bytes alone, and its strings. */
static void read_routine(Strings *s, VisaRoutine *routine)
{
    Reader *r = s->reader;
    uint32_t size;
    uint32_t entry;

    r->what = "its strings";
    read_strings(s);
    take_string(s); /* the name, which the header has, too */
    read_symbols(s, routine);
    if (!routine->function) {
        read_inputs(r, routine);
    }
    r->what = "its attributes";
    size = take(r, 4);
    entry = take(r, 4);
    if (routine->function) {
        routine->argument_grfs = take(r, 1);
        routine->return_grfs = take(r, 1);
    }
    read_attributes(s, take(r, 2), routine, &routine->attributes);
    read_code(r, routine, entry, size);
    keep_strings(s, routine);
    routine->layout = visa_find_layout(routine);
}

static bool read_extent_bytes(Loading *l, const Extent *extent)
{
    Reader *file = &l->reader;
    Reader r = { .good = true, .error = file->error };
    Strings s = { .reader = &r };

    if (extent->function && !extent->size) {
        return true; /* extern */
    }
    if (extent->offset > file->size ||
        extent->size > file->size - extent->offset) {
        return visa_error(file->error, "the object ends before %s '%s' does",
                          extent->function ? "function" : "kernel",
                          extent->name);
    }
    r.bytes = file->bytes + extent->offset;
    r.size = extent->size;
    s.start = g_ptr_array_new();
    read_routine(&s,
                 visa_object_add(l->object, extent->name, extent->function));
    g_ptr_array_unref(s.start);
    return r.good;
}

/*
 * Kernels do not share bytes, so that together they are not larger than the
 * file.
 */
static bool check_sizes(Loading *l)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < l->extents->len; i++) {
        sum += g_array_index(l->extents, Extent, i).size;
    }
    return sum <= l->reader.size ||
           visa_error(l->reader.error, "the kernels are larger than the object "
                                       "that they are in");
}

static bool read_routines(Loading *l)
{
    if (!l->reader.good || !check_sizes(l)) {
        return false;
    }
    for (unsigned i = 0; i < l->extents->len; i++) {
        if (!read_extent_bytes(l, &g_array_index(l->extents, Extent, i))) {
            return false;
        }
    }
    return true;
}

static void clear_extent(gpointer data)
{
    g_free(((Extent *)data)->name);
}

bool visa_is_object(const uint8_t *bytes, size_t byte_count)
{
    return byte_count >= 4 && !memcmp(bytes, "CISA", 4);
}

VisaObject *visa_object_read(const uint8_t *bytes, size_t byte_count,
                             VisaError *error)
{
    Loading l = {
        .reader = { .bytes = bytes,
                    .size = byte_count,
                    .good = true,
                    .error = error },
        .extents = g_array_new(FALSE, FALSE, sizeof(Extent)),
        .object = visa_object_new(),
    };
    bool good;

    g_array_set_clear_func(l.extents, clear_extent);
    read_header(&l);
    good = read_routines(&l);
    g_array_unref(l.extents);
    if (!good) {
        visa_object_free(l.object);
        return NULL;
    }
    return l.object;
}
