/*
 * libveu-kernel: the output of printf() in kernels.
 *
 * SPDX-License-Identifier: MIT
 *
 * The buffer's first dword is the number of bytes written, initially 4. Each
 * call has the address of its format (8 bytes) and its arguments: a dword for
 * the type, a dword for the number of elements of a vector, and the values,
 * each padded to a dword (docs/kernels.md, printf). The kernel writes all of
 * it, so nothing is trusted.
 */
#include <string.h>
#include "tools/kernel/kernel_internal.h"

#define FIRST_CALL   4u
#define MAX_STRING   4096u
#define MAX_OUTPUT   (16u * 1024 * 1024)
#define MAX_WIDTH    1000
#define MAX_ELEMENTS 16u

/* Types of arguments, as compilers number them. */
typedef enum Type {
    TYPE_INT8 = 1,
    TYPE_INT16,
    TYPE_INT32,
    TYPE_FLOAT,
    TYPE_STRING,
    TYPE_INT64,
    TYPE_POINTER,
    TYPE_DOUBLE,
    TYPE_VECTOR_INT8,
    TYPE_VECTOR_INT16,
    TYPE_VECTOR_INT32,
    TYPE_VECTOR_INT64,
    TYPE_VECTOR_FLOAT,
    TYPE_VECTOR_DOUBLE,
    TYPE_COUNT
} Type;

static const struct {
    uint8_t bytes; /* of an element */
    bool is_vector;
    bool is_real;
} types[TYPE_COUNT] = {
    [TYPE_INT8] = { 1 },
    [TYPE_INT16] = { 2 },
    [TYPE_INT32] = { 4 },
    [TYPE_FLOAT] = { 4, .is_real = true },
    [TYPE_STRING] = { 8 },
    [TYPE_INT64] = { 8 },
    [TYPE_POINTER] = { 8 },
    [TYPE_DOUBLE] = { 8, .is_real = true },
    [TYPE_VECTOR_INT8] = { 1, .is_vector = true },
    [TYPE_VECTOR_INT16] = { 2, .is_vector = true },
    [TYPE_VECTOR_INT32] = { 4, .is_vector = true },
    [TYPE_VECTOR_INT64] = { 8, .is_vector = true },
    [TYPE_VECTOR_FLOAT] = { 4, .is_vector = true, .is_real = true },
    [TYPE_VECTOR_DOUBLE] = { 8, .is_vector = true, .is_real = true },
};

typedef struct Reader {
    const uint8_t *bytes;
    uint32_t at;
    uint32_t end;
    const VeuKernelMemory *memory;
    GString *out;
} Reader;

/* An argument: the values of its elements. */
typedef struct Argument {
    Type type;
    unsigned count;
    uint64_t integer[MAX_ELEMENTS];
    double real[MAX_ELEMENTS];
} Argument;

/* The part of a conversion between the percent sign and the letter. */
typedef struct Conversion {
    char flags[8];
    int width;
    int precision; /* -1: none */
    unsigned elements;
    unsigned integer_bytes;
    char letter;
} Conversion;

/* --- The buffer ---------------------------------------------------------- */

static bool take(Reader *r, void *to, uint32_t bytes)
{
    if (bytes > r->end - r->at) {
        return false;
    }
    memcpy(to, r->bytes + r->at, bytes);
    r->at += bytes;
    return true;
}

static bool take_element(Reader *r, Argument *a, unsigned i)
{
    unsigned bytes = types[a->type].bytes;
    uint64_t bits = 0;
    float single;

    if (!take(r, &bits, bytes)) {
        return false;
    }
    a->integer[i] = bits;
    if (a->type == TYPE_FLOAT || a->type == TYPE_VECTOR_FLOAT) {
        memcpy(&single, &bits, sizeof(single));
        a->real[i] = single;
    } else {
        memcpy(&a->real[i], &bits, sizeof(bits));
    }
    return true;
}

static bool take_argument(Reader *r, Argument *a)
{
    uint32_t number;
    uint32_t count = 1;
    uint32_t padding;

    if (!take(r, &number, sizeof(number)) || number == 0 ||
        number >= TYPE_COUNT) {
        return false;
    }
    a->type = number;
    if (types[a->type].is_vector && !take(r, &count, sizeof(count))) {
        return false;
    }
    if (!count || count > MAX_ELEMENTS) {
        return false;
    }
    a->count = count;
    for (unsigned i = 0; i < count; i++) {
        if (!take_element(r, a, i)) {
            return false;
        }
    }
    padding = types[a->type].bytes < 4 ? (4 - types[a->type].bytes) * count : 0;
    r->at += MIN(padding, r->end - r->at);
    return true;
}

/*
 * Finds the string at @address, or its first @most bytes. Returns false if it
 * is not readable, or too long.
 */
static bool take_string(const Reader *r, uint64_t address, size_t most,
                        GString *to)
{
    char byte = 1;

    while (to->len < MIN(most, MAX_STRING) &&
           r->memory->read(r->memory->opaque, address + to->len, &byte, 1) &&
           byte) {
        g_string_append_c(to, byte);
    }
    return !byte || to->len == most;
}

/* --- Conversions --------------------------------------------------------- */

static int take_number(const char **format)
{
    int number = 0;

    for (; g_ascii_isdigit(**format); ++*format) {
        number = MIN(number * 10 + (**format - '0'), MAX_WIDTH);
    }
    return number;
}

/* hh, h, hl, l: an int has 4 bytes, a long 8. */
static unsigned take_length(const char **format)
{
    static const struct {
        const char *text;
        unsigned bytes;
    } lengths[] = { { "hh", 1 }, { "hl", 4 }, { "h", 2 }, { "l", 8 } };
    unsigned bytes = 0;

    for (unsigned i = 0; i < G_N_ELEMENTS(lengths) && !bytes; i++) {
        if (g_str_has_prefix(*format, lengths[i].text)) {
            *format += strlen(lengths[i].text);
            bytes = lengths[i].bytes;
        }
    }
    return bytes ? bytes : 4;
}

/*
 * Parses what follows a percent sign. Returns false if it is not a conversion.
 */
static bool take_conversion(const char **format, Conversion *c)
{
    size_t flags = strspn(*format, "-+ #0");

    *c = (Conversion){ .precision = -1, .elements = 1 };
    g_strlcpy(c->flags, *format, MIN(flags + 1, sizeof(c->flags)));
    *format += flags;
    c->width = take_number(format);
    if (**format == '.') {
        ++*format;
        c->precision = take_number(format);
    }
    if (**format == 'v') {
        ++*format;
        c->elements = take_number(format);
    }
    c->integer_bytes = take_length(format);
    c->letter = **format;
    if (!c->letter || !strchr("diouxXcspfFeEgGaA", c->letter)) {
        return false;
    }
    ++*format;
    return true;
}

static void print_integer(Reader *r, const Conversion *c, uint64_t value)
{
    bool is_signed = c->letter == 'd' || c->letter == 'i';
    unsigned shift = 64 - 8 * c->integer_bytes;
    g_autofree char *format = g_strdup_printf("%%%s*.*" G_GINT64_MODIFIER "%c",
                                              c->flags, c->letter);

    if (is_signed) {
        g_string_append_printf(r->out, format, c->width, c->precision,
                               (int64_t)(value << shift) >> shift);
    } else {
        g_string_append_printf(r->out, format, c->width, c->precision,
                               value << shift >> shift);
    }
}

static void print_real(Reader *r, const Conversion *c, double value)
{
    g_autofree char *format = g_strdup_printf("%%%s*.*%c", c->flags, c->letter);

    g_string_append_printf(r->out, format, c->width, c->precision, value);
}

static void print_text(Reader *r, const Conversion *c, const char *text)
{
    bool left = strchr(c->flags, '-');

    g_string_append_printf(r->out, left ? "%-*.*s" : "%*.*s", c->width,
                           c->precision, text);
}

/* A precision applies to digits or strings; pointers are printed in full. */
static void print_pointer(Reader *r, const Conversion *c, uint64_t value)
{
    Conversion whole = *c;
    char text[24];

    whole.precision = -1;
    g_snprintf(text, sizeof(text), "0x%" G_GINT64_MODIFIER "x", value);
    print_text(r, &whole, text);
}

static void print_string(Reader *r, const Conversion *c, const Argument *a)
{
    g_autoptr(GString) text = g_string_new(NULL);
    size_t most = c->precision < 0 ? SIZE_MAX : (size_t)c->precision;

    if (a->type != TYPE_STRING || !take_string(r, a->integer[0], most, text)) {
        g_string_assign(text, "(not a string)");
    }
    print_text(r, c, text->str);
}

static void print_element(Reader *r, const Conversion *c, const Argument *a,
                          unsigned i)
{
    char text[2] = { 0 };

    switch (c->letter) {
    case 's':
        print_string(r, c, a);
        break;
    case 'c':
        text[0] = a->integer[i];
        print_text(r, c, text);
        break;
    case 'p':
        print_pointer(r, c, a->integer[i]);
        break;
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
        print_integer(r, c, a->integer[i]);
        break;
    default:
        print_real(r, c, types[a->type].is_real ? a->real[i] : 0);
        break;
    }
}

/* Commas separate the elements of a vector. */
static bool print_conversion(Reader *r, const Conversion *c)
{
    Argument a;

    if (!take_argument(r, &a)) {
        return false;
    }
    for (unsigned i = 0; i < MIN(MAX(c->elements, 1), a.count); i++) {
        if (i) {
            g_string_append_c(r->out, ',');
        }
        print_element(r, c, &a, i);
    }
    return true;
}

static bool print_call(Reader *r, const char *format)
{
    Conversion c;

    while (*format) {
        if (*format != '%') {
            g_string_append_c(r->out, *format++);
        } else if (format[1] == '%') {
            g_string_append_c(r->out, '%');
            format += 2;
        } else {
            format++;
            if (!take_conversion(&format, &c) || !print_conversion(r, &c)) {
                return false;
            }
        }
    }
    return true;
}

bool veu_kernel_printf(const uint8_t *buffer, uint32_t bytes,
                       const VeuKernelMemory *memory, GString *out)
{
    Reader r = { .bytes = buffer, .end = bytes, .memory = memory, .out = out };
    uint32_t written;
    uint64_t address;

    if (!take(&r, &written, sizeof(written))) {
        return false;
    }
    r.end = MIN(MAX(written, FIRST_CALL), bytes);
    while (r.at < r.end && out->len < MAX_OUTPUT) {
        g_autoptr(GString) format = g_string_new(NULL);

        if (!take(&r, &address, sizeof(address)) ||
            !take_string(&r, address, SIZE_MAX, format) ||
            !print_call(&r, format->str)) {
            return false;
        }
    }
    return r.at == written;
}
