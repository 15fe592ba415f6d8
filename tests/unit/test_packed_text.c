/*
 * veu unit tests: the text that the guest library makes of numbers and of a
 * packed kernel's printf().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "firmware/lib/veu_kernel_real.h"
#include "firmware/lib/veu_port.h"
#include "packed_world.h"

/* --- Numbers as text ----------------------------------------------------- */

static double choose_double(void)
{
    static const double special[] = { 0.0,    0.5,       1.5,
                                      2.5,    0.05,      9.5,
                                      99.95,  9.9999995, 1e22,
                                      5e-324, 0x1p-1022, 0x1.fffffffffffffp1023,
                                      1e-5,   123456 };
    uint64_t bits = (uint64_t)(uint32_t)g_test_rand_int() << 32 |
                    (uint32_t)g_test_rand_int();
    double value;

    switch (g_test_rand_int_range(0, 4)) {
    case 0:
        return special[g_test_rand_int_range(0, G_N_ELEMENTS(special))];
    case 1:
        return g_test_rand_int_range(0, 100000) / 64.0;
    case 2:
        return g_test_rand_double();
    default:
        memcpy(&value, &bits, sizeof(value));
        return value;
    }
}

/*
 * glibc omits a zero of %#g where rounding adds a digit: it prints 99.6 with
 * %#.2g as 1.e+02. test_general_numbers_keep_zeros() has the right texts.
 */
static bool has_glibc_error(const char *format)
{
    return strchr(format, '#') && strpbrk(format, "gG");
}

static void test_real_numbers_are_those_of_printf(void)
{
    for (unsigned n = 0; n < 20000; n++) {
        double value = fabs(choose_double());
        char letter = "fFeEgGaA"[g_test_rand_int_range(0, 8)];
        int precision = g_test_rand_int_range(-1, 30);
        bool alternative = g_test_rand_bit();
        char format[] = { '%', '#', '.', '*', letter, 0 };
        char expected[VEU_REAL_TEXT_BYTES];
        char text[VEU_REAL_TEXT_BYTES];
        uint64_t bits;

        if (!alternative) {
            memmove(format + 1, format + 2, sizeof(format) - 2);
        }
        memcpy(&bits, &value, sizeof(bits));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(expected, sizeof(expected), format, precision, value);
#pragma GCC diagnostic pop
        veu_real_text(text, bits, letter, precision, alternative);
        if (!has_glibc_error(format)) {
            g_assert_cmpstr(text, ==, expected);
        }
    }
}

static void assert_text(double value, char letter, int precision,
                        bool alternative, const char *expected)
{
    char text[VEU_REAL_TEXT_BYTES];
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    veu_real_text(text, bits, letter, precision, alternative);
    g_assert_cmpstr(text, ==, expected);
}

/* "Trailing zeros are not removed" with #: the C standard, not glibc. */
static void test_general_numbers_keep_zeros(void)
{
    static const struct {
        double value;
        int precision;
        const char *text;
    } rows[] = {
        { 1.5, -1, "1.50000" },    { 0.0001, -1, "0.000100000" },
        { 123456, -1, "123456." }, { 1234567, -1, "1.23457e+06" },
        { 100000, 3, "1.00e+05" }, { 99.6, 2, "1.0e+02" },
        { 0, 3, "0.00" },          { 0.00001, 2, "1.0e-05" },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_text(rows[i].value, 'g', rows[i].precision, true, rows[i].text);
    }
}

/* Zeros at the end of the digits do not make a tie a larger number. */
static void test_ties_round_to_even_digits(void)
{
    static const struct {
        double value;
        char letter;
        const char *text;
    } rows[] = {
        { 25000, 'e', "2e+04" }, { 35000, 'e', "4e+04" },
        { 25001, 'e', "3e+04" }, { 24999, 'e', "2e+04" },
        { 0.5, 'f', "0" },       { 1.5, 'f', "2" },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_text(rows[i].value, rows[i].letter, 0, false, rows[i].text);
    }
}

static void test_precisions_have_a_bound(void)
{
    const uint64_t third = 0x3fd5555555555555;
    char text[VEU_REAL_TEXT_BYTES + 1];

    text[VEU_REAL_TEXT_BYTES] = 'x';
    g_assert_cmpuint(veu_real_text(text, third, 'f', INT_MAX, false), ==,
                     2 + VEU_REAL_MAX_PRECISION);
    g_assert_cmpuint(text[VEU_REAL_TEXT_BYTES], ==, 'x');
}

static void test_floats_become_doubles(void)
{
    for (unsigned n = 0; n < 20000; n++) {
        uint32_t bits = g_test_rand_int();
        uint64_t twice;
        float single;
        double value;

        bits &= n % 4 ? ~0u : 0x807fffff; /* includes subnormal ones */
        memcpy(&single, &bits, sizeof(single));
        value = single;
        memcpy(&twice, &value, sizeof(twice));
        if (!isnan(value)) {
            g_assert_cmphex(veu_real_of_float(bits), ==, twice);
        }
    }
}

/* --- printf() ------------------------------------------------------------ */

static bool read_here(void *opaque, uint64_t address, void *to, uint32_t bytes)
{
    const World *w = opaque;
    uint64_t from = (uintptr_t)w->packed.data;

    if (address < from ||
        address - from + bytes > w->packed.packed->data_memory_bytes) {
        return false;
    }
    memcpy(to, (void *)(uintptr_t)address, bytes);
    return true;
}

static void append_char(void *opaque, char c)
{
    g_string_append_c(opaque, c);
}

/* Returns "%-08.3v4hlx", or a similar format. */
static char *choose_format(void)
{
    static const char *const lengths[] = { "", "h", "hh", "hl", "l" };
    GString *format = g_string_new("<%");

    for (unsigned i = 0; i < 2; i++) {
        if (g_test_rand_bit()) {
            g_string_append_c(format, "-+ #0"[g_test_rand_int_range(0, 5)]);
        }
    }
    if (g_test_rand_bit()) {
        g_string_append_printf(format, "%d", g_test_rand_int_range(1, 30));
    }
    if (g_test_rand_bit()) {
        g_string_append_printf(format, ".%d", g_test_rand_int_range(0, 20));
    }
    if (g_test_rand_bit()) {
        g_string_append(format, "v4");
    }
    g_string_append(format, lengths[g_test_rand_int_range(0, 5)]);
    g_string_append_c(format,
                      "diouxXcspfFeEgGaA"[g_test_rand_int_range(0, 17)]);
    g_string_append(format, "%%>");
    return g_string_free(format, FALSE);
}

/* A call with one argument; its strings are at the start of the data. */
static uint32_t write_call(const World *w, uint8_t *to)
{
    uint64_t address = (uintptr_t)w->packed.data;
    uint32_t type = g_test_rand_int_range(1, 15);
    uint32_t words = 2;
    uint32_t count = 4;

    memcpy(to, &address, 8);
    memcpy(to + 8, &type, 4);
    if (type >= 9) {
        memcpy(to + 12, &count, 4);
        words = 3;
    }
    for (unsigned i = 0; i < 16; i++) {
        uint32_t word = (uint32_t)g_test_rand_int();

        memcpy(to + 4 + words * 4 + i * 4, &word, 4);
    }
    if (type == 5) {
        memcpy(to + 4 + words * 4, &address, 8);
    }
    return 8 + 4 + 4 * words + 64;
}

static void test_printf_is_that_of_libveu_kernel(void)
{
    g_autofree uint8_t *buffer = g_malloc0(VEU_KERNEL_PRINTF_BYTES);
    World w;

    open_world(&w, "skl-print", "print_types");
    for (unsigned n = 0; n < 3000; n++) {
        const VeuKernelMemory memory = { read_here, &w };
        struct veu_kernel_run run = { .kernel = &w.packed,
                                      .printf_memory = buffer };
        g_autoptr(GString) expected = g_string_new(NULL);
        g_autoptr(GString) text = g_string_new(NULL);
        g_autofree char *format = choose_format();
        uint32_t end = 4 + write_call(&w, buffer + 4);

        strcpy((char *)w.packed.data, format);
        memcpy(buffer, &end, sizeof(end));
        g_assert_cmpint(veu_kernel_print(&run, append_char, text), ==,
                        veu_kernel_printf(buffer, VEU_KERNEL_PRINTF_BYTES,
                                          &memory, expected));
        if (!has_glibc_error(format)) {
            g_assert_cmpstr(text->str, ==, expected->str);
        }
    }
    close_world(&w);
}

/* A kernel whose calls of printf() have the same format. */
typedef struct Printer {
    World w;
    uint8_t *buffer;
    uint32_t end; /* of the calls in the buffer */
    struct veu_kernel_run run;
} Printer;

static void open_printer(Printer *p, const char *format)
{
    open_world(&p->w, "skl-print", "print_types");
    strcpy((char *)p->w.packed.data, format);
    p->buffer = g_malloc0(VEU_KERNEL_PRINTF_BYTES);
    p->end = 4;
    p->run = (struct veu_kernel_run){ .kernel = &p->w.packed,
                                      .printf_memory = p->buffer };
}

static void close_printer(Printer *p)
{
    g_free(p->buffer);
    close_world(&p->w);
}

/* Types of arguments in the buffer. */
enum {
    INT32 = 3,
    STRING = 5,
};

/* Adds a call with an argument of @bytes bytes. */
static void add_call(Printer *p, uint32_t type, const void *value,
                     uint32_t bytes)
{
    uint64_t format = veu_port_device_address(p->w.packed.data);

    memcpy(p->buffer + p->end, &format, 8);
    memcpy(p->buffer + p->end + 8, &type, 4);
    memcpy(p->buffer + p->end + 12, value, bytes);
    p->end += 12 + bytes;
    memcpy(p->buffer, &p->end, 4);
}

/* A string that does not end within the kernel's data is none. */
static void test_strings_end_within_the_data(void)
{
    g_autoptr(GString) text = g_string_new(NULL);
    uint64_t at;
    Printer p;

    open_printer(&p, "%s");
    at = veu_port_device_address(p.w.packed.data) +
         p.w.packed.packed->data_memory_bytes - 4;
    memset((void *)(uintptr_t)at, 'a', 4);
    add_call(&p, STRING, &at, sizeof(at));
    g_assert_true(veu_kernel_print(&p.run, append_char, text));
    g_assert_cmpstr(text->str, ==, "(not a string)");
    close_printer(&p);
}

/* The text of a single call, whose buffer ends @missing bytes early. */
static char *print_call(const char *format, uint32_t type, uint32_t missing)
{
    static const uint64_t value = 7;
    g_autoptr(GString) text = g_string_new(NULL);
    Printer p;

    open_printer(&p, format);
    add_call(&p, type, &value, sizeof(uint32_t));
    p.end -= missing;
    memcpy(p.buffer, &p.end, 4);
    g_assert_cmpint(veu_kernel_print(&p.run, append_char, text), ==, !missing);
    close_printer(&p);
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static void test_printf_ends_where_the_buffer_ends(void)
{
    for (uint32_t missing = 0; missing <= 8; missing++) {
        g_autofree char *text = print_call("a%db", INT32, missing);

        g_assert_cmpstr(text, ==, missing ? "a" : "a7b");
    }
}

static void test_printf_ends_at_what_is_no_conversion(void)
{
    static const char *const formats[] = { "a%qb", "a%", "a%-08.3hhyb" };

    for (unsigned i = 0; i < G_N_ELEMENTS(formats); i++) {
        g_autoptr(GString) text = g_string_new(NULL);
        const uint32_t value = 7;
        Printer p;

        open_printer(&p, formats[i]);
        add_call(&p, INT32, &value, sizeof(value));
        g_assert_false(veu_kernel_print(&p.run, append_char, text));
        g_assert_cmpstr(text->str, ==, "a");
        close_printer(&p);
    }
}

static void count_char(void *opaque, char c)
{
    ++*(uint64_t *)opaque;
}

/* A width with more digits than an int holds becomes the maximum. */
static void test_a_width_has_a_bound(void)
{
    const uint32_t zero = 0;
    uint64_t count = 0;
    Printer p;

    open_printer(&p, "%99999999999d");
    add_call(&p, INT32, &zero, sizeof(zero));
    g_assert_true(veu_kernel_print(&p.run, count_char, &count));
    g_assert_cmpuint(count, ==, 1000);
    close_printer(&p);
}

/* The number of each call is padded to a field of 500. */
static void test_printf_writes_at_most_16_mib(void)
{
    const uint32_t zero = 0;
    uint64_t count = 0;
    Printer p;

    open_printer(&p, "%500d");
    while (p.end + 16 <= VEU_KERNEL_PRINTF_BYTES) {
        add_call(&p, INT32, &zero, sizeof(zero));
    }
    g_assert_false(veu_kernel_print(&p.run, count_char, &count));
    g_assert_cmpuint(count, ==, 16 * 1024 * 1024);
    close_printer(&p);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/packed_text/" #name, test_##name)
    RULE(real_numbers_are_those_of_printf);
    RULE(general_numbers_keep_zeros);
    RULE(ties_round_to_even_digits);
    RULE(precisions_have_a_bound);
    RULE(floats_become_doubles);
    RULE(printf_is_that_of_libveu_kernel);
    RULE(strings_end_within_the_data);
    RULE(printf_ends_where_the_buffer_ends);
    RULE(printf_ends_at_what_is_no_conversion);
    RULE(a_width_has_a_bound);
    RULE(printf_writes_at_most_16_mib);
#undef RULE
    return g_test_run();
}
