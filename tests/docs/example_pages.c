/*
 * veu tests: the page on demand of docs/spec.md, section 15.9, from
 * include/veu.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/docs/example.h"
#include "veu/veu.h"

/* The addresses of the walk-through. */
#define TABLE_3 UINT64_C(0x111000)
#define TABLE_2 UINT64_C(0x112000)
#define TABLE_1 UINT64_C(0x113000)
#define PAGE    UINT64_C(0x117000)

/* The process's address of the page. */
#define VIRTUAL UINT64_C(0x7f1234567000)
#define OFFSET  0x018

#define NOT_VALID_AT_1 (VEU_WALK_NOT_VALID | 1 << 8)

static const uint64_t entry_4 = TABLE_3 | VEU_PAGE_VALID;
static const uint64_t entry_3 = TABLE_2 | VEU_PAGE_VALID;
static const uint64_t entry_2 = TABLE_1 | VEU_PAGE_VALID;
static const uint64_t entry_1 = PAGE | VEU_PAGE_VALID | VEU_PAGE_READ |
                                VEU_PAGE_WRITE;
static const uint64_t cleared;

#define FENCE(tag_, value_)                             \
    {                                                   \
        .header = { .opcode = VEU_COMMAND_FENCE,        \
                    .slots = 1,                         \
                    .flags = VEU_COMMAND_INTERRUPT,     \
                    .tag = (tag_) },                    \
        .address = VIRTUAL + OFFSET, .value = (value_), \
    }

#define REQUEST(id_, slot_, tag_)                                          \
    {                                                                      \
        .address = VIRTUAL, .id = (id_), .asked = 1,                       \
        .access = VEU_ACCESS_WRITE, .flags = VEU_REQUEST_LAST,             \
        .slot = (slot_), .tag = (tag_), .group = VEU_FAULT_NOT_APPLICABLE, \
        .thread = VEU_FAULT_NOT_APPLICABLE, .detail = NOT_VALID_AT_1,      \
    }

static const struct veu_command_fence page_fence = FENCE(8, 1);
static const uint32_t page_tail = 22;
static const uint32_t queue_tail = 1;
static const struct veu_request request = REQUEST(0, 21, 8);
static const uint32_t queue_head = 1;
static const uint64_t page_value = 1;

static const struct veu_command_fence late_fence = FENCE(9, 2);
static const uint32_t late_tail = 23;
static const struct veu_request late_request = REQUEST(1, 22, 9);
static const uint32_t late_head = 2;

static const struct veu_fault_record late_record = {
    .code = VEU_FAULT_COMMAND_MEMORY,
    .slot = 22,
    .tag = 9,
    .command = VEU_COMMAND_FENCE,
    .access = VEU_ACCESS_WRITE,
    .lane = VEU_FAULT_NO_LANE,
    .element = VEU_FAULT_NO_LANE,
    .group = VEU_FAULT_NOT_APPLICABLE,
    .thread = VEU_FAULT_NOT_APPLICABLE,
    .message_offset = VEU_FAULT_NOT_APPLICABLE,
    .address = VIRTUAL + OFFSET,
    .bytes = 8,
    .detail = NOT_VALID_AT_1,
    .time = 1000000000,
};

const Example example_pages[] = {
    EXAMPLE("entry-4", entry_4),         EXAMPLE("entry-3", entry_3),
    EXAMPLE("entry-2", entry_2),         EXAMPLE("page-fence", page_fence),
    EXAMPLE("page-tail", page_tail),     EXAMPLE("queue-tail", queue_tail),
    EXAMPLE("request", request),         EXAMPLE("entry-1", entry_1),
    EXAMPLE("queue-head", queue_head),   EXAMPLE("page-value", page_value),
    EXAMPLE("entry-1-cleared", cleared), EXAMPLE("late-fence", late_fence),
    EXAMPLE("late-tail", late_tail),     EXAMPLE("late-request", late_request),
    EXAMPLE("late-head", late_head),     EXAMPLE("late-record", late_record),
    EXAMPLE("page-kept", page_value),
};

const unsigned example_page_count = sizeof(example_pages) /
                                    sizeof(example_pages[0]);
