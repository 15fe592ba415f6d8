/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Messages per second, as a guest sees them.
 */
#include "checks.h"

#define MESSAGES_PER_THREAD 16
#define THREADS             16
#define GROUPS              64
#define REPEATS             5
#define INLINE_MESSAGES     4096
#define SLOTS               1024
#define WINDOW_BYTES        4096
#define LANES               16
#define KINDS               5

/* One kind of message, in a program of MESSAGES_PER_THREAD of them. */
struct load {
    const char *name;
    struct veu_program program;
    uint32_t offsets, v, addresses, data;
};

static void encode(struct load *l, unsigned kind)
{
    struct veu_code *code = &l->program.code;
    struct veu_texels texels = { .u = veu_v(l->offsets), .v = veu_v(l->v) };

    switch (kind) {
    case 0:
        l->name = "gather.4 (M1, 16)";
        veu_encode_gather(code, 4, veu_m(1, 16), T6, veu_ud(0),
                          veu_v(l->offsets), veu_v(l->data));
        break;
    case 1:
        l->name = "gather_scaled.4 (M1, 16)";
        veu_encode_gather_scaled(code, 0, 4, veu_m(1, 16), T6, veu_ud(0),
                                 veu_v(l->offsets), veu_v(l->data));
        break;
    case 2:
        l->name = "scatter_scaled.4 (M1, 16)";
        veu_encode_scatter_scaled(code, 0, 4, veu_m(1, 16), T6, veu_ud(0),
                                  veu_v(l->offsets), veu_v(l->data));
        break;
    case 3:
        l->name = "scatter4_typed.RGBA (M1, 8) R8G8B8A8_UNORM";
        veu_encode_scatter4_typed(code, 0, VEU_CHANNEL_RGBA, veu_m(1, 8),
                                  T6 + 1, texels, veu_v(l->data));
        break;
    default:
        l->name = "svm_gather.4.1 (M1, 16)";
        veu_encode_svm_gather(code, 0, 4, 1, veu_m(1, 16), veu_v(l->addresses),
                              veu_v(l->data));
        break;
    }
}

static void build(struct bench *b, struct load *l, unsigned kind,
                  unsigned messages)
{
    veu_program_begin(&l->program, b->program, BENCH_PROGRAM_BYTES, 32);
    l->offsets = veu_program_variable(&l->program, VEU_TYPE_UD, LANES);
    l->v = veu_program_variable(&l->program, VEU_TYPE_UD, LANES);
    l->addresses = veu_program_variable(&l->program, VEU_TYPE_UQ, LANES);
    l->data = veu_program_variable(&l->program, VEU_TYPE_F, 2 * LANES);
    for (unsigned i = 0; i < messages; i++) {
        encode(l, kind);
    }
}

static void fill(struct bench *b, const struct load *l, unsigned kind)
{
    struct veu_payload_header *header = (void *)b->payload;
    uint8_t *registers = veu_payload_registers(header, &l->program);
    uint32_t *offsets, *v;
    uint64_t *addresses;

    __builtin_memset(header, 0, veu_payload_bytes(&l->program));
    header->exec_mask = 0xffff;
    offsets = (void *)(registers + veu_program_offset(&l->program, l->offsets));
    v = (void *)(registers + veu_program_offset(&l->program, l->v));
    addresses = (void *)(registers +
                         veu_program_offset(&l->program, l->addresses));
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t element = i * 53 % (WINDOW_BYTES / 4);

        offsets[i] = kind == 0 ? element : kind == 3 ? i * 3 : element * 4;
        v[i] = i * 5 % 32;
        addresses[i] = veu_port_device_address(b->arena + element * 4);
    }
    b->surfaces[0] = veu_surface_raw(b->arena, WINDOW_BYTES);
    b->surfaces[1] = veu_surface_2d(b->arena, VEU_FORMAT_R8G8B8A8_UNORM, 32, 32,
                                    128);
}

static void launch(struct bench *b, const struct load *l,
                   struct veu_launch *launch)
{
    veu_launch_payload(launch, b->payload, veu_payload_bytes(&l->program));
    veu_launch_surfaces(launch, b->surfaces, 2);
    launch->payload_stride = 0; /* all EU threads have the same payload */
}

/* The time that a piece of work took, by both clocks. */
struct elapsed {
    uint64_t ns;
    uint64_t ticks;
};

static struct elapsed now(const struct bench *b)
{
    return (struct elapsed){ veu_time(&b->device), machine_ticks() };
}

static struct elapsed since(const struct bench *b, struct elapsed start)
{
    struct elapsed end = now(b);

    return (struct elapsed){ end.ns - start.ns, end.ticks - start.ticks };
}

static void tell(const char *name, const char *how, uint64_t messages,
                 struct elapsed best)
{
    uint64_t ns = best.ns ? best.ns : 1;

    report_info(name, "%s: %lu messages/s, %lu ns each (%lu ticks)", how,
                messages * 1000000000 / ns, ns / messages,
                best.ticks / messages);
}

static bool dispatched(struct bench *b, unsigned kind)
{
    static struct load l;
    struct veu_command_dispatch command;
    struct elapsed best = { ~0ull, ~0ull };

    build(b, &l, kind, MESSAGES_PER_THREAD);
    command = veu_make_dispatch(0, b->program, veu_program_end(&l.program), 16);
    fill(b, &l, kind);
    launch(b, &l, &command.launch);
    command.launch.threads = THREADS;
    command.launch.groups = GROUPS;
    for (unsigned i = 0; i < REPEATS; i++) {
        struct elapsed start = now(b), took;

        if (bench_run(b, &command.header) != VEU_OK) {
            return false;
        }
        took = since(b, start);
        best = took.ns < best.ns ? took : best;
    }
    tell(l.name, "dispatch", MESSAGES_PER_THREAD * THREADS * GROUPS, best);
    return true;
}

/* Waits until half the ring is free, which is rarer than for each command. */
static bool make_room(struct veu_ring *ring)
{
    uint32_t half = ring->config.slot_count / 2;

    veu_ring_submit(ring);
    return veu_ring_wait_head(ring, ring->tail - half, BENCH_TIMEOUT_NS) ==
           VEU_OK;
}

/* Puts one command for each message; the ring never runs empty. */
static bool put_inline(struct veu_ring *ring,
                       const struct veu_command_header *command)
{
    for (unsigned i = 0; i < INLINE_MESSAGES; i++) {
        while (veu_ring_put(ring, command) == VEU_FULL) {
            if (!make_room(ring)) {
                return false;
            }
        }
        if (i % 16 == 0) {
            veu_ring_submit(ring);
        }
    }
    veu_ring_submit(ring);
    return veu_ring_wait(ring, BENCH_TIMEOUT_NS) == VEU_OK;
}

static bool inlined(struct bench *b, struct veu_ring *ring, unsigned kind)
{
    static struct load l;
    struct veu_command_message command;
    struct elapsed best = { ~0ull, ~0ull };

    build(b, &l, kind, 1);
    if (!veu_make_message(&command, 0, &l.program, 16)) {
        return false;
    }
    fill(b, &l, kind);
    launch(b, &l, &command.launch);
    for (unsigned i = 0; i < REPEATS; i++) {
        struct elapsed start = now(b), took;

        if (!put_inline(ring, &command.header)) {
            return false;
        }
        took = since(b, start);
        best = took.ns < best.ns ? took : best;
    }
    tell(l.name, "inline", INLINE_MESSAGES, best);
    return true;
}

/* Returns the rate of the processor's counter, measured with register TIME. */
static uint64_t ticks_per_ms(struct bench *b, unsigned us)
{
    struct elapsed start = now(b), took;

    machine_delay_us(us);
    took = since(b, start);
    return took.ticks * 1000000 / (took.ns + !took.ns);
}

/* The ratio of the clocks is constant unless the host interferes. */
static void clocks(struct bench *b)
{
    uint64_t one = 0, two = 0;
    bool agree = false;

    report_begin("TIME and the processor's counter agree");
    for (unsigned i = 0; i < REPEATS && !agree; i++) {
        one = ticks_per_ms(b, 20000);
        two = ticks_per_ms(b, 40000);
        agree = one * 10 > two * 9 && two * 10 > one * 9;
    }
    report_result(agree, "the counter ran at %lu, then %lu kHz", one, two);
    report_info("counter", "%lu kHz by register TIME", two);
}

static bool start_ring(struct bench *b, struct veu_ring *ring)
{
    struct veu_ring_config config = {
        .slots = machine_alloc(SLOTS * VEU_SLOT_BYTES, 4096),
        .slot_count = SLOTS,
        .shared = machine_alloc(sizeof(struct veu_ring_shared), 64),
        .vector = VEU_NO_VECTOR,
        .number = b->device.limits.rings - 1,
    };

    return veu_ring_start(ring, &b->device, &config) == VEU_OK;
}

void speed(struct bench *b)
{
    struct veu_ring ring;
    bool good = true;

    report_section("speed, best of 5");
    clocks(b);
    bench_start_ring(b, VEU_POLICY_HALT);
    for (unsigned kind = 0; kind < KINDS && good; kind++) {
        good = dispatched(b, kind);
    }
    report_begin("dispatches of %u messages complete",
                 MESSAGES_PER_THREAD * THREADS * GROUPS);
    report_result(good, "%s", veu_fault_name(b->fault.code));
    good = start_ring(b, &ring);
    for (unsigned kind = 0; kind < KINDS && good; kind++) {
        good = inlined(b, &ring, kind);
    }
    report_info("inline", "%lu submits, %lu of them kicked", ring.submits,
                ring.kicks);
    report_begin("%u inline messages complete", INLINE_MESSAGES);
    report_result(good, "fault %s",
                  veu_fault_name(
                      veu_ring_read32(&ring, VEU_REG_RING_LAST_FAULT)));
}
