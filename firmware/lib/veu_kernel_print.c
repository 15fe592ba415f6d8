/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: the output of printf() in kernels (docs/kernels.md,
 * printf). The kernel writes the buffer, so nothing in it is trusted.
 */
#include "veu_kernel.h"

#include "veu_kernel_real.h"
#include "veu_port.h"

#define BUFFER_BYTES (4u << 20)
#define FIRST_CALL   4u
#define MAX_STRING   4096u
/* Enough for a full buffer; a few calls can request far more. */
#define MAX_OUTPUT   (16u * 1024 * 1024)
#define MAX_WIDTH    VEU_REAL_MAX_PRECISION
#define MAX_ELEMENTS 16u

/* Types of arguments, as compilers number them. */
enum {
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
};

static const uint8_t element_bytes[TYPE_COUNT] = { 0, 1, 2, 4, 4, 8, 8, 8,
                                                   8, 1, 2, 4, 8, 4, 8 };

struct printer {
    const struct veu_kernel *kernel;
    void (*put)(void *opaque, char c);
    void *opaque;
    const uint8_t *bytes; /* the buffer */
    uint32_t at;
    uint32_t end;
    uint32_t left; /* characters that may still be written */
};

/* The elements of an argument. */
struct argument {
    uint32_t type;
    uint32_t count;
    uint64_t bits[MAX_ELEMENTS];
};

/* The part of a conversion between the percent sign and the letter. */
struct conversion {
    bool left, plus, space, alternative, zero;
    int width;
    int precision; /* -1: none */
    unsigned elements;
    unsigned integer_bytes;
    char letter;
};

/* --- The buffer ---------------------------------------------------------- */

static bool take(struct printer *p, void *to, uint32_t bytes)
{
    if (bytes > p->end - p->at) {
        return false;
    }
    __builtin_memcpy(to, p->bytes + p->at, bytes);
    p->at += bytes;
    return true;
}

static bool is_single(const struct argument *a)
{
    return a->type == TYPE_FLOAT || a->type == TYPE_VECTOR_FLOAT;
}

static bool is_real(const struct argument *a)
{
    return is_single(a) || a->type == TYPE_DOUBLE ||
           a->type == TYPE_VECTOR_DOUBLE;
}

/* Elements of less than a dword are each padded to one, at the end. */
static bool take_argument(struct printer *p, struct argument *a)
{
    uint32_t bytes, padding;

    *a = (struct argument){ .count = 1 };
    if (!take(p, &a->type, sizeof(a->type)) || !a->type ||
        a->type >= TYPE_COUNT ||
        (a->type >= TYPE_VECTOR_INT8 &&
         !take(p, &a->count, sizeof(a->count))) ||
        !a->count || a->count > MAX_ELEMENTS) {
        return false;
    }
    bytes = element_bytes[a->type];
    for (unsigned i = 0; i < a->count; i++) {
        if (!take(p, &a->bits[i], bytes)) {
            return false;
        }
    }
    padding = bytes < 4 ? (4 - bytes) * a->count : 0;
    p->at += padding < p->end - p->at ? padding : p->end - p->at;
    return true;
}

/* The string at @address in the kernel's data, if it ends there; else NULL. */
static const char *find_string(const struct printer *p, uint64_t address,
                               unsigned most, unsigned *length)
{
    uint64_t base = veu_port_device_address(p->kernel->data);
    uint64_t bytes = p->kernel->packed->data_memory_bytes;
    const char *text;

    if (address < base || address - base >= bytes) {
        return NULL;
    }
    text = (const char *)p->kernel->data + (address - base);
    bytes -= address - base;
    for (*length = 0; *length < bytes && *length < MAX_STRING; ++*length) {
        if (*length == most || !text[*length]) {
            return text;
        }
    }
    return NULL;
}

/* --- Output -------------------------------------------------------------- */

static void put_char(struct printer *p, char c)
{
    if (p->left) {
        p->left--;
        p->put(p->opaque, c);
    }
}

static void put_repeated(struct printer *p, char c, int count)
{
    for (; count > 0; count--) {
        put_char(p, c);
    }
}

static void put_bytes(struct printer *p, const char *text, unsigned length)
{
    for (unsigned i = 0; i < length; i++) {
        put_char(p, text[i]);
    }
}

static unsigned length_of(const char *text)
{
    unsigned length = 0;

    while (text[length]) {
        length++;
    }
    return length;
}

/* A number: spaces, its prefix, zeros, its digits, and spaces. */
static void put_number(struct printer *p, const struct conversion *c,
                       const char *prefix, int zeros, const char *digits)
{
    int length = length_of(prefix) + (zeros > 0 ? zeros : 0) +
                 length_of(digits);
    int pad = c->width > length ? c->width - length : 0;
    bool with_zeros = c->zero && !c->left;

    put_repeated(p, ' ', c->left || with_zeros ? 0 : pad);
    put_bytes(p, prefix, length_of(prefix));
    put_repeated(p, '0', zeros + (with_zeros ? pad : 0));
    put_bytes(p, digits, length_of(digits));
    put_repeated(p, ' ', c->left ? pad : 0);
}

static void put_text(struct printer *p, const struct conversion *c,
                     const char *text, unsigned length)
{
    int pad = c->width > (int)length ? c->width - (int)length : 0;

    put_repeated(p, ' ', c->left ? 0 : pad);
    put_bytes(p, text, length);
    put_repeated(p, ' ', c->left ? pad : 0);
}

static const char *sign_of(const struct conversion *c, bool negative)
{
    return negative ? "-" : c->plus ? "+" : c->space ? " " : "";
}

/* --- Integers ------------------------------------------------------------ */

/*
 * Writes the digits of @value before @end, which has a 0. Returns the first
 * one.
 */
static char *write_digits(char *end, uint64_t value, unsigned base, bool upper)
{
    const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";

    *end = 0;
    for (; value; value /= base) {
        *--end = digits[value % base];
    }
    return end;
}

static void put_integer(struct printer *p, struct conversion c, uint64_t value)
{
    unsigned shift = 64 - 8 * c.integer_bytes;
    bool is_signed = c.letter == 'd' || c.letter == 'i';
    bool is_hex = c.letter == 'x' || c.letter == 'X';
    unsigned base = is_hex ? 16 : c.letter == 'o' ? 8 : 10;
    int64_t number = (int64_t)(value << shift) >> shift;
    bool negative = is_signed && number < 0;
    const char *prefix = is_signed ? sign_of(&c, negative) : "";
    char room[24], *digits;
    int zeros;

    value = negative ? -(uint64_t)number : value << shift >> shift;
    digits = write_digits(room + sizeof(room) - 1, value, base,
                          c.letter == 'X');
    zeros = (c.precision < 0 ? 1 : c.precision) - (int)length_of(digits);
    if (c.alternative && is_hex && value) {
        prefix = c.letter == 'X' ? "0X" : "0x";
    } else if (c.alternative && base == 8 && zeros <= 0) {
        zeros = 1;
    }
    c.zero &= c.precision < 0;
    put_number(p, &c, prefix, zeros > 0 ? zeros : 0, digits);
}

/* --- Real numbers -------------------------------------------------------- */

static void put_real(struct printer *p, struct conversion c, uint64_t bits)
{
    char text[VEU_REAL_TEXT_BYTES];
    const char *digits = text, *sign = sign_of(&c, bits >> 63);
    char prefix[4] = { 0 };
    unsigned n = 0;

    veu_real_text(text, bits, c.letter, c.precision, c.alternative);
    if (sign[0]) {
        prefix[n++] = sign[0];
    }
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        prefix[n++] = '0';
        prefix[n++] = text[1];
        digits += 2;
    }
    c.zero &= (digits[0] >= '0' && digits[0] <= '9');
    put_number(p, &c, prefix, 0, digits);
}

/* --- Conversions --------------------------------------------------------- */

static bool is_in(char c, const char *list)
{
    for (; *list; list++) {
        if (*list == c) {
            return true;
        }
    }
    return false;
}

static int take_number(const char **format)
{
    int number = 0;

    for (; **format >= '0' && **format <= '9'; ++*format) {
        number = number * 10 + (**format - '0');
        number = number < MAX_WIDTH ? number : MAX_WIDTH;
    }
    return number;
}

static void take_flags(const char **format, struct conversion *c)
{
    for (; is_in(**format, "-+ #0") && **format; ++*format) {
        c->left |= **format == '-';
        c->plus |= **format == '+';
        c->space |= **format == ' ';
        c->alternative |= **format == '#';
        c->zero |= **format == '0';
    }
}

/* hh, h, hl, l: an int has 4 bytes, a long 8. */
static unsigned take_length(const char **format)
{
    const char *f = *format;

    if (f[0] == 'h') {
        *format += 1 + (f[1] == 'h' || f[1] == 'l');
        return f[1] == 'h' ? 1 : f[1] == 'l' ? 4 : 2;
    }
    *format += f[0] == 'l';
    return f[0] == 'l' ? 8 : 4;
}

/*
 * Parses what follows a percent sign. Returns false if it is not a conversion.
 */
static bool take_conversion(const char **format, struct conversion *c)
{
    *c = (struct conversion){ .precision = -1, .elements = 1 };
    take_flags(format, c);
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
    if (!c->letter || !is_in(c->letter, "diouxXcspfFeEgGaA")) {
        return false;
    }
    ++*format;
    return true;
}

static void put_string(struct printer *p, const struct conversion *c,
                       const struct argument *a)
{
    unsigned most = c->precision < 0 ? MAX_STRING : (unsigned)c->precision;
    unsigned length = 0;
    const char *text = a->type == TYPE_STRING ?
                           find_string(p, a->bits[0], most, &length) :
                           NULL;

    if (!text) {
        text = "(not a string)";
        length = length_of(text) < most ? length_of(text) : most;
    }
    put_text(p, c, text, length);
}

static void put_pointer(struct printer *p, const struct conversion *c,
                        uint64_t value)
{
    char room[24];
    char *text = write_digits(room + sizeof(room) - 1, value, 16, false);

    if (!*text) {
        *--text = '0';
    }
    *--text = 'x';
    *--text = '0';
    put_text(p, c, text, length_of(text));
}

static void put_element(struct printer *p, const struct conversion *c,
                        const struct argument *a, uint64_t bits)
{
    char byte = bits;

    if (c->letter == 's') {
        put_string(p, c, a);
    } else if (c->letter == 'c') {
        put_text(p, c, &byte, byte && c->precision ? 1 : 0);
    } else if (c->letter == 'p') {
        put_pointer(p, c, bits);
    } else if (is_in(c->letter, "diouxX")) {
        put_integer(p, *c, bits);
    } else {
        put_real(p, *c,
                 !is_real(a)  ? 0 :
                 is_single(a) ? veu_real_of_float(bits) :
                                bits);
    }
}

/* Commas separate the elements of a vector. */
static bool put_conversion(struct printer *p, const struct conversion *c)
{
    unsigned elements = c->elements ? c->elements : 1;
    struct argument a;

    if (!take_argument(p, &a)) {
        return false;
    }
    for (unsigned i = 0; i < elements && i < a.count; i++) {
        put_repeated(p, ',', i != 0);
        put_element(p, c, &a, a.bits[i]);
    }
    return true;
}

static bool put_call(struct printer *p, const char *format)
{
    struct conversion c;

    while (*format) {
        if (*format != '%') {
            put_char(p, *format++);
        } else if (format[1] == '%') {
            put_char(p, '%');
            format += 2;
        } else {
            format++;
            if (!take_conversion(&format, &c) || !put_conversion(p, &c)) {
                return false;
            }
        }
    }
    return true;
}

bool veu_kernel_print(const struct veu_kernel_run *run,
                      void (*put)(void *opaque, char c), void *opaque)
{
    struct printer p = {
        .kernel = run->kernel,
        .put = put,
        .opaque = opaque,
        .bytes = run->printf_memory,
        .at = FIRST_CALL,
        .left = MAX_OUTPUT,
    };
    uint32_t written;

    if (!p.bytes) {
        return true;
    }
    __builtin_memcpy(&written, p.bytes, sizeof(written));
    p.end = written < BUFFER_BYTES ? written : BUFFER_BYTES;
    while (p.at < p.end && p.left) {
        uint64_t address;
        unsigned length;
        const char *format;

        if (!take(&p, &address, sizeof(address))) {
            return false;
        }
        format = find_string(&p, address, MAX_STRING, &length);
        if (!format || !put_call(&p, format)) {
            return false;
        }
    }
    return p.at == written;
}
