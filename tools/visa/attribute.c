/*
 * veu tools: reading attributes of kernels and variables.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <string.h>
#include "tools/visa/directive.h"

const char *const visa_targets[VISA_TARGETS] = { "cm", "3d" };

char *visa_parse_name(VisaParser *p)
{
    const VisaToken *token = &p->lexer.token;
    char *name = NULL;

    if (token->kind == VISA_TOKEN_NAME) {
        name = g_strndup(token->start, token->length);
    } else if (token->kind == VISA_TOKEN_STRING) {
        GByteArray *bytes = visa_string_bytes(&p->lexer);

        name = g_strndup((const char *)bytes->data, bytes->len);
        g_byte_array_unref(bytes);
    }
    if (!name || !*name || strlen(name) > VISA_MAX_NAME) {
        g_free(name);
        visa_expected(&p->lexer, p->error, "a name");
        return NULL;
    }
    visa_lexer_next(&p->lexer);
    return name;
}

static bool string_value(VisaParser *p, GByteArray *value)
{
    GByteArray *bytes = visa_string_bytes(&p->lexer);
    bool good = bytes->len <= UINT8_MAX;

    if (good) {
        g_byte_array_append(value, bytes->data, bytes->len);
        visa_lexer_next(&p->lexer);
    } else {
        visa_error_at(p->error, p->lexer.token.place,
                      "an attribute has at most 255 bytes");
    }
    g_byte_array_unref(bytes);
    return good;
}

/* A number takes four bytes. */
static bool number_value(VisaParser *p, GByteArray *value)
{
    int64_t number;

    if (!visa_parse_integer(p, INT32_MIN, UINT32_MAX, "value", &number)) {
        return false;
    }
    for (unsigned i = 0; i < 4; i++) {
        uint8_t byte = (uint64_t)number >> (8 * i);

        g_byte_array_append(value, &byte, 1);
    }
    return true;
}

/* Target="cm" is one byte, the target's code. */
static bool target_value(VisaParser *p, GByteArray *value)
{
    VisaPlace place = p->lexer.token.place;
    g_autofree char *name = visa_parse_name(p);

    for (uint8_t i = 0; name && i < VISA_TARGETS; i++) {
        if (!strcmp(name, visa_targets[i])) {
            g_byte_array_append(value, &i, 1);
            return true;
        }
    }
    if (name) {
        visa_error_at(p->error, place, "there is no target %.40s", name);
        visa_hint(p->error, "write \"cm\" or \"3d\"");
    }
    return false;
}

static bool parse_value(VisaParser *p, const char *name, GByteArray *value)
{
    if (!visa_accept_mark(&p->lexer, "=") ||
        p->lexer.token.kind == VISA_TOKEN_NEWLINE ||
        p->lexer.token.kind == VISA_TOKEN_END) {
        return true;
    }
    if (p->lexer.token.kind != VISA_TOKEN_STRING) {
        return number_value(p, value);
    }
    return strcmp(name, "Target") ? string_value(p, value) :
                                    target_value(p, value);
}

/* NAME, NAME=5, NAME="text" */
static bool parse_attribute(VisaParser *p, GArray **attributes)
{
    g_autofree char *name = visa_parse_name(p);
    GByteArray *value;
    bool good;

    if (!name) {
        return false;
    }
    value = g_byte_array_new();
    good = parse_value(p, name, value);
    if (good) {
        visa_add_attribute(p->symbols->routine, attributes, name, value->data,
                           value->len);
    }
    g_byte_array_unref(value);
    return good;
}

bool visa_parse_kernel_attribute(VisaParser *p)
{
    return parse_attribute(p, &p->symbols->routine->attributes);
}

bool visa_parse_attributes(VisaParser *p, VisaSymbol *symbol)
{
    if (!visa_parse_mark(p, "{")) {
        return false;
    }
    do {
        if (!parse_attribute(p, &symbol->attributes)) {
            return false;
        }
    } while (visa_accept_mark(&p->lexer, ","));
    return visa_parse_mark(p, "}");
}
