/*
 * veu device tests: addresses outside of RAM, and illegal commands.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Each ends as a fault, never as a crash or a hang; afterwards the device works
 * as before.
 */
#include <inttypes.h>
#include <string.h>
#include "tests/device/rig.h"

/* Addresses without RAM. */
#define HOLE       UINT64_C(0xd0000000)
#define FAR_HOLE   UINT64_C(0x7f0000000000)
#define TOP        UINT64_C(0xffffffffffffffc0)
#define LOCAL_APIC UINT64_C(0xfee00000)
#define IO_APIC    UINT64_C(0xfec00000)
#define HPET       UINT64_C(0xfed00000)
#define BIOS       UINT64_C(0xffff0000)
#define BIOS_LOW   UINT64_C(0xf0000)
#define RAM_END    VM_RAM_BYTES

static uint64_t own_registers(const Rig *r)
{
    return (uintptr_t)r->device.regs;
}

typedef struct Places {
    unsigned count;
    uint64_t at[16];
} Places;

/* Places that can be neither read nor written. */
static Places no_ram(const Rig *r)
{
    return (Places){
        .count = 9,
        .at = { HOLE, FAR_HOLE, TOP, LOCAL_APIC, IO_APIC, RAM_END, HPET,
                own_registers(r), (uintptr_t)r->device.doorbells },
    };
}

/* ---- the ring's own memory ---- */

/* Resets the device, then enables the ring with one register changed. */
static void start_with(Rig *r, enum veu_reg reg, unsigned bytes, uint64_t value)
{
    rig_start_raw(r);
    if (bytes == 8) {
        rig_ring_write64(r, reg, value);
    } else {
        rig_ring_write(r, reg, value);
    }
    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
}

static void assert_recovers(Rig *r)
{
    vm_assert_answers(r->vm);
    rig_start(r);
    rig_assert_works(r);
}

static void test_shared_block_not_in_ram(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    Places places = no_ram(r);

    places.at[places.count++] = BIOS;
    places.at[places.count++] = BIOS_LOW;
    for (unsigned i = 0; i < places.count; i++) {
        uint64_t at = places.at[i];

        /*
         * an address that is too high is illegal in the register, whatever
         * memory there is
         */
        g_test_message("address 0x%" PRIx64, at);
        start_with(r, VEU_REG_RING_SHARED, 8, at);
        rig_wait_ring_fault(r, at == TOP ? VEU_FAULT_RING_CONFIG :
                                           VEU_FAULT_RING_MEMORY);
    }
    assert_recovers(r);
}

static void test_slots_not_in_ram(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    Places places = no_ram(r);

    for (unsigned i = 0; i < places.count; i++) {
        uint64_t at = places.at[i];

        g_test_message("address 0x%" PRIx64, at);
        start_with(r, VEU_REG_RING_BASE, 8, at);
        if (at == TOP) {
            rig_wait_ring_fault(r, VEU_FAULT_RING_CONFIG);
            continue;
        }
        /* no fault occurs until there is a command */
        rig_wait_asleep(r);
        r->shared->tail = 1;
        port_write(r->device.doorbells, 4, 1);
        rig_wait_ring_fault(r, VEU_FAULT_RING_MEMORY);
        rig_wait_state(r, VEU_RING_HALTED);
        g_assert_cmphex(r->faults[0].address, ==, at);
        g_assert_cmpuint(r->faults[0].access, ==, VEU_ACCESS_READ);
    }
    assert_recovers(r);
}

/* The second half of the ring is past the end of RAM. */
static void test_slots_reach_beyond_ram(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    uint8_t *end = r->vm->ram + VM_RAM_BYTES;

    r->config.slots = end - RIG_SLOTS / 2 * VEU_SLOT_BYTES;
    memset(r->config.slots, 0, RIG_SLOTS / 2 * VEU_SLOT_BYTES);
    rig_start(r);
    for (unsigned i = 0; i < RIG_SLOTS / 2; i++) {
        struct veu_command_nop nop = veu_make_nop(i);

        rig_put(r, &nop.header);
    }
    __atomic_store_n(&r->shared->tail, RIG_SLOTS / 2 + 1, __ATOMIC_SEQ_CST);
    veu_ring_kick(&r->ring);
    rig_wait_ring_fault(r, VEU_FAULT_RING_MEMORY);
    g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_HEAD), ==, RIG_SLOTS / 2);
    r->config.slots = r->slots;
    assert_recovers(r);
}

static void test_fault_queue_not_in_ram(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_nop bad = veu_make_nop(0);
    Places places = no_ram(r);

    places.at[places.count++] = BIOS;
    bad.header.opcode = 0x99;
    memcpy(r->slots, &bad, sizeof(bad));
    for (unsigned i = 0; i < places.count; i++) {
        uint64_t at = places.at[i];

        start_with(r, VEU_REG_RING_FAULTS, 8, at);
        if (at == TOP) {
            rig_wait_ring_fault(r, VEU_FAULT_RING_CONFIG);
            continue;
        }
        rig_wait_asleep(r);
        r->shared->tail = 1;
        port_write(r->device.doorbells, 4, 1);
        rig_wait_ring_fault(r, VEU_FAULT_COMMAND_OPCODE);
        rig_wait_state(r, VEU_RING_HALTED);
        g_assert_cmpuint(r->shared->fault_tail, ==, 0);
        g_assert_cmpuint(r->shared->fault_overflow, ==, 1);
    }
    assert_recovers(r);
}

static void test_a_register_out_of_its_range_is_a_fault(const char *accel)
{
    static const struct {
        enum veu_reg reg;
        uint32_t value;
    } bad[] = {
        { VEU_REG_RING_SLOTS, 0 },
        { VEU_REG_RING_SLOTS, 3 },
        { VEU_REG_RING_SLOTS, 0x200000 },
        { VEU_REG_RING_FAULT_RECORDS, 3 },
        { VEU_REG_RING_FAULT_RECORDS, 0x20000 },
        { VEU_REG_RING_VECTOR, 4 },
        { VEU_REG_RING_VECTOR, 0xfffffffe },
        { VEU_REG_RING_POLICY, 3 },
        { VEU_REG_RING_CONTEXT, 4 },
        { VEU_REG_RING_CONTEXT, 0xffffffff },
    };
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    for (unsigned i = 0; i < G_N_ELEMENTS(bad); i++) {
        start_with(r, bad[i].reg, 4, bad[i].value);
        rig_wait_ring_fault(r, VEU_FAULT_RING_CONFIG);
    }
    veu_write32(&r->device, veu_context_register(0, VEU_REG_CONTEXT_TYPE), 9);
    start_with(r, VEU_REG_RING_CONTEXT, 4, 0);
    rig_wait_ring_fault(r, VEU_FAULT_RING_CONFIG);
    veu_write32(&r->device, veu_context_register(0, VEU_REG_CONTEXT_TYPE), 0);
    assert_recovers(r);
}

/* ---- commands ---- */

static void test_an_unknown_opcode_is_a_fault(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    for (unsigned opcode = 0; opcode < 256; opcode++) {
        struct veu_command_nop bad = veu_make_nop(opcode);

        if (opcode <= VEU_COMMAND_INVALIDATE) {
            continue;
        }
        bad.header.opcode = opcode;
        rig_start(r);
        g_assert_cmpuint(
            rig_run_fault(r, &bad.header, VEU_FAULT_COMMAND_OPCODE).tag, ==,
            opcode);
    }
    assert_recovers(r);
}

static void test_command_slots_full_of_anything(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    rig_start_policy(r, VEU_POLICY_SKIP_COMMAND);
    memset(r->slots, 0xff, RIG_SLOTS * VEU_SLOT_BYTES);
    __atomic_store_n(&r->shared->tail, RIG_SLOTS, __ATOMIC_SEQ_CST);
    veu_ring_kick(&r->ring);
    /* a command of 255 slots does not fit */
    rig_wait_ring_fault(r, VEU_FAULT_RING_TAIL);
    r->config.policy = VEU_POLICY_HALT;
    assert_recovers(r);
}

static void test_fence_not_to_ram(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_fence fence = veu_make_fence(1, r->fence, 1);
    Places places = no_ram(r);

    places.at[places.count++] = BIOS;
    places.at[places.count++] = BIOS_LOW;
    places.at[places.count++] = own_registers(r) + 0x4000;
    for (unsigned i = 0; i < places.count; i++) {
        struct veu_fault_record record;

        rig_start(r);
        fence.address = places.at[i];
        record = rig_run_fault(r, &fence.header, VEU_FAULT_COMMAND_MEMORY);
        g_assert_cmphex(record.address, ==, places.at[i]);
        g_assert_cmpuint(record.access, ==, VEU_ACCESS_WRITE);
        g_assert_cmpuint(record.bytes, ==, 8);
    }
    assert_recovers(r);
}

/* ---- launches ---- */

/* A legal dispatch in the rig's memory. */
static struct veu_command_dispatch make_dispatch(Rig *r)
{
    struct veu_command_dispatch command;
    struct veu_program p;

    veu_program_begin(&p, r->program, RIG_PROGRAM_BYTES, 32);
    veu_program_variable(&p, VEU_TYPE_UD, 8);
    veu_program_variable(&p, VEU_TYPE_UQ, 8);
    veu_encode_gather(&p.code, 4, veu_m(1, 8), T6, veu_ud(0), veu_v(32),
                      veu_v(32));
    command = veu_make_dispatch(5, r->program, veu_program_end(&p), 8);
    r->surfaces[0] = veu_surface_raw(r->arena, 64);
    memset(r->payload, 0, 4096);
    *(uint32_t *)r->payload = 0xff;
    veu_launch_surfaces(&command.launch, r->surfaces, 1);
    veu_launch_payload(&command.launch, r->payload, veu_payload_bytes(&p));
    veu_launch_result(&command.launch, r->result, 0, 32);
    return command;
}

/*
 * Runs the dispatch with the address at @field outside of RAM, in several
 * places.
 */
static void run_in_places(Rig *r, size_t field, enum veu_fault_code code,
                          enum veu_access access)
{
    Places places = no_ram(r);

    for (unsigned i = 0; i < places.count; i++) {
        struct veu_command_dispatch command = make_dispatch(r);
        struct veu_fault_record record;

        memcpy((uint8_t *)&command.launch + field, &places.at[i], 8);
        rig_start(r);
        record = rig_run_fault(r, &command.header, code);
        g_assert_cmpuint(record.access, ==, access);
        g_assert_cmpuint(record.tag, ==, 5);
        g_assert_cmphex(record.address, ==, places.at[i]);
    }
    assert_recovers(r);
}

static void test_program_not_in_ram(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    run_in_places(r, offsetof(struct veu_launch, code_address),
                  VEU_FAULT_PROGRAM_MEMORY, VEU_ACCESS_READ);
}

static void test_surface_table_not_in_ram(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    run_in_places(r, offsetof(struct veu_launch, surface_table),
                  VEU_FAULT_SURFACE_TABLE, VEU_ACCESS_READ);
}

static void test_payload_not_in_ram(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    run_in_places(r, offsetof(struct veu_launch, payload_address),
                  VEU_FAULT_PAYLOAD_MEMORY, VEU_ACCESS_READ);
}

static void test_result_not_in_ram(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    run_in_places(r, offsetof(struct veu_launch, result_address),
                  VEU_FAULT_RESULT_MEMORY, VEU_ACCESS_WRITE);
}

static void test_surface_not_in_ram(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    Places places = no_ram(r);

    for (unsigned i = 0; i < places.count; i++) {
        struct veu_command_dispatch command = make_dispatch(r);
        struct veu_fault_record record;

        if (places.at[i] == TOP) {
            continue; /* the descriptor's size is illegal there */
        }
        r->surfaces[0].base = places.at[i];
        rig_start(r);
        record = rig_run_fault(r, &command.header, VEU_FAULT_ADDRESS);
        g_assert_cmphex(record.address, ==, places.at[i]);
        g_assert_cmphex(record.lanes, ==, 0xff);
    }
    assert_recovers(r);
}

/* Lanes in RAM are performed, and the others reported. */
static void test_svm_lanes_not_in_ram(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_dispatch command = make_dispatch(r);
    struct veu_fault_record record;
    struct veu_program p;
    uint64_t *addresses;

    veu_program_begin(&p, r->program, RIG_PROGRAM_BYTES, 32);
    veu_program_variable(&p, VEU_TYPE_UD, 8);
    veu_program_variable(&p, VEU_TYPE_UQ, 8);
    veu_encode_svm_gather(&p.code, VEU_PRED_ALWAYS, 4, 1, veu_m(1, 8),
                          veu_v(33), veu_v(32));
    command.launch.code_bytes = veu_program_end(&p);
    addresses = (uint64_t *)(r->payload + 64 + veu_program_offset(&p, 33));
    for (unsigned i = 0; i < 8; i++) {
        addresses[i] = veu_port_device_address(r->arena) + 4 * i;
    }
    addresses[3] = HOLE;
    addresses[5] = own_registers(r);
    rig_start(r);
    record = rig_run_fault(r, &command.header, VEU_FAULT_ADDRESS);
    g_assert_cmpuint(record.lane, ==, 3);
    g_assert_cmphex(record.lanes, ==, 0x28);
    g_assert_cmphex(record.address, ==, HOLE);
    g_assert_cmpuint(record.bytes_done, ==, 24);
    assert_recovers(r);
}

/* Only the CPU can read ROM: the gate requires RAM. */
static void test_rom_is_no_ram(const char *accel)
{
    static const uint64_t roms[] = { BIOS, BIOS_LOW };
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    for (unsigned i = 0; i < G_N_ELEMENTS(roms); i++) {
        struct veu_command_dispatch command = make_dispatch(r);

        r->surfaces[0].base = roms[i];
        rig_start(r);
        rig_run_fault(r, &command.header, VEU_FAULT_ADDRESS);
    }
    assert_recovers(r);
}

/* ---- bus mastering ---- */

static void set_master(Rig *r, bool on)
{
    veu_port_config_write(r->device.function, 4, 2, on ? 6 : 2);
}

static void test_no_bus_master_at_enable(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    set_master(r, false);
    start_with(r, VEU_REG_RING_CONTEXT, 4, 0);
    rig_wait_ring_fault(r, VEU_FAULT_RING_MEMORY);
    g_assert_cmpuint(r->shared->state, ==, 0);
    set_master(r, true);
    assert_recovers(r);
}

static void test_bus_master_goes_away(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    for (unsigned i = 0; i < 3; i++) {
        rig_start(r);
        rig_run_endless(r);
        set_master(r, false);
        rig_wait_state_register(r, VEU_RING_HALTED);
        rig_assert_no_writes(r);
        set_master(r, true);
        rig_assert_no_writes(r);
    }
    assert_recovers(r);
}

static void test_bus_master_goes_away_while_asleep(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    rig_start(r);
    rig_wait_asleep(r);
    set_master(r, false);
    veu_ring_kick(&r->ring);
    rig_wait_ring_fault(r, VEU_FAULT_RING_MEMORY);
    set_master(r, true);
    assert_recovers(r);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("shared-block-not-in-ram", test_shared_block_not_in_ram);
    rig_test_add("slots-not-in-ram", test_slots_not_in_ram);
    rig_test_add("slots-reach-beyond-ram", test_slots_reach_beyond_ram);
    rig_test_add("fault-queue-not-in-ram", test_fault_queue_not_in_ram);
    rig_test_add("a-register-out-of-its-range-is-a-fault",
                 test_a_register_out_of_its_range_is_a_fault);
    rig_test_add("an-unknown-opcode-is-a-fault",
                 test_an_unknown_opcode_is_a_fault);
    rig_test_add("command-slots-full-of-anything",
                 test_command_slots_full_of_anything);
    rig_test_add_both("fence-not-to-ram", test_fence_not_to_ram);
    rig_test_add("program-not-in-ram", test_program_not_in_ram);
    rig_test_add("surface-table-not-in-ram", test_surface_table_not_in_ram);
    rig_test_add("payload-not-in-ram", test_payload_not_in_ram);
    rig_test_add("result-not-in-ram", test_result_not_in_ram);
    rig_test_add_both("surface-not-in-ram", test_surface_not_in_ram);
    rig_test_add_both("svm-lanes-not-in-ram", test_svm_lanes_not_in_ram);
    rig_test_add("rom-is-no-ram", test_rom_is_no_ram);
    rig_test_add("no-bus-master-at-enable", test_no_bus_master_at_enable);
    rig_test_add_both("bus-master-goes-away", test_bus_master_goes_away);
    rig_test_add("bus-master-goes-away-while-asleep",
                 test_bus_master_goes_away_while_asleep);
    return g_test_run();
}
