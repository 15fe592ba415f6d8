/*
 * veu device tests: a rig whose context 0 has page tables.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/space.h"

#define RECORDS 128

/* work writes to the arena's first page */
uint8_t *space_spare_page(Space *s)
{
    uint8_t *page = s->next;

    s->next += SPACE_PAGE_BYTES;
    g_assert_true(s->next <= s->rig->arena + RIG_ARENA_BYTES);
    memset(page, 0, SPACE_PAGE_BYTES);
    return page;
}

static void *alloc_table(void *opaque)
{
    return space_spare_page(opaque);
}

static void *find_table(void *opaque, uint64_t address)
{
    Space *s = opaque;

    return s->rig->arena + (address - space_arena(s));
}

void space_map(Space *s, uint8_t *memory, uint64_t bytes)
{
    g_assert_cmpint(veu_space_map(&s->space, veu_port_device_address(memory),
                                  memory, bytes, SPACE_BOTH),
                    ==, VEU_OK);
}

static void map_page_of(Space *s, void *memory)
{
    space_map(s, (uint8_t *)((uintptr_t)memory & -SPACE_PAGE_BYTES),
              SPACE_PAGE_BYTES);
}

void space_init_empty(Space *s, Rig *r, bool asks)
{
    struct veu_space_config config = {
        .alloc = alloc_table,
        .find = find_table,
        .opaque = s,
        .records = RECORDS,
        .vector = VEU_NO_VECTOR,
    };

    s->rig = r;
    s->next = r->arena + RIG_ARENA_BYTES / 2;
    if (asks) {
        config.queue = (void *)s->next;
        s->next += 4 * SPACE_PAGE_BYTES;
    }
    g_assert_cmpint(veu_space_start(&s->space, &r->device, &config), ==,
                    VEU_OK);
}

void space_init(Space *s, Rig *r, bool asks)
{
    space_init_empty(s, r, asks);
    space_map(s, r->program, RIG_PROGRAM_BYTES);
    map_page_of(s, r->surfaces);
    map_page_of(s, r->fence);
    space_map(s, r->payload, RIG_PAYLOAD_BYTES);
    space_map(s, r->result, RIG_RESULT_BYTES / 8);
}

void space_follow(Space *s, Rig *to)
{
    uint8_t *from = s->rig->arena;

    s->rig = to;
    s->next = to->arena + (s->next - from);
    s->space.device = &to->device;
    s->space.root = (void *)(to->arena + ((uint8_t *)s->space.root - from));
    s->space.config.queue = (void *)(to->arena +
                                     ((uint8_t *)s->space.config.queue - from));
}

uint64_t space_arena(const Space *s)
{
    return veu_port_device_address(s->rig->arena);
}

uint32_t space_load(const uint8_t *memory)
{
    return __atomic_load_n((const uint32_t *)memory, __ATOMIC_ACQUIRE);
}

void space_store(uint8_t *memory, uint32_t value)
{
    __atomic_store_n((uint32_t *)memory, value, __ATOMIC_SEQ_CST);
}

void space_wait_request(Space *s)
{
    VM_WAIT(s->rig->vm,
            __atomic_load_n(&s->space.config.queue->tail, __ATOMIC_ACQUIRE) !=
                s->space.head,
            "a request");
}

bool space_provide(void *opaque, const struct veu_request *request)
{
    Space *s = opaque;

    return request->address == space_arena(s) &&
           veu_space_map(&s->space, request->address, s->rig->arena,
                         SPACE_PAGE_BYTES, SPACE_BOTH) == VEU_OK;
}

void space_put_fill(Space *s)
{
    struct veu_command_fill fill = veu_make_fill(1, s->rig->arena, SPACE_FILLED,
                                                 64);

    rig_put(s->rig, &fill.header);
    rig_submit(s->rig);
}

struct veu_command_dispatch space_make_load(Rig *r, uint64_t address)
{
    struct veu_program p;
    struct veu_command_dispatch command;
    uint32_t at, to;

    veu_program_begin(&p, r->program, RIG_PROGRAM_BYTES, 32);
    at = veu_program_variable(&p, VEU_TYPE_UQ, 8);
    to = veu_program_variable(&p, VEU_TYPE_UD, 8);
    veu_encode_svm_gather(&p.code, 0, 4, 1, veu_m(1, 8), veu_v(at), veu_v(to));
    command = veu_make_dispatch(1, r->program, veu_program_end(&p), 8);
    memset(r->payload, 0, veu_payload_bytes(&p));
    *(uint32_t *)r->payload = 1; /* of one lane */
    *(uint64_t *)veu_payload_registers(r->payload, &p) = address;
    veu_launch_payload(&command.launch, r->payload, veu_payload_bytes(&p));
    veu_launch_result(&command.launch, r->result, veu_program_offset(&p, to),
                      4);
    return command;
}
