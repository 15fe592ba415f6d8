/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A flattened device tree, by the Devicetree Specification, chapter 5.
 */
#include "virt.h"

#define MAGIC 0xd00dfeedu

#define TOKEN_BEGIN    1
#define TOKEN_END      2
#define TOKEN_PROPERTY 3
#define TOKEN_NOP      4

#define MOST_DEPTH 16

/* A range of a PCI host: 3 cells of its address, 2 of ours, 2 of the size. */
#define RANGE_CELLS    7
#define RANGE_KIND     0x03000000u
#define RANGE_MEMORY32 0x02000000u

struct property {
    const char *name;
    const uint32_t *cells;
    uint32_t bytes;
};

static uint32_t cell(const uint32_t *at)
{
    const uint8_t *b = (const uint8_t *)at;

    return (uint32_t)b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3];
}

static uint64_t cells2(const uint32_t *at)
{
    return (uint64_t)cell(at) << 32 | cell(at + 1);
}

static bool begins(const char *text, const char *with)
{
    while (*with && *text == *with) {
        text++;
        with++;
    }
    return !*with;
}

static bool is(const char *text, const char *other)
{
    return begins(text, other) && begins(other, text);
}

static unsigned length(const char *text)
{
    unsigned n = 0;

    while (text[n]) {
        n++;
    }
    return n;
}

static void read_ranges(struct virt_tree *t, const struct property *p)
{
    for (unsigned i = 0; i + RANGE_CELLS <= p->bytes / 4; i += RANGE_CELLS) {
        const uint32_t *range = p->cells + i;

        if ((cell(range) & RANGE_KIND) == RANGE_MEMORY32) {
            t->window_start = cells2(range + 3);
            t->window_end = t->window_start + cells2(range + 5);
        }
    }
}

static void read_reg(struct virt_tree *t, const char *node,
                     const struct property *p)
{
    if (begins(node, "cpu@")) {
        t->processors++;
    } else if (begins(node, "memory@") && !t->ram_bytes) {
        t->ram_start = cells2(p->cells);
        t->ram_bytes = cells2(p->cells + 2);
    } else if (begins(node, "pci@") || begins(node, "pcie@")) {
        t->ecam = cells2(p->cells);
        t->ecam_bytes = cells2(p->cells + 2);
    } else if (begins(node, "v2m@")) {
        t->message_frame = cells2(p->cells);
    }
}

static void read_property(struct virt_tree *t, const char *node,
                          const struct property *p)
{
    if (is(p->name, "reg")) {
        read_reg(t, node, p);
    } else if (is(p->name, "ranges") && begins(node, "pci")) {
        read_ranges(t, p);
    } else if (is(p->name, "bootargs") && is(node, "chosen")) {
        t->command_line = (const char *)p->cells;
    }
}

/* Depth 0 is outside of all nodes. */
static void read_nodes(struct virt_tree *t, const uint32_t *at,
                       const char *strings)
{
    const char *node[MOST_DEPTH] = { "" };
    unsigned depth = 0;

    for (;;) {
        uint32_t token = cell(at++);

        if (token == TOKEN_BEGIN && depth + 1 < MOST_DEPTH) {
            node[++depth] = (const char *)at;
            at += length(node[depth]) / 4 + 1;
        } else if (token == TOKEN_PROPERTY) {
            struct property p = { strings + cell(at + 1), at + 2, cell(at) };

            read_property(t, node[depth], &p);
            at += 2 + (p.bytes + 3) / 4;
        } else if (token == TOKEN_END && depth) {
            depth--;
        } else if (token != TOKEN_NOP) {
            return;
        }
    }
}

void virt_read_tree(const void *blob, struct virt_tree *tree)
{
    const uint32_t *header = blob;
    const uint8_t *bytes = blob;

    if (cell(header) != MAGIC) {
        machine_panic("there is no device tree at %p", (void *)(uintptr_t)blob);
    }
    *tree = (struct virt_tree){ .command_line = "" };
    read_nodes(tree, (const uint32_t *)(bytes + cell(header + 2)),
               (const char *)bytes + cell(header + 3));
}
