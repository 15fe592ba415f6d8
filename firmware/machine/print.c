/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Formatted output, without floating point and locales.
 */
#include "machine.h"

struct output {
    char *to; /* NULL: the console */
    size_t size;
    size_t length;
};

struct spec {
    bool left;
    bool zeroes;
    bool is_long;
    unsigned width;
    char conversion;
};

static void put(struct output *o, char c)
{
    if (!o->to) {
        machine_put_char(c);
    } else if (o->length + 1 < o->size) {
        o->to[o->length] = c;
    }
    o->length++;
}

static void put_padding(struct output *o, char c, unsigned count)
{
    while (count--) {
        put(o, c);
    }
}

static void put_text(struct output *o, const struct spec *s, const char *text,
                     unsigned length)
{
    unsigned padding = s->width > length ? s->width - length : 0;

    if (!s->left) {
        put_padding(o, s->zeroes ? '0' : ' ', padding);
    }
    for (unsigned i = 0; i < length; i++) {
        put(o, text[i]);
    }
    if (s->left) {
        put_padding(o, ' ', padding);
    }
}

static void put_number(struct output *o, const struct spec *s, uint64_t value,
                       bool negative)
{
    unsigned base = s->conversion == 'x' ? 16 : 10;
    char digits[24];
    char *at = digits + sizeof(digits);

    do {
        *--at = "0123456789abcdef"[value % base];
        value /= base;
    } while (value);
    if (negative) {
        *--at = '-';
    }
    put_text(o, s, at, digits + sizeof(digits) - at);
}

static const char *read_spec(const char *f, struct spec *s)
{
    *s = (struct spec){ 0 };
    for (; *f == '-' || *f == '0'; f++) {
        s->left |= *f == '-';
        s->zeroes |= *f == '0';
    }
    for (; *f >= '0' && *f <= '9'; f++) {
        s->width = s->width * 10 + (*f - '0');
    }
    for (; *f == 'l'; f++) {
        s->is_long = true;
    }
    s->conversion = *f;
    return *f ? f + 1 : f;
}

static unsigned text_length(const char *text)
{
    unsigned length = 0;

    while (text[length]) {
        length++;
    }
    return length;
}

static void format_all(struct output *o, const char *f, va_list *arguments)
{
    struct spec s;

    while (*f) {
        if (*f != '%') {
            put(o, *f++);
            continue;
        }
        f = read_spec(f + 1, &s);
        switch (s.conversion) {
        case 's': {
            const char *text = va_arg(*arguments, const char *);

            put_text(o, &s, text, text_length(text));
            break;
        }
        case 'd': {
            int64_t v = s.is_long ? va_arg(*arguments, long) :
                                    va_arg(*arguments, int);

            put_number(o, &s, v < 0 ? -(uint64_t)v : (uint64_t)v, v < 0);
            break;
        }
        case 'u':
        case 'x':
            put_number(o, &s,
                       s.is_long ? va_arg(*arguments, unsigned long) :
                                   va_arg(*arguments, unsigned),
                       false);
            break;
        case 'p':
            s.conversion = 'x';
            put_number(o, &s, (uintptr_t)va_arg(*arguments, void *), false);
            break;
        case 'c': {
            char c = va_arg(*arguments, int);

            put_text(o, &s, &c, 1);
            break;
        }
        default:
            put(o, s.conversion);
        }
    }
}

static void print_list(const char *format, va_list arguments)
{
    struct output o = { 0 };
    va_list copy;

    va_copy(copy, arguments);
    format_all(&o, format, &copy);
    va_end(copy);
}

void machine_print(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_list(format, arguments);
    va_end(arguments);
}

size_t machine_format(char *to, size_t size, const char *format,
                      va_list arguments)
{
    struct output o = { .to = to, .size = size };
    va_list copy;

    va_copy(copy, arguments);
    format_all(&o, format, &copy);
    va_end(copy);
    to[o.length < size ? o.length : size - 1] = '\0';
    return o.length;
}

void machine_panic(const char *format, ...)
{
    va_list arguments;

    machine_print("\nPANIC: ");
    va_start(arguments, format);
    print_list(format, arguments);
    va_end(arguments);
    machine_print("\n");
    machine_exit(1);
}
