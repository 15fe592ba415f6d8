/*
 * veu-format list: the formats.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include "tools/lib/json.h"
#include "tools/lib/names.h"
#include "tools/veu-format/veu-format.h"

static const char *register_name(const VeuFormat *f)
{
    return f->channels[0].bits ? name_of_type(veu_format_register_type(f)) :
                                 NULL;
}

/* Printed as in the hardware's table: remaining high bits are X. */
static void print_channels(const VeuFormat *f)
{
    unsigned left = f->bytes * 8;

    VEU_FOR_EACH_CHANNEL(c, f) {
        char name = "RGBA"[c->name];

        printf(" %c:%u:%s", name, c->bits, name_of_channel_type(c->type));
        left -= c->bits;
    }
    if (left) {
        printf(" X:%u:VOID", left);
    }
}

static void list_text(void)
{
    printf("%-6s %-25s %5s %-8s %s\n", "CODE", "FORMAT", "BYTES", "REGISTER",
           "CHANNELS");
    for (unsigned i = 0; i < veu_format_count; i++) {
        const VeuFormat *f = &veu_formats[i];
        const char *type = register_name(f);

        printf("0x%03x  %-25s %5u %-8s", f->code, f->name, f->bytes,
               type ? type : "-");
        print_channels(f);
        printf("\n");
    }
}

static void add_format(Json *j, const VeuFormat *f)
{
    const char *type = register_name(f);

    json_row(j, NULL);
    json_uint(j, "code", f->code);
    json_string(j, "name", f->name);
    json_uint(j, "bytes", f->bytes);
    if (type) {
        json_string(j, "register", type);
    } else {
        json_raw(j, "register", "null");
    }
    json_raw(j, "atomics", f->atomics ? "true" : "false");
    json_list(j, "channels");
    VEU_FOR_EACH_CHANNEL(c, f) {
        char name[] = { "RGBA"[c->name], 0 };

        json_row(j, NULL);
        json_string(j, "name", name);
        json_uint(j, "bit", c->bit);
        json_uint(j, "bits", c->bits);
        json_string(j, "type", name_of_channel_type(c->type));
        json_end(j);
    }
    json_end(j);
    json_end(j);
}

static void list_json(void)
{
    g_autofree char *text = NULL;
    Json j;

    json_init(&j);
    json_object(&j, NULL);
    json_array(&j, "formats");
    for (unsigned i = 0; i < veu_format_count; i++) {
        add_format(&j, &veu_formats[i]);
    }
    json_end(&j);
    json_end(&j);
    text = json_finish(&j);
    fputs(text, stdout);
}

int fmt_list(const FmtOptions *options)
{
    FmtStream s = { .command = "list" };

    if (options->json) {
        list_json();
    } else {
        list_text();
    }
    return fmt_stream_close(&s, true);
}
