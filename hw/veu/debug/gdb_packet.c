/*
 * veu debugging: the packets of gdb's remote protocol.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/debug/gdb_packet.h"

#define CTRL_C     3
/* '#' and two digits of a sum */
#define TAIL_BYTES 3

char *veu_gdb_packet(const char *text)
{
    uint8_t sum = 0;

    for (const char *at = text; *at; at++) {
        sum += *at;
    }
    return g_strdup_printf("$%s#%02x", text, sum);
}

/* The sum is of no use on a connection that loses nothing. */
char *veu_gdb_packet_take(GString *input)
{
    const char *begin = memchr(input->str, '$', input->len);
    const char *end;
    char *text;

    if (!begin) {
        g_string_truncate(input, 0);
        return NULL;
    }
    g_string_erase(input, 0, begin - input->str);
    end = memchr(input->str, '#', input->len);
    if (!end || input->str + input->len - end < TAIL_BYTES) {
        return NULL;
    }
    text = g_strndup(input->str + 1, end - input->str - 1);
    g_string_erase(input, 0, end - input->str + TAIL_BYTES);
    return text;
}

bool veu_gdb_packet_take_interrupt(GString *input)
{
    const char *packet = memchr(input->str, '$', input->len);
    size_t between = packet ? (size_t)(packet - input->str) : input->len;
    bool interrupts = memchr(input->str, CTRL_C, between);

    g_string_erase(input, 0, between);
    return interrupts;
}

void veu_gdb_append_hex(GString *out, const void *bytes, size_t count)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *at = bytes;

    for (size_t i = 0; i < count; i++) {
        g_string_append_c(out, digits[at[i] >> 4]);
        g_string_append_c(out, digits[at[i] & 15]);
    }
}

bool veu_gdb_parse_hex(const char *text, GByteArray *bytes)
{
    while (g_ascii_isxdigit(text[0]) && g_ascii_isxdigit(text[1])) {
        uint8_t byte = g_ascii_xdigit_value(text[0]) << 4 |
                       g_ascii_xdigit_value(text[1]);

        g_byte_array_append(bytes, &byte, 1);
        text += 2;
    }
    return !*text;
}

const char *veu_gdb_parse_number(const char *text, uint64_t *number)
{
    size_t digits = strspn(text, "0123456789abcdefABCDEF");

    *number = g_ascii_strtoull(text, NULL, 16);
    return digits && digits <= 16 ? text + digits : NULL;
}

const char *veu_gdb_parse_range(const char *text, uint64_t *first,
                                uint64_t *second)
{
    text = veu_gdb_parse_number(text, first);
    return text && *text == ',' ? veu_gdb_parse_number(text + 1, second) : NULL;
}
