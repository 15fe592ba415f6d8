/*
 * veu tools: a vISA object in memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include "tools/visa/object.h"
#include "veu/program.h"

uint32_t visa_first_id(VisaKind kind)
{
    static const uint32_t first[VISA_KINDS] = {
        [VISA_VARIABLE] = VEU_FIRST_VARIABLE,
        [VISA_PREDICATE] = 1,
        [VISA_SURFACE] = VEU_FIRST_SURFACE,
    };

    return first[kind];
}

static void clear_attribute(gpointer data)
{
    g_free(((VisaAttribute *)data)->value);
}

void visa_add_attribute(VisaRoutine *routine, GArray **attributes,
                        const char *name, const uint8_t *value, uint8_t bytes)
{
    VisaAttribute attribute = {
        .name = g_string_chunk_insert_const(routine->names, name),
        .value = g_malloc(bytes + 1),
        .bytes = bytes,
    };

    if (!*attributes) {
        *attributes = g_array_new(FALSE, TRUE, sizeof(VisaAttribute));
        g_array_set_clear_func(*attributes, clear_attribute);
    }
    for (unsigned i = 0; i < bytes; i++) {
        attribute.value[i] = value[i];
    }
    g_array_append_val(*attributes, attribute);
}

static void free_attributes(GArray *attributes)
{
    if (attributes) {
        g_array_unref(attributes);
    }
}

static void clear_symbol(gpointer data)
{
    free_attributes(((VisaSymbol *)data)->attributes);
}

static VisaRoutine *routine_new(const char *name, bool function)
{
    VisaRoutine *routine = g_new0(VisaRoutine, 1);

    routine->name = g_strdup(name);
    routine->function = function;
    for (unsigned kind = 0; kind < VISA_KINDS; kind++) {
        routine->symbols[kind] = g_array_new(FALSE, TRUE, sizeof(VisaSymbol));
        g_array_set_clear_func(routine->symbols[kind], clear_symbol);
    }
    routine->inputs = g_array_new(FALSE, TRUE, sizeof(VisaInput));
    routine->code = g_byte_array_new();
    routine->lines = g_array_new(FALSE, TRUE, sizeof(VisaLine));
    routine->strings = g_ptr_array_new();
    routine->names = g_string_chunk_new(1024);
    return routine;
}

static void routine_free(gpointer data)
{
    VisaRoutine *routine = data;

    g_free(routine->name);
    for (unsigned kind = 0; kind < VISA_KINDS; kind++) {
        g_array_unref(routine->symbols[kind]);
    }
    g_array_unref(routine->inputs);
    free_attributes(routine->attributes);
    g_byte_array_unref(routine->code);
    g_array_unref(routine->lines);
    g_ptr_array_unref(routine->strings);
    g_string_chunk_free(routine->names);
    g_free(routine);
}

VisaObject *visa_object_new(void)
{
    VisaObject *object = g_new0(VisaObject, 1);

    object->major = VISA_MAJOR;
    object->minor = VISA_MINOR;
    object->routines = g_ptr_array_new_with_free_func(routine_free);
    return object;
}

void visa_object_free(VisaObject *object)
{
    if (object) {
        g_ptr_array_unref(object->routines);
        g_free(object);
    }
}

VisaRoutine *visa_object_add(VisaObject *object, const char *name,
                             bool function)
{
    VisaRoutine *routine = routine_new(name, function);
    GPtrArray *routines = object->routines;
    unsigned at = routines->len;

    while (!function && at &&
           ((VisaRoutine *)g_ptr_array_index(routines, at - 1))->function) {
        at--;
    }
    g_ptr_array_insert(routines, at, routine);
    return routine;
}

VisaSymbol *visa_add_symbol(VisaRoutine *routine, VisaKind kind,
                            const char *name)
{
    GArray *symbols = routine->symbols[kind];
    VisaSymbol symbol = {
        .name = g_string_chunk_insert_const(routine->names, name),
    };

    g_array_append_val(symbols, symbol);
    return &g_array_index(symbols, VisaSymbol, symbols->len - 1);
}

VisaSymbol *visa_symbol(const VisaRoutine *routine, VisaKind kind, uint32_t id)
{
    GArray *symbols = routine->symbols[kind];
    uint32_t first = visa_first_id(kind);

    return id >= first && id - first < symbols->len ?
               &g_array_index(symbols, VisaSymbol, id - first) :
               NULL;
}

VisaPlace visa_place_of(const VisaRoutine *routine, uint32_t code_at)
{
    const VisaLine *lines = (const VisaLine *)routine->lines->data;
    uint32_t first = 0;
    uint32_t end = routine->lines->len;

    while (first < end) {
        uint32_t middle = first + (end - first) / 2;

        if (lines[middle].code_at <= code_at) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first && lines[first - 1].code_at == code_at ?
               lines[first - 1].place :
               (VisaPlace){ 0 };
}
