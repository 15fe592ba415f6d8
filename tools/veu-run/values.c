/*
 * veu-run: values of typed elements, as text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <string.h>
#include "hw/veu/eu/program/type.h"
#include "hw/veu/eu/surface/format_lanes.h"
#include "tools/lib/names.h"
#include "tools/lib/number.h"
#include "tools/veu-run/veu-run.h"

typedef enum Kind {
    KIND_UNSIGNED,
    KIND_SIGNED,
    KIND_FLOAT,
} Kind;

static Kind kind_of(uint8_t type)
{
    switch (type) {
    case VEU_TYPE_D:
    case VEU_TYPE_W:
    case VEU_TYPE_B:
    case VEU_TYPE_Q:
        return KIND_SIGNED;
    case VEU_TYPE_F:
    case VEU_TYPE_DF:
    case VEU_TYPE_HF:
    case VEU_TYPE_BF:
        return KIND_FLOAT;
    default:
        return KIND_UNSIGNED;
    }
}

/* --- Text to bits -------------------------------------------------------- */

static uint64_t double_bits(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* The upper half of a float, rounded to nearest even; a NaN stays one. */
static uint32_t bfloat_bits(float value)
{
    uint32_t bits = veu_float_bits(value);

    if ((bits & 0x7fffffff) > 0x7f800000) {
        return bits >> 16 | 0x40;
    }
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

static const VeuChannel half = { .bits = 16, .type = VEU_CHANNEL_FLOAT };

static uint64_t from_double(uint8_t type, double value)
{
    uint32_t bits = veu_float_bits(value);

    switch (type) {
    case VEU_TYPE_DF:
        return double_bits(value);
    case VEU_TYPE_HF:
        veu_channel_pack(&half, &bits, &bits, 1);
        return bits;
    case VEU_TYPE_BF:
        return bfloat_bits(value);
    default:
        return bits;
    }
}

/*
 * Integers, and the bits of any type after 0x, if they fit, signed or unsigned.
 */
static bool integer_bits(uint8_t type, const char *text, uint64_t *bits)
{
    unsigned width = veu_type_bytes(type) * 8;
    int64_t value;

    if (*text != '-') {
        return number_parse(text, bits) && *bits <= UINT64_MAX >> (64 - width);
    }
    if (!number_parse_signed(text, &value) ||
        value < -1 - (INT64_MAX >> (64 - width))) {
        return false;
    }
    *bits = (uint64_t)value & UINT64_MAX >> (64 - width);
    return true;
}

static bool value_bits(uint8_t type, const char *text, uint64_t *bits)
{
    bool is_bits = g_str_has_prefix(text, "0x") && !strpbrk(text, ".pP");
    double value;

    if (kind_of(type) != KIND_FLOAT || is_bits) {
        return integer_bits(type, text, bits);
    }
    if (!number_parse_double(text, &value)) {
        return false;
    }
    *bits = from_double(type, value);
    return true;
}

/* --- Lists --------------------------------------------------------------- */

/* The destination of a list of values. */
typedef struct Sink {
    uint8_t type;
    uint32_t left; /* elements that still fit */
    GByteArray *to;
} Sink;

static bool put_bits(Sink *sink, uint64_t bits)
{
    if (!sink->left) {
        return false;
    }
    sink->left--;
    g_byte_array_append(sink->to, (const uint8_t *)&bits,
                        veu_type_bytes(sink->type));
    return true;
}

typedef enum Parsed {
    PARSED,
    NOT_A_VALUE,
    TOO_MANY,
} Parsed;

/* FIRST..LAST[:STEP], upwards or downwards. */
static Parsed parse_range(Sink *sink, const char *first, const char *rest)
{
    g_auto(GStrv) parts = g_strsplit(rest, ":", 2);
    uint64_t step = 1;
    uint64_t count;
    int64_t from;
    int64_t to;

    if (!parts[0] || !number_parse_signed(first, &from) ||
        !number_parse_signed(parts[0], &to) ||
        (parts[1] && (!number_parse(parts[1], &step) || step == 0)) ||
        kind_of(sink->type) == KIND_FLOAT) {
        return NOT_A_VALUE;
    }
    count = (from <= to ? (uint64_t)to - from : (uint64_t)from - to) / step;
    if (count >= sink->left) {
        return TOO_MANY;
    }
    for (uint64_t i = 0; i <= count; i++) {
        uint64_t at = from <= to ? from + i * step : from - i * step;
        g_autofree char *text = g_strdup_printf("%" PRId64, (int64_t)at);
        uint64_t bits;

        if (!integer_bits(sink->type, text, &bits)) {
            return NOT_A_VALUE;
        }
        put_bits(sink, bits);
    }
    return PARSED;
}

/* VALUE or VALUE*COUNT */
static Parsed parse_repeat(Sink *sink, const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, "*", 2);
    uint64_t count = 1;
    uint64_t bits;

    if (!parts[0] || !value_bits(sink->type, parts[0], &bits) ||
        (parts[1] && !number_parse(parts[1], &count))) {
        return NOT_A_VALUE;
    }
    if (count > sink->left) {
        return TOO_MANY;
    }
    while (count--) {
        put_bits(sink, bits);
    }
    return PARSED;
}

static Parsed parse_one(Sink *sink, const char *text)
{
    const char *dots = strstr(text, "..");

    if (dots) {
        g_autofree char *first = g_strndup(text, dots - text);

        return parse_range(sink, first, dots + 2);
    }
    return parse_repeat(sink, text);
}

bool run_values_parse(const char *text, uint8_t type, uint32_t max,
                      const char *option, GByteArray *to)
{
    g_auto(GStrv) values = g_strsplit(text, ",", -1);
    Sink sink = { .type = type, .left = max, .to = to };

    if (!values[0]) {
        return tool_error("%s: write values after the =", option);
    }
    for (char **v = values; *v; v++) {
        switch (parse_one(&sink, *v)) {
        case PARSED:
            break;
        case TOO_MANY:
            return tool_error("%s: more than the %u values that fit", option,
                              max);
        case NOT_A_VALUE:
            return tool_error(
                "%s: '%s' is not a value of type %s; write 1,2,3 or "
                "0..15 or 0..60:4 or '7*16'%s",
                option, *v, name_of_type(type),
                kind_of(type) == KIND_FLOAT ? "; ranges are for integers" : "");
        }
    }
    return true;
}

/* --- Bits to text -------------------------------------------------------- */

static uint64_t load_bits(uint8_t type, const uint8_t *element)
{
    uint64_t bits = 0;

    memcpy(&bits, element, veu_type_bytes(type));
    return bits;
}

static float half_value(uint32_t bits)
{
    veu_channel_unpack(&half, &bits, &bits, 1);
    return veu_bits_float(bits);
}

static float float_value(uint8_t type, uint64_t bits)
{
    switch (type) {
    case VEU_TYPE_HF:
        return half_value(bits);
    case VEU_TYPE_BF:
        return veu_bits_float(bits << 16);
    default:
        return veu_bits_float(bits);
    }
}

char *run_value_text(uint8_t type, const uint8_t *element)
{
    uint64_t bits = load_bits(type, element);
    unsigned unused = 64 - veu_type_bytes(type) * 8;
    double value;

    switch (kind_of(type)) {
    case KIND_SIGNED:
        return g_strdup_printf("%" PRId64, (int64_t)(bits << unused) >> unused);
    case KIND_UNSIGNED:
        return g_strdup_printf("%" PRIu64, bits);
    default:
        break;
    }
    if (type == VEU_TYPE_DF) {
        memcpy(&value, &bits, sizeof(value));
        return number_from_double(value);
    }
    return number_from_float(float_value(type, bits));
}

char *run_value_hex(uint8_t type, const uint8_t *element)
{
    return g_strdup_printf("0x%0*" PRIx64, (int)veu_type_bytes(type) * 2,
                           load_bits(type, element));
}

/* JSON has no numbers that are not finite. */
void run_value_json(Json *json, uint8_t type, const uint8_t *element)
{
    g_autofree char *text = run_value_text(type, element);

    if (strchr(text, 'n')) {
        json_string(json, NULL, text);
    } else {
        json_raw(json, NULL, text);
    }
}
