/*
 * veu device tests: a driver gone mad.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Random registers, commands, doorbells, resets, stops. QEMU has to survive,
 * and afterwards the device has to work. The seed is printed; --seed repeats.
 */
#include <string.h>
#include "tests/device/iommu.h"
#include "tests/device/rig.h"

#define STORM_MS  2500
#define RINGS     4
#define IOMMU_Q35 "-M q35 " IOMMU_DEVICE "-device veu,id=veu0,addr=4"

typedef struct Storm {
    Rig *rig;
    bool has_iommu;
    unsigned actions;
} Storm;

static uint32_t below(uint32_t bound)
{
    return g_test_rand_int_range(0, bound);
}

static uint32_t random32(void)
{
    return g_test_rand_int();
}

/* An address that is RAM as a rule. */
static uint64_t random_address(Rig *r)
{
    uint64_t address = veu_port_device_address(r->slots) + below(0x2000000);

    switch (below(8)) {
    case 0:
        return (uint64_t)random32() << 32 | random32();
    case 1:
        return random32();
    default:
        return address & ~UINT64_C(0x3f);
    }
}

static uint32_t random_value(void)
{
    switch (below(4)) {
    case 0:
        return random32();
    case 1:
        return 1u << below(32);
    default:
        return below(8);
    }
}

/* ---- registers ---- */

static void write_register(Storm *s)
{
    Rig *r = s->rig;
    unsigned offset = below(4) ? 0x4000 + 0x100 * below(RINGS) + 4 * below(20) :
                      below(2) ? 4 * below(0x20) :
                                 below(0x10000);

    if (offset >= 0xe000 && offset < 0xe000 + 16 * RINGS && offset % 16 < 12) {
        return; /* the message may go to RAM only */
    }
    if (below(8) == 0) {
        port_write(r->device.regs + offset, 1u << below(4), random32());
    } else if (below(3) == 0) {
        port_write(r->device.regs + (offset & ~7u), 8, random_address(r));
    } else {
        port_write(r->device.regs + offset, 4, random_value());
    }
}

static void read_register(Storm *s)
{
    port_read(s->rig->device.regs + below(0x10000), 1u << below(4));
}

static void mask_vector(Storm *s)
{
    veu_port_write32(s->rig->device.regs + 0xe00c, below(2));
}

static void ring_doorbell(Storm *s)
{
    for (unsigned i = below(8); i; i--) {
        port_write(s->rig->device.doorbells + below(RINGS) * 4096 +
                       (below(4) ? 0 : below(4096)),
                   1u << below(4), random32());
    }
}

/* ---- memory ---- */

static void flip_bits(void *memory, uint32_t bytes)
{
    for (unsigned i = below(4); i; i--) {
        ((uint8_t *)memory)[below(bytes)] ^= 1u << below(8);
    }
}

static void fill_randomly(uint8_t *memory, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) {
        memory[i] = random32() >> 8;
    }
}

static struct veu_command_dispatch make_dispatch(Rig *r)
{
    struct veu_command_dispatch command;
    struct veu_program p;

    veu_program_begin(&p, r->program, RIG_PROGRAM_BYTES, 32 << below(2));
    veu_program_variable(&p, VEU_TYPE_UD, 16);
    veu_program_variable(&p, VEU_TYPE_UQ, 16);
    veu_encode_scatter_scaled(&p.code, VEU_PRED_ALWAYS, 4, veu_m(1, 8), T6,
                              veu_ud(below(64)), veu_v(32), veu_v(32));
    veu_encode_svm_gather(&p.code, VEU_PRED_ALWAYS, 4, 1, veu_m(1, 8),
                          veu_v(33), veu_v(32));
    command = veu_make_dispatch(random32(), r->program, veu_program_end(&p),
                                8u << below(3));
    *(uint32_t *)r->payload = random32();
    memset(r->payload + 4, 0, 60);
    r->surfaces[0] = veu_surface_raw(r->arena, 1 + below(100000));
    veu_launch_surfaces(&command.launch, r->surfaces, 1);
    veu_launch_payload(&command.launch, r->payload, 64 + below(2) * 64);
    veu_launch_result(&command.launch, r->result, 0, 4 * below(16));
    command.launch.threads = 1 + below(1024);
    command.launch.groups = 1 + below(below(2) ? 1000000 : 4);
    return command;
}

static void write_dispatch(Storm *s)
{
    Rig *r = s->rig;
    struct veu_command_dispatch command = make_dispatch(r);
    unsigned slot = below(RIG_SLOTS - 1);

    if (below(2)) {
        flip_bits(&command, sizeof(command));
        flip_bits(r->program, 200);
        flip_bits(r->surfaces, 64);
        flip_bits(r->payload, 128);
    }
    memcpy(r->slots + slot * VEU_SLOT_BYTES, &command, sizeof(command));
}

static void write_fence(Storm *s)
{
    Rig *r = s->rig;
    struct veu_command_fence command = veu_make_fence(0, r->fence, 1);

    command.address = random_address(r);
    command.header.flags = below(2);
    if (below(4) == 0) {
        flip_bits(&command, sizeof(command));
    }
    memcpy(r->slots + below(RIG_SLOTS) * VEU_SLOT_BYTES, &command,
           sizeof(command));
}

/* Memory that the guest's processor does not execute. */
static uint64_t memory_of(Rig *r)
{
    return veu_port_device_address(r->slots) + below(0x2000000);
}

static void write_wait(Storm *s)
{
    Rig *r = s->rig;
    struct veu_command_wait command = veu_make_wait(0, r->fence, below(6),
                                                    below(3));

    command.timeout_ns = below(3) * 1000000;
    if (below(4) == 0) {
        flip_bits(&command, sizeof(command));
    }
    memcpy(r->slots + below(RIG_SLOTS) * VEU_SLOT_BYTES, &command,
           sizeof(command));
}

static void write_copy(Storm *s)
{
    Rig *r = s->rig;
    struct veu_command_copy command = veu_make_copy(0, r->arena, r->arena,
                                                    below(0x100000));

    command.header.opcode = below(2) ? VEU_COMMAND_COPY : VEU_COMMAND_FILL;
    command.source = random_address(r);
    command.destination = memory_of(r);
    memcpy(r->slots + below(RIG_SLOTS) * VEU_SLOT_BYTES, &command,
           sizeof(command));
}

static void clear_slots(Storm *s)
{
    struct veu_command_nop nop = veu_make_nop(0);

    for (unsigned i = 0; i < RIG_SLOTS; i++) {
        memcpy(s->rig->slots + i * VEU_SLOT_BYTES, &nop, sizeof(nop));
    }
}

static void spoil_memory(Storm *s)
{
    Rig *r = s->rig;

    switch (below(4)) {
    case 0:
        fill_randomly(r->slots + below(RIG_SLOTS) * VEU_SLOT_BYTES, 64);
        break;
    case 1:
        fill_randomly((uint8_t *)r->shared, sizeof(*r->shared));
        break;
    case 2:
        fill_randomly(r->payload, 256);
        break;
    default:
        fill_randomly(r->program, 256);
        break;
    }
}

static void move_tail(Storm *s)
{
    Rig *r = s->rig;
    uint32_t head = rig_ring_read(r, VEU_REG_RING_HEAD);

    __atomic_store_n(&r->shared->tail,
                     below(16) ? head + below(RIG_SLOTS + 1) : random32(),
                     __ATOMIC_SEQ_CST);
    veu_ring_kick(&r->ring);
}

/* ---- the ring and the machine ---- */

static void start_ring(Storm *s)
{
    Rig *r = s->rig;

    r->config.policy = below(3);
    rig_start_raw(r);
    rig_ring_write(r, VEU_REG_RING_HEAD, random32());
    r->shared->tail = rig_ring_read(r, VEU_REG_RING_HEAD) + below(RIG_SLOTS);
    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
}

static void stop_ring(Storm *s)
{
    rig_ring_write(s->rig, VEU_REG_RING_CONTROL, below(4));
}

static void toggle_master(Storm *s)
{
    const uint16_t function = s->rig->device.function;

    veu_port_config_write(function, 4, 2, 2);
    vm_assert_answers(s->rig->vm);
    veu_port_config_write(function, 4, 2, 6);
}

static void toggle_vm(Storm *s)
{
    vm_stop(s->rig->vm);
    if (below(2)) {
        ring_doorbell(s);
        write_register(s);
    }
    vm_run(s->rig->vm);
}

static void open_again(Storm *s)
{
    s->rig->config.number = 0;
    rig_open(s->rig);
    rig_set_up_msix(s->rig);
}

static void reset_function(Storm *s)
{
    const uint16_t function = s->rig->device.function;
    unsigned at = veu_pci_capability(function, VEU_PCI_CAP_EXPRESS);

    veu_port_config_write(function, at + 8, 2, 0x8000);
    open_again(s);
}

static void reset_machine(Storm *s)
{
    if (below(4)) {
        return; /* takes longer than the others */
    }
    vm_reset(s->rig->vm);
    if (s->has_iommu) {
        iommu_set_up(s->rig->vm);
    }
    open_again(s);
}

static void toggle_iommu(Storm *s)
{
    Rig *r = s->rig;
    uint8_t *page = r->slots + below(0x2000) * IOMMU_PAGE_BYTES;

    if (!s->has_iommu) {
        return;
    }
    if (below(8) == 0) {
        iommu_set_enabled(r->vm, false);
        iommu_set_enabled(r->vm, true);
    }
    iommu_map(r->vm, page, page, below(4));
    iommu_invalidate(r->vm, 1 + below(3), page);
    iommu_arm_fault_event(r->vm);
    iommu_map(r->vm, page, page, IOMMU_BOTH);
}

typedef void (*Action)(Storm *storm);

/* Each as often as it stands here. */
static const Action actions[] = {
    write_register, write_register, write_register, read_register,
    mask_vector,    ring_doorbell,  ring_doorbell,  write_dispatch,
    write_dispatch, write_dispatch, write_fence,    write_fence,
    write_wait,     write_wait,     write_copy,     clear_slots,
    spoil_memory,   move_tail,      move_tail,      move_tail,
    move_tail,      start_ring,     start_ring,     start_ring,
    stop_ring,      toggle_master,  toggle_vm,      reset_function,
    reset_machine,  toggle_iommu,   toggle_iommu,
};

static void run_storm(Storm *s)
{
    int64_t end = g_get_monotonic_time() + STORM_MS * 1000;

    while (g_get_monotonic_time() < end) {
        /* All rings have the same memory: the more do they disturb. */
        s->rig->config.number = below(RINGS);
        actions[below(G_N_ELEMENTS(actions))](s);
        s->actions++;
    }
    g_test_message("%u actions", s->actions);
}

static void assert_calm(Rig *r)
{
    g_autofree char *id = qmp_ask(&r->vm->qmp, "qom-get",
                                  "{\"path\":\"/machine/peripheral/veu0\","
                                  "\"property\":\"device-id\"}");
    g_autofree char *status = qmp_ask(&r->vm->qmp, "query-status", NULL);

    g_assert_nonnull(strstr(id, "30309"));
    g_assert_nonnull(strstr(status, "running"));
    r->config.number = 0;
    rig_open(r);
    rig_assert_reset_values(r);
    rig_assert_no_writes(r);
    r->config.policy = VEU_POLICY_HALT;
    rig_set_up_msix(r);
    rig_start(r);
    for (unsigned i = 0; i < 10; i++) {
        rig_assert_works(r);
    }
}

static void test_storm(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    Storm storm = { .rig = r };

    rig_set_up_msix(r);
    vm_run(r->vm);
    rig_start(r);
    run_storm(&storm);
    assert_calm(r);
}

static void test_storm_behind_iommu(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, IOMMU_Q35);
    Storm storm = { .rig = r, .has_iommu = true };

    iommu_set_up(r->vm);
    rig_set_up_msix(r);
    vm_run(r->vm);
    rig_start(r);
    run_storm(&storm);
    iommu_invalidate(r->vm, IOMMU_GLOBAL, NULL);
    assert_calm(r);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("storm", test_storm);
    rig_test_add_both("storm-behind-iommu", test_storm_behind_iommu);
    return g_test_run();
}
