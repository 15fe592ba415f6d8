/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fences, timestamps, interrupts, ring indices, many EU threads, draining.
 */
#include "checks.h"

#define INTERRUPT_WAIT_US 2000000

static void fence(struct bench *b)
{
    struct veu_command_fence command = veu_make_fence(1, b->fence,
                                                      0x123456789abcdef0);

    report_begin("a fence stores its value");
    *b->fence = 0;
    report_result(bench_run(b, &command.header) == VEU_OK &&
                      *b->fence == 0x123456789abcdef0,
                  "0x%lx was stored", *b->fence);
}

static void timestamp(struct bench *b)
{
    struct veu_command_timestamp command = veu_make_timestamp(1, b->fence);
    uint64_t before = veu_time(&b->device), first, after;

    report_begin("timestamps agree with TIME");
    *b->fence = 0;
    bench_run(b, &command.header);
    first = *b->fence;
    bench_run(b, &command.header);
    after = veu_time(&b->device);
    report_result(before <= first && first <= *b->fence && *b->fence <= after,
                  "%lu, %lu, %lu, %lu", before, first, *b->fence, after);
}

/*
 * Cycles through short and long commands; one in 8 crosses the end of the ring.
 */
static void wrap(struct bench *b, uint32_t first)
{
    struct veu_command_fence fence = veu_make_fence(0, b->fence, 0);
    struct veu_command_nop nop = veu_make_nop(0);
    uint32_t done = 0;
    enum veu_status status = VEU_OK;

    report_begin("300 commands from index 0x%x on", first);
    b->config.first = first;
    bench_start_ring(b, VEU_POLICY_HALT);
    for (unsigned i = 0; i < 300 && status == VEU_OK; i++) {
        bench_put(b, &nop.header);
        fence.value = i;
        status = bench_run(b, &fence.header);
        done += *b->fence == i;
    }
    report_result(done == 300 && veu_ring_read32(&b->ring, VEU_REG_RING_HEAD) ==
                                     first + 600,
                  "%u fences, %s", done, veu_status_text(status));
    b->config.first = 0;
    bench_start_ring(b, VEU_POLICY_HALT);
}

/*
 * Messages of 4 slots after 1, 2 and 3 slots of a ring of 8: two cross the end.
 */
static void across_the_end(struct bench *b)
{
    struct veu_program program;
    struct veu_command_message command;
    struct veu_command_nop nop = veu_make_nop(0);
    uint32_t *result = (uint32_t *)b->result;
    uint32_t data;
    bool good = true;

    report_begin("inline messages across the ring's end");
    b->config.slot_count = 8;
    bench_start_ring(b, VEU_POLICY_HALT);
    veu_program_begin(&program, b->program, BENCH_PROGRAM_BYTES, 32);
    data = veu_program_variable(&program, VEU_TYPE_UD, 8);
    veu_encode_gather(&program.code, 4, veu_m(1, 1), T6, veu_ud(3), veu_v(data),
                      veu_v(data));
    veu_make_message(&command, 0, &program, 8);
    b->surfaces[0] = veu_surface_raw(b->arena, 64);
    veu_launch_surfaces(&command.launch, b->surfaces, 1);
    veu_launch_result(&command.launch, b->result, 0, 32);
    for (unsigned i = 0; i < 16 && good; i++) {
        ((uint32_t *)b->arena)[3] = 1000 + i;
        bench_put(b, &nop.header);
        good = bench_run(b, &command.header) == VEU_OK && result[0] == 1000 + i;
    }
    report_result(good, "0x%x was read", result[0]);
    b->config.slot_count = BENCH_SLOTS;
    bench_start_ring(b, VEU_POLICY_HALT);
}

#define GROUPS  5
#define THREADS 7
#define LANES   8

/*
 * Thread n stores 8 dwords from its payload to element 8n and up, and loads
 * them.
 */
static bool threads_run(struct bench *b, uint32_t *out)
{
    struct veu_program program;
    struct veu_command_dispatch command;
    uint32_t offsets, data, bytes;

    veu_program_begin(&program, b->program, BENCH_PROGRAM_BYTES, 32);
    offsets = veu_program_variable(&program, VEU_TYPE_UD, LANES);
    data = veu_program_variable(&program, VEU_TYPE_UD, LANES);
    veu_encode_scatter_scaled(&program.code, 0, 4, veu_m(1, LANES), T6,
                              veu_ud(0), veu_v(offsets), veu_v(data));
    command = veu_make_dispatch(0, b->program, veu_program_end(&program), 8);
    bytes = veu_payload_bytes(&program);
    __builtin_memset(b->payload, 0, GROUPS * THREADS * bytes);
    for (unsigned n = 0; n < GROUPS * THREADS; n++) {
        struct veu_payload_header *h = (void *)(b->payload + n * bytes);
        uint32_t *registers = (uint32_t *)veu_payload_registers(h, &program);

        h->exec_mask = n == 12 ? 0 : 0xff; /* thread 12 does nothing */
        for (unsigned i = 0; i < LANES; i++) {
            registers[i] = 4 * (LANES * n + i);
            registers[LANES + i] = n << 8 | i;
        }
    }
    b->surfaces[0] = veu_surface_raw(out, GROUPS * THREADS * LANES * 4);
    veu_launch_surfaces(&command.launch, b->surfaces, 1);
    veu_launch_payload(&command.launch, b->payload, bytes);
    veu_launch_result(&command.launch, b->result, 32, 32);
    command.launch.groups = GROUPS;
    command.launch.threads = THREADS;
    return bench_run(b, &command.header) == VEU_OK;
}

static void threads(struct bench *b)
{
    uint32_t *out = (uint32_t *)b->arena, *result = (uint32_t *)b->result;
    unsigned wrong = 0;
    bool ran;

    report_begin("5 groups of 7 EU threads, payload and result of each");
    __builtin_memset(out, 0xff, GROUPS * THREADS * LANES * 4);
    ran = threads_run(b, out);
    for (unsigned i = 0; i < GROUPS * THREADS * LANES; i++) {
        uint32_t value = i / LANES << 8 | i % LANES;

        wrong += result[i] != value;
        wrong += out[i] != (i / LANES == 12 ? ~0u : value);
    }
    report_result(ran && !wrong, "%u dwords are wrong", wrong);
}

/* Two address variables after a predicate, each with its own elements. */
static void address_variables(struct bench *b)
{
    struct veu_program program;
    struct veu_command_dispatch command;
    uint32_t data, scalars, *registers, *result = (uint32_t *)b->result;
    uint16_t id[2], *addresses;
    unsigned wrong = 0;

    report_begin("address variables come with the payload");
    veu_program_begin(&program, b->program, BENCH_PROGRAM_BYTES, 32);
    data = veu_program_variable(&program, VEU_TYPE_UD, 4 * LANES);
    scalars = veu_program_variable(&program, VEU_TYPE_UD, 4);
    veu_program_predicate(&program, LANES);
    id[0] = veu_program_address(&program, 1);
    id[1] = veu_program_address(&program, 3);
    for (unsigned n = 0; n < 4; n++) {
        struct veu_raw to = { data, n * LANES * 4 };

        veu_encode_gather(&program.code, 4, veu_m(1, LANES), T6,
                          veu_indirect(id[n > 0], n > 0 ? n - 1 : 0, -4,
                                       VEU_TYPE_UD),
                          VEU_NULL, to);
    }
    command = veu_make_dispatch(0, b->program, veu_program_end(&program), 8);
    __builtin_memset(b->payload, 0, veu_payload_bytes(&program));
    *(uint32_t *)b->payload = 0xff;
    addresses = veu_payload_addresses(b->payload, &program);
    registers = (uint32_t *)(veu_payload_registers(b->payload, &program) +
                             veu_program_offset(&program, scalars));
    for (unsigned n = 0; n < 4; n++) {
        addresses[veu_program_address_at(&program, id[n > 0]) +
                  (n > 0 ? n - 1 : 0)] = veu_program_offset(&program, scalars) +
                                         4 * n + 4;
        registers[n] = 3 - n;
        ((uint32_t *)b->arena)[n] = 0x100 + n;
    }
    b->surfaces[0] = veu_surface_raw(b->arena, 64);
    veu_launch_surfaces(&command.launch, b->surfaces, 1);
    veu_launch_payload(&command.launch, b->payload,
                       veu_payload_bytes(&program));
    veu_launch_result(&command.launch, b->result, 0, 4 * LANES * 4);
    wrong += bench_run(b, &command.header) != VEU_OK;
    for (unsigned i = 0; i < 4 * LANES; i++) {
        wrong += result[i] != 0x100 + 3 - i / LANES;
    }
    report_result(!wrong, "%u dwords are wrong", wrong);
}

/* Without a payload all lanes run and all registers are 0. */
static void no_payload(struct bench *b)
{
    struct veu_program program;
    struct veu_command_dispatch command;
    uint32_t data, *result = (uint32_t *)b->result, same = 0;

    report_begin("no payload: all lanes on, registers 0");
    veu_program_begin(&program, b->program, BENCH_PROGRAM_BYTES, 32);
    data = veu_program_variable(&program, VEU_TYPE_UD, 16);
    veu_encode_gather(&program.code, 4, veu_m(1, 16), T6, veu_ud(1),
                      veu_v(data), veu_v(data));
    command = veu_make_dispatch(0, b->program, veu_program_end(&program), 16);
    b->surfaces[0] = veu_surface_raw(b->arena, 64);
    veu_launch_surfaces(&command.launch, b->surfaces, 1);
    veu_launch_result(&command.launch, b->result, 0, 64);
    ((uint32_t *)b->arena)[1] = 0xabcd1234;
    __builtin_memset(b->result, 0, 64);
    bench_run(b, &command.header);
    for (unsigned i = 0; i < 16; i++) {
        same += result[i] == 0xabcd1234;
    }
    report_result(same == 16, "%u of 16 lanes read element 1", same);
}

/* ---- interrupts ---- */

struct interrupts {
    struct bench *b;
    uint32_t count;
    uint64_t fence; /* the value that the handler saw there */
};

static void on_interrupt(void *opaque)
{
    struct interrupts *i = opaque;

    i->fence = *i->b->fence;
    __atomic_fetch_add(&i->count, 1, __ATOMIC_RELEASE);
}

static bool wait_count(struct interrupts *i, uint32_t count, unsigned us)
{
    machine_interrupts_on();
    for (unsigned passed = 0; passed < us; passed += 50) {
        if (__atomic_load_n(&i->count, __ATOMIC_ACQUIRE) >= count) {
            break;
        }
        machine_delay_us(50);
    }
    machine_interrupts_off();
    return i->count == count;
}

static void put_fence(struct bench *b, uint64_t value, uint16_t flags)
{
    struct veu_command_fence command = veu_make_fence(0, b->fence, value);

    command.header.flags = flags;
    bench_run(b, &command.header);
}

static void interrupts(struct bench *b)
{
    struct interrupts i = { .b = b };
    struct machine_message message;
    bool pending;

    report_begin("MSI-X is enabled");
    if (!machine_set_message(on_interrupt, &i, &message)) {
        report_skip("the machine takes no messages");
        return;
    }
    if (!report_result(veu_msix_enable(&b->device) == VEU_OK &&
                           veu_msix_set(&b->device, 0, message.address,
                                        message.data) == VEU_OK,
                       "the device has no vector 0")) {
        return;
    }
    b->config.vector = 0;
    bench_start_ring(b, VEU_POLICY_HALT);

    report_begin("an interrupt arrives, after the fence's value");
    put_fence(b, 11, VEU_COMMAND_INTERRUPT);
    report_result(wait_count(&i, 1, INTERRUPT_WAIT_US) && i.fence == 11,
                  "%u interrupts, the fence was %lu", i.count, i.fence);

    report_begin("no interrupt without the flag");
    put_fence(b, 12, 0);
    report_result(wait_count(&i, 1, 20000), "%u interrupts", i.count - 1);

    report_begin("a masked vector is pending until it is unmasked");
    veu_msix_mask(&b->device, 0, true);
    put_fence(b, 13, VEU_COMMAND_INTERRUPT);
    wait_count(&i, 2, 20000);
    pending = veu_msix_pending(&b->device, 0) && i.count == 1;
    veu_msix_mask(&b->device, 0, false);
    report_result(pending && wait_count(&i, 2, INTERRUPT_WAIT_US),
                  "pending: %d, %u interrupts", pending, i.count - 1);
    b->config.vector = VEU_NO_VECTOR;
    bench_start_ring(b, VEU_POLICY_HALT);
}

/*
 * The ring is disabled while commands remain: it stops between two of them, and
 * continues later.
 */
static void drain(struct bench *b)
{
    struct veu_command_fence command = veu_make_fence(0, b->fence, 0);
    struct veu_ring *ring = &b->ring;
    unsigned control = veu_ring_register(0, VEU_REG_RING_CONTROL);
    enum veu_status stopped, status;
    uint32_t head = ring->tail;

    report_begin("a ring that is disabled and enabled continues");
    for (unsigned i = 1; i <= BENCH_SLOTS; i++) {
        command.value = i;
        bench_put(b, &command.header);
    }
    *b->fence = 0;
    veu_ring_submit(ring);
    stopped = veu_ring_stop(ring, BENCH_TIMEOUT_NS);
    head = veu_ring_read32(ring, VEU_REG_RING_HEAD) - head;
    machine_delay_us(1000);
    stopped = *b->fence == head ? stopped : VEU_FAULTED;
    veu_write32(ring->device, control, VEU_RING_ENABLE);
    status = veu_ring_wait(ring, BENCH_TIMEOUT_NS);
    report_result(stopped == VEU_OK && status == VEU_OK &&
                      *b->fence == BENCH_SLOTS,
                  "%s, %u done; then %s, fence %lu", veu_status_text(stopped),
                  head, veu_status_text(status), *b->fence);
}

void check_order(struct bench *b)
{
    report_section("commands");
    fence(b);
    timestamp(b);
    wrap(b, 0);
    wrap(b, 0xffffff00);
    across_the_end(b);
    threads(b);
    address_variables(b);
    no_payload(b);
    drain(b);
    report_section("interrupts");
    interrupts(b);
}
