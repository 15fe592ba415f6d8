/*
 * veu-spec: the layouts of the structures in include/veu.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Offsets and sizes come from the compiler. Names and texts are those of the
 * headers: veu-spec-layouts.py turns them into rows. The fields of a structure
 * must cover it completely, so that none is forgotten.
 */
#include <stddef.h>
#include <stdint.h>
#include "hw/veu/eu/array.h"
#include "tools/veu-spec/veu-spec.h"
#include "veu/veu.h"

typedef struct Field {
    size_t offset;
    size_t bytes;
    const char *name;
    const char *text;
} Field;

#define MAX_FIELDS 32

typedef struct Layout {
    const char *name;
    size_t bytes;
    Field fields[MAX_FIELDS];
} Layout;

#define LAYOUT(type) .name = #type, .bytes = sizeof(struct type)
#define FIELD(type, field, text_)                                   \
    {                                                               \
        .offset = offsetof(struct type, field),                     \
        .bytes = sizeof(((struct type *)0)->field), .name = #field, \
        .text = text_,                                              \
    }

static const Layout layouts[] = {
#include "veu-spec-layouts.inc"
};

/* The last part of a name: "launch.simd" is "simd". */
static const char *short_name(const char *name)
{
    for (const char *c = name; *c; c++) {
        if (*c == '.') {
            name = c + 1;
        }
    }
    return name;
}

static bool add_layout(GPtrArray *tables, const Layout *layout)
{
    static const SpecColumn columns[] = { { "Offset", "offset" },
                                          { "Bytes", "bytes" },
                                          { "Field", "name" },
                                          { "Meaning", "text" },
                                          { 0 } };
    SpecTable *t = spec_table(tables, "structures", layout->name, layout->name,
                              columns);
    size_t at = 0;

    for (const Field *f = layout->fields; f->name; f++) {
        if (f->offset != at) {
            g_printerr("veu-spec: gap before %s of %s\n", f->name,
                       layout->name);
            return false;
        }
        spec_number(t, f->offset);
        spec_number(t, f->bytes);
        spec_code(t, short_name(f->name));
        spec_text(t, f->text);
        at += f->bytes;
    }
    if (at != layout->bytes) {
        g_printerr("veu-spec: fields of %s are missing\n", layout->name);
    }
    return at == layout->bytes;
}

bool spec_layouts(GPtrArray *tables)
{
    bool ok = true;

    for (size_t i = 0; i < VEU_ARRAY_SIZE(layouts); i++) {
        ok = add_layout(tables, &layouts[i]) && ok;
    }
    return ok;
}
