/*
 * veu tests: the walk-through of docs/spec.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TESTS_DOCS_EXAMPLE_H
#define VEU_TESTS_DOCS_EXAMPLE_H

#include <stdbool.h>
#include <stdint.h>

/* The longest piece of memory that the walk-through shows. */
#define EXAMPLE_MAX_BYTES 512

typedef struct Example {
    const char *name;
    uint32_t bytes;
    const void *content;
} Example;

/* What the example @name holds, built from include/veu; NULL: no such one. */
const Example *example_find(const char *name);

extern const Example examples[];
extern const unsigned example_count;

/* Those of spec.md, section 15.8, once they are encoded. */
extern const Example example_messages[];
extern const unsigned example_message_count;
void example_messages_encode(void);

/* Those of spec.md, section 15.9. */
extern const Example example_pages[];
extern const unsigned example_page_count;

/* A row: all of an object. */
#define EXAMPLE(name_, object)                                     \
    {                                                              \
        .name = name_, .bytes = sizeof(object), .content = &object \
    }

/* A "hex" or "steps" block of the text. */
typedef enum BlockKind {
    BLOCK_STORE,  /* the driver stores these bytes */
    BLOCK_RESULT, /* these bytes are there then */
    BLOCK_STEPS,  /* register accesses and so on, a line each */
} BlockKind;

typedef struct Block {
    BlockKind kind;
    uint64_t address;
    char name[64];
    uint32_t bytes;
    uint8_t content[EXAMPLE_MAX_BYTES];
    const char *lines; /* of steps: from here to the closing fence */
    const char *error; /* what is wrong with the block, or NULL */
} Block;

/* Reads the next block of @text; NULL when there is none, else the rest. */
const char *block_next(const char *text, Block *block);

#endif
