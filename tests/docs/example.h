/*
 * veu tests: the walk-through of docs/spec.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TESTS_DOCS_EXAMPLE_H
#define VEU_TESTS_DOCS_EXAMPLE_H

#include <stdbool.h>
#include <stdint.h>

/* The largest block of memory that the walk-through shows. */
#define EXAMPLE_MAX_BYTES 512

typedef struct Example {
    const char *name;
    uint32_t bytes;
    const void *content;
} Example;

/*
 * Returns the example @name, built from include/veu, or NULL if there is none.
 */
const Example *example_find(const char *name);

extern const Example examples[];
extern const unsigned example_count;

/* The examples of spec.md, section 15.8, once they are encoded. */
extern const Example example_messages[];
extern const unsigned example_message_count;
void example_messages_encode(void);

/* The examples of spec.md, section 15.9. */
extern const Example example_pages[];
extern const unsigned example_page_count;

/* A row for a whole object. */
#define EXAMPLE(name_, object)                                     \
    {                                                              \
        .name = name_, .bytes = sizeof(object), .content = &object \
    }

/* A "hex" or "steps" block of the text. */
typedef enum BlockKind {
    BLOCK_STORE,  /* the driver stores these bytes */
    BLOCK_RESULT, /* memory contains these bytes then */
    BLOCK_STEPS,  /* register accesses and the like, one in each line */
} BlockKind;

typedef struct Block {
    BlockKind kind;
    uint64_t address;
    char name[64];
    uint32_t bytes;
    uint8_t content[EXAMPLE_MAX_BYTES];
    const char *lines; /* for steps: from here to the closing fence */
    const char *error; /* describes the error in the block, or NULL */
} Block;

/* Reads the next block of @text; returns the rest, or NULL if there is none. */
const char *block_next(const char *text, Block *block);

#endif
