/*
 * veu-run: --show and --save: variables and memory after the run.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "hw/veu/eu/program/type.h"
#include "tools/lib/names.h"
#include "tools/lib/number.h"
#include "tools/veu-run/veu-run.h"

#define MAX_SHOWN_BYTES (UINT64_C(16) << 20)

/* The target of an option: a variable, or memory as bytes or as elements. */
typedef struct Target {
    const char *option; /* "--show" or "--save" */
    const char *value;
    const struct veu_variable *variable;
    char *name; /* of the variable; free with g_free() */
    uint64_t address;
    uint64_t bytes;
    uint64_t count; /* number of elements; 0: plain bytes */
    uint8_t type;
    const char *file; /* in the value */
} Target;

static bool is_variable(const char *value)
{
    return g_ascii_toupper(value[0]) == 'V';
}

#define SHOW_ADVICE "write V33, ADDRESS:BYTES or ADDRESS:TYPE:COUNT"
#define SAVE_ADVICE "write V33:FILE or ADDRESS:BYTES:FILE"

static bool bad_syntax(const Target *t)
{
    return tool_error("%s %s: %s", t->option, t->value,
                      g_str_equal(t->option, "--show") ? SHOW_ADVICE :
                                                         SAVE_ADVICE);
}

/* V33 or V33:FILE */
static bool parse_variable(const Run *run, Target *t, bool with_file)
{
    const char *colon = strchr(t->value, ':');

    if (with_file ? !colon || !colon[1] : colon != NULL) {
        return bad_syntax(t);
    }
    t->file = colon ? colon + 1 : NULL;
    t->name = colon ? g_strndup(t->value, colon - t->value) :
                      g_strdup(t->value);
    if (run->program.broken) {
        return true; /* the device reports why there are no variables */
    }
    t->variable = run_program_variable(&run->program, t->name, t->option,
                                       t->value);
    if (t->variable) {
        t->type = t->variable->type;
        t->count = t->variable->elements;
        t->bytes = t->count * veu_type_bytes(t->type);
    }
    return t->variable;
}

/* TYPE:COUNT */
static bool parse_elements(Target *t, const char *type, const char *count)
{
    if (!type_by_name(type, &t->type) || !veu_type_bytes(t->type) ||
        !number_parse(count, &t->count) || t->count == 0 ||
        t->count > RUN_MAX_BYTES) {
        return bad_syntax(t);
    }
    t->bytes = t->count * veu_type_bytes(t->type);
    return true;
}

/* ADDRESS:BYTES, ADDRESS:TYPE:COUNT or ADDRESS:BYTES:FILE */
static bool parse_memory(const Run *run, Target *t, bool with_file)
{
    g_auto(GStrv) parts = g_strsplit(t->value, ":", 3);
    unsigned count = g_strv_length(parts);
    bool bytes = with_file || count == 2;

    if (count < 2 || (with_file && (count < 3 || !*parts[2])) ||
        !number_parse(parts[0], &t->address) ||
        (bytes && (!number_parse(parts[1], &t->bytes) || t->bytes == 0))) {
        return bad_syntax(t);
    }
    if (!bytes && !parse_elements(t, parts[1], parts[2])) {
        return false;
    }
    if (!with_file && t->bytes > MAX_SHOWN_BYTES) {
        return tool_error("--show %s: more than 16M bytes; --save writes them "
                          "to a file",
                          t->value);
    }
    if (with_file) {
        t->file = strchr(strchr(t->value, ':') + 1, ':') + 1;
    }
    return (t->bytes <= RUN_MAX_BYTES &&
            run_memory_has(&run->memory, t->address, t->bytes)) ||
           tool_error("%s %s: not all of it is memory; --memory makes RAM",
                      t->option, t->value);
}

static bool parse_target(const Run *run, const char *option, const char *value,
                         bool with_file, Target *t)
{
    *t = (Target){ .option = option, .value = value };
    return is_variable(value) ? parse_variable(run, t, with_file) :
                                parse_memory(run, t, with_file);
}

/* Calls @use for the target of each value. Returns false if one fails. */
static bool for_each(Run *run, const char *option, char **values,
                     bool with_file, bool (*use)(Run *run, const Target *t))
{
    bool ok = true;

    for (; values && *values; values++) {
        Target t;

        ok = parse_target(run, option, *values, with_file, &t) &&
             use(run, &t) && ok;
        g_free(t.name);
    }
    return ok;
}

static bool use_nothing(Run *run, const Target *t)
{
    return true;
}

bool run_shows_check(const Run *run)
{
    Run *same = (Run *)run;

    return for_each(same, "--show", run->options.shows, false, use_nothing) &&
           for_each(same, "--save", run->options.saves, true, use_nothing);
}

static bool any_variable(char **values)
{
    for (; values && *values; values++) {
        if (is_variable(*values)) {
            return true;
        }
    }
    return false;
}

bool run_shows_want_registers(const Run *run)
{
    return !run->program.broken && (any_variable(run->options.shows) ||
                                    any_variable(run->options.saves));
}

/* --- Text ---------------------------------------------------------------- */

static void print_cell(const Target *t, const uint8_t *data, uint64_t index)
{
    const uint8_t *element = data + index * veu_type_bytes(t->type);
    g_autofree char *text = run_value_text(t->type, element);
    g_autofree char *hex = run_value_hex(t->type, element);

    printf("  %12s  %s", text, hex);
}

/*
 * Prints a row for each lane. Elements after the last lane are in the next
 * column: the next block, channel or message.
 */
static void print_lanes(const Target *t, const uint8_t *data, uint32_t lanes)
{
    printf("lane\n");
    for (uint64_t row = 0; row < MIN(lanes, t->count); row++) {
        printf("%4" PRIu64, row);
        for (uint64_t i = row; i < t->count; i += lanes) {
            print_cell(t, data, i);
        }
        printf("\n");
    }
}

static void print_elements(const Target *t, const uint8_t *data)
{
    for (uint64_t i = 0; i < t->count; i++) {
        printf("%08" PRIx64, t->address + i * veu_type_bytes(t->type));
        print_cell(t, data, i);
        printf("\n");
    }
}

static void print_dump(const Target *t, const uint8_t *data)
{
    for (uint64_t at = 0; at < t->bytes; at += 16) {
        uint64_t n = MIN(16, t->bytes - at);

        printf("%08" PRIx64 " ", t->address + at);
        for (uint64_t i = 0; i < 16; i++) {
            if (i < n) {
                printf(" %02x", data[at + i]);
            } else {
                printf("   ");
            }
        }
        printf("  |");
        for (uint64_t i = 0; i < n; i++) {
            putchar(g_ascii_isprint(data[at + i]) ? data[at + i] : '.');
        }
        printf("|\n");
    }
}

/* --- JSON ---------------------------------------------------------------- */

static void json_elements(Json *j, const Target *t, const uint8_t *data)
{
    json_list(j, "values");
    for (uint64_t i = 0; i < t->count; i++) {
        run_value_json(j, t->type, data + i * veu_type_bytes(t->type));
    }
    json_end(j);
}

static void json_dump(Json *j, const Target *t, const uint8_t *data)
{
    GString *hex = g_string_new(NULL);

    for (uint64_t i = 0; i < t->bytes; i++) {
        g_string_append_printf(hex, "%02x", data[i]);
    }
    json_string(j, "data", hex->str);
    g_string_free(hex, TRUE);
}

static void json_memory(Json *j, const Target *t, const uint8_t *data)
{
    json_row(j, NULL);
    json_uint(j, "address", t->address);
    if (t->count) {
        json_string(j, "type", name_of_type(t->type));
        json_elements(j, t, data);
    } else {
        json_dump(j, t, data);
    }
    json_end(j);
}

/* @data: NULL if the EU thread did not end normally. */
static void json_variable(Json *j, const Target *t, uint64_t thread,
                          const uint8_t *data)
{
    json_row(j, NULL);
    json_string(j, "variable", t->name);
    json_string(j, "type", name_of_type(t->type));
    json_uint(j, "thread", thread);
    if (data) {
        json_elements(j, t, data);
    } else {
        json_raw(j, "values", "null");
    }
    json_end(j);
}

/* --- Actions ------------------------------------------------------------- */

static void print_variable(const Run *run, const Target *t, uint64_t thread,
                           const uint8_t *data)
{
    printf("%s %s[%" PRIu64 "]", t->name, name_of_type(t->type), t->count);
    if (run_thread_count(run) > 1) {
        printf(" of thread %" PRIu64, thread);
    }
    if (data) {
        printf("\n");
        print_lanes(t, data, run->numbers.simd);
    } else {
        printf(": none, the EU thread did not reach its end\n");
    }
}

static bool show_variable(Run *run, const Target *t)
{
    g_autofree uint8_t *data = g_malloc(t->bytes);

    for (uint64_t i = 0; i < run_thread_count(run); i++) {
        bool there = run_registers(run, i, t->variable->offset, data, t->bytes);

        if (run->options.json) {
            json_variable(&run->json, t, i, there ? data : NULL);
            json_flush(&run->json, stdout);
        } else {
            print_variable(run, t, i, there ? data : NULL);
        }
    }
    return true;
}

/* Reads memory. Returns NULL with an error if there is not enough of it. */
static uint8_t *read_memory(const Run *run, const Target *t)
{
    uint8_t *data = g_try_malloc(t->bytes);

    if (data) {
        run_memory_read(&run->memory, t->address, data, t->bytes);
    } else {
        tool_error("%s %s: the host is out of memory", t->option, t->value);
    }
    return data;
}

static bool show_memory(Run *run, const Target *t)
{
    g_autofree uint8_t *data = read_memory(run, t);

    if (!data) {
        return false;
    }
    if (run->options.json) {
        json_memory(&run->json, t, data);
        json_flush(&run->json, stdout);
    } else if (t->count) {
        print_elements(t, data);
    } else {
        print_dump(t, data);
    }
    return true;
}

static bool show(Run *run, const Target *t)
{
    if (t->variable) {
        return show_variable(run, t);
    }
    return t->name ? true : show_memory(run, t);
}

/* Saves the variable of all EU threads, in order. */
static bool save_variable(const Run *run, const Target *t)
{
    uint64_t count = run_thread_count(run);
    g_autofree uint8_t *data = g_try_malloc(t->bytes * count);

    if (!data) {
        return tool_error("%s %s: the host is out of memory", t->option,
                          t->value);
    }
    for (uint64_t i = 0; i < count; i++) {
        if (!run_registers(run, i, t->variable->offset, data + i * t->bytes,
                           t->bytes)) {
            return tool_error("%s %s: nothing is written: EU thread %" PRIu64
                              " did not reach its end",
                              t->option, t->value, i);
        }
    }
    return run_file_write(t->file, data, t->bytes * count);
}

static bool save(Run *run, const Target *t)
{
    g_autofree uint8_t *data = NULL;

    if (t->variable) {
        return save_variable(run, t);
    }
    if (t->name) {
        return true;
    }
    data = read_memory(run, t);
    return data && run_file_write(t->file, data, t->bytes);
}

bool run_shows_do(Run *run)
{
    bool ok;

    if (run->options.json) {
        json_array(&run->json, "shown");
    }
    ok = for_each(run, "--show", run->options.shows, false, show);
    if (run->options.json) {
        json_end(&run->json);
    }
    return for_each(run, "--save", run->options.saves, true, save) && ok;
}
