/*
 * veu device tests: a device in a VM, and memory for a driver.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>
#include "tests/device/rig.h"

/* The guest memory of rig n. */
#define RIG_BASE          UINT64_C(0x1000000)
#define RIG_STRIDE        UINT64_C(0x2000000)
/* ... and that of the further rings of a device. */
#define RIG_RINGS         UINT64_C(0x5000000)
#define RIG_RING_STRIDE   UINT64_C(0x40000)
/* Bus addresses for its BARs. */
#define RIG_WINDOW_STRIDE UINT64_C(0x100000)

static void configure(Rig *r)
{
    r->config = (struct veu_ring_config){
        .vector = VEU_NO_VECTOR,
        .slots = r->slots,
        .slot_count = RIG_SLOTS,
        .shared = r->shared,
        .faults = r->faults,
        .fault_count = RIG_FAULTS,
    };
}

static void lay_out(Rig *r)
{
    uint8_t *base = r->vm->ram + RIG_BASE + r->index * RIG_STRIDE;

    r->slots = base;
    r->shared = (struct veu_ring_shared *)(base + 0x10000);
    r->faults = (struct veu_fault_record *)(base + 0x20000);
    r->fence = (uint64_t *)(base + 0x30000);
    r->message = (uint32_t *)(base + 0x31000);
    r->program = base + 0x40000;
    r->surfaces = (struct veu_surface *)(base + 0x80000);
    r->payload = base + 0x100000;
    r->result = base + 0x400000;
    r->arena = base + 0x800000;
    configure(r);
}

/* Everything is smaller than in the first ring. */
static void lay_out_ring(Rig *r, unsigned number)
{
    uint8_t *base = r->vm->ram + RIG_RINGS + number * RIG_RING_STRIDE;

    r->slots = base;
    r->shared = (struct veu_ring_shared *)(base + 0x1000);
    r->faults = (struct veu_fault_record *)(base + 0x2000);
    r->fence = (uint64_t *)(base + 0x3000);
    r->message = (uint32_t *)(base + 0x3800);
    r->program = base + 0x4000;
    r->surfaces = (struct veu_surface *)(base + 0x14000);
    r->payload = base + 0x18000;
    r->result = base + 0x28000;
    r->arena = base + 0x30000;
    configure(r);
    r->config.number = number;
}

enum veu_status rig_try_open(Rig *r)
{
    uint64_t window = port_window() + r->index * RIG_WINDOW_STRIDE;
    struct veu_open_options options = {
        .index = r->index,
        .window = { .next = window, .end = window + RIG_WINDOW_STRIDE },
    };
    struct veu_device device;
    enum veu_status status = veu_open(&device, &options);

    if (status == VEU_OK) {
        r->device = device;
    }
    return status;
}

void rig_open(Rig *r)
{
    g_assert_cmpstr(veu_status_text(rig_try_open(r)), ==, "ok");
}

void rig_reopen_pci(Rig *r)
{
    struct veu_pci_window window = {
        .next = (uintptr_t)r->device.regs,
        .end = (uintptr_t)r->device.regs + RIG_WINDOW_STRIDE,
    };

    g_assert_true(veu_pci_assign_bars(r->device.function, &window));
    veu_pci_enable(r->device.function);
}

Rig *rig_attach(Vm *vm, unsigned index)
{
    Rig *r = g_new0(Rig, 1);

    r->vm = vm;
    r->index = index;
    lay_out(r);
    rig_open(r);
    return r;
}

Rig *rig_add_ring(const Rig *first, unsigned number)
{
    Rig *r = g_new0(Rig, 1);

    r->vm = first->vm;
    r->index = first->index;
    r->device = first->device;
    lay_out_ring(r, number);
    return r;
}

Rig *rig_new(const char *accel, const char *arguments)
{
    Vm *vm = vm_new(accel, arguments);
    Rig *r;

    port_use(vm);
    if (strstr(arguments, "pcie-root-port")) {
        rig_set_up_bridge(vm, 2);
    }
    r = rig_attach(vm, 0);
    r->owns_vm = true;
    return r;
}

Rig *rig_follow(const Rig *from, Vm *vm)
{
    Rig *r = g_new0(Rig, 1);
    struct veu_ring_config config = from->ring.config;

    r->vm = vm;
    r->owns_vm = true;
    r->index = from->index;
    lay_out(r);
    r->device = from->device;
    r->ring = from->ring;
    r->ring.device = &r->device;
    config.slots = r->slots;
    config.shared = r->shared;
    config.faults = r->faults;
    r->ring.config = config;
    return r;
}

void rig_free(Rig *r)
{
    if (r->owns_vm) {
        vm_free(r->vm);
    }
    g_free(r);
}

void rig_set_up_bridge(Vm *vm, unsigned slot)
{
    uint16_t bridge = slot << 3;
    uint32_t first = port_window() >> 16;

    veu_port_config_write(bridge, 0x18, 4, 0x00010100);
    veu_port_config_write(bridge, 0x20, 4, (first + 0x7f0) << 16 | first);
    veu_port_config_write(bridge, 0x24, 4, 0x0000fff0);
    veu_port_config_write(bridge, 0x04, 2, 0x0006);
}

/* ---- registers ---- */

uint32_t rig_read(Rig *r, unsigned offset)
{
    return veu_read32(&r->device, offset);
}

uint32_t rig_ring_read(Rig *r, enum veu_reg offset)
{
    return veu_read32(&r->device, veu_ring_register(r->config.number, offset));
}

void rig_ring_write(Rig *r, enum veu_reg offset, uint32_t value)
{
    veu_write32(&r->device, veu_ring_register(r->config.number, offset), value);
}

void rig_ring_write64(Rig *r, enum veu_reg offset, uint64_t value)
{
    veu_write64(&r->device, veu_ring_register(r->config.number, offset), value);
}

void rig_assert_reset_values(Rig *r)
{
    /* Typed by hand from docs/spec.md. */
    static const struct {
        uint32_t offset;
        uint32_t value;
    } values[] = {
        { 0x000, 0x31554556 }, { 0x004, VEU_ABI_VERSION },
        { 0x008, 0 },          { 0x010, 4 },
        { 0x014, 4 },          { 0x024, 0x100000 },
        { 0x028, 0x60 },       { 0x02c, 0x38 },
        { 0x030, 0x40000 },    { 0x034, 0x2000 },
        { 0x038, 0x1000 },     { 0x03c, 0x400 },
        { 0x040, 0x10000 },    { 0x044, 0xfa },
        { 0x048, 0x10000 },    { 0x04c, 0x400 },
        { 0x050, 0x100000 },   { 0x054, 0x10000 },
        { 0x4000, 0 },         { 0x4004, 0 },
        { 0x4008, 0 },         { 0x400c, 0 },
        { 0x4010, 0 },         { 0x4014, 0 },
        { 0x4018, 0 },         { 0x401c, 0 },
        { 0x4020, 0 },         { 0x4024, 0 },
        { 0x4028, 0 },         { 0x402c, 0xffffffff },
        { 0x4030, 0 },         { 0x4034, 0 },
        { 0x4038, 0 },         { 0x403c, 0 },
        { 0x4040, 0 },         { 0x4044, 1 },
        { 0x4048, 0 },         { 0x8000, 0 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(values); i++) {
        uint32_t value = rig_read(r, values[i].offset);

        if (value != values[i].value) {
            g_error("register 0x%x is 0x%x after reset", values[i].offset,
                    value);
        }
    }
    /* there may be more types than this one */
    g_assert_true(rig_read(r, 0x018) & 1);
}

void rig_set_up_msix(Rig *r)
{
    *r->message = 0;
    g_assert_cmpint(veu_msix_enable(&r->device), ==, VEU_OK);
    g_assert_cmpint(veu_msix_set(&r->device, r->config.number,
                                 veu_port_device_address(r->message),
                                 RIG_MESSAGE),
                    ==, VEU_OK);
    r->config.vector = r->config.number;
}

void rig_wait_message(Rig *r)
{
    VM_WAIT(r->vm, __atomic_load_n(r->message, __ATOMIC_ACQUIRE),
            "the MSI-X message");
    g_assert_cmphex(*r->message, ==, RIG_MESSAGE);
    *r->message = 0;
}

/* ---- the ring ---- */

void rig_start(Rig *r)
{
    g_assert_cmpint(veu_ring_start(&r->ring, &r->device, &r->config), ==,
                    VEU_OK);
    VM_WAIT(r->vm,
            __atomic_load_n(&r->shared->state, __ATOMIC_ACQUIRE) ==
                VEU_RING_RUNNING,
            "the ring to start");
}

void rig_start_policy(Rig *r, enum veu_policy policy)
{
    r->config.policy = policy;
    rig_start(r);
}

void rig_start_raw(Rig *r)
{
    const struct veu_ring_config *c = &r->config;

    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    memset(r->shared, 0, sizeof(*r->shared));
    rig_ring_write64(r, VEU_REG_RING_BASE, veu_port_device_address(c->slots));
    rig_ring_write64(r, VEU_REG_RING_SHARED,
                     veu_port_device_address(c->shared));
    rig_ring_write64(r, VEU_REG_RING_FAULTS,
                     veu_port_device_address(c->faults));
    rig_ring_write(r, VEU_REG_RING_SLOTS, c->slot_count);
    rig_ring_write(r, VEU_REG_RING_FAULT_RECORDS, c->fault_count);
    rig_ring_write(r, VEU_REG_RING_VECTOR, c->vector);
    rig_ring_write(r, VEU_REG_RING_POLICY, c->policy);
}

void rig_put(Rig *r, const struct veu_command_header *command)
{
    g_assert_cmpint(veu_ring_put(&r->ring, command), ==, VEU_OK);
}

void rig_submit(Rig *r)
{
    veu_ring_submit(&r->ring);
}

static bool shared_state_is(Rig *r, enum veu_ring_state state)
{
    return __atomic_load_n(&r->shared->state, __ATOMIC_ACQUIRE) == state;
}

void rig_wait(Rig *r)
{
    VM_WAIT(r->vm,
            veu_ring_head(&r->ring) == r->ring.tail ||
                shared_state_is(r, VEU_RING_HALTED),
            "head %u; it is %u", r->ring.tail, veu_ring_head(&r->ring));
    if (veu_ring_head(&r->ring) != r->ring.tail) {
        g_error("fault %s",
                veu_fault_name(rig_ring_read(r, VEU_REG_RING_LAST_FAULT)));
    }
}

void rig_wait_state_register(Rig *r, enum veu_ring_state state)
{
    VM_WAIT(r->vm, rig_ring_read(r, VEU_REG_RING_STATE) == state,
            "RING_STATE %u; it is %u", state,
            rig_ring_read(r, VEU_REG_RING_STATE));
}

void rig_wait_state(Rig *r, enum veu_ring_state state)
{
    rig_wait_state_register(r, state);
    VM_WAIT(r->vm, shared_state_is(r, state), "state %u in the shared block",
            state);
}

void rig_wait_asleep(Rig *r)
{
    VM_WAIT(r->vm, __atomic_load_n(&r->shared->asleep, __ATOMIC_ACQUIRE),
            "the device to fall asleep");
}

void rig_run(Rig *r, const struct veu_command_header *command)
{
    rig_put(r, command);
    rig_submit(r);
    rig_wait(r);
}

void rig_assert_works(Rig *r)
{
    static uint64_t value = 0x1000;
    struct veu_command_fence fence = veu_make_fence(1, r->fence, ++value);

    *r->fence = 0;
    rig_run(r, &fence.header);
    g_assert_cmphex(*r->fence, ==, value);
}

/* ---- faults ---- */

struct veu_fault_record rig_run_fault(Rig *r,
                                      const struct veu_command_header *command,
                                      enum veu_fault_code code)
{
    struct veu_fault_record record = { 0 };

    rig_put(r, command);
    rig_submit(r);
    rig_wait_state(r, VEU_RING_HALTED);
    g_assert_true(veu_ring_read_fault(&r->ring, &record));
    g_assert_cmpstr(veu_fault_name(record.code), ==, veu_fault_name(code));
    g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_LAST_FAULT), ==, code);
    return record;
}

void rig_wait_ring_fault(Rig *r, enum veu_fault_code code)
{
    rig_wait_state_register(r, VEU_RING_HALTED);
    VM_WAIT(r->vm, rig_ring_read(r, VEU_REG_RING_LAST_FAULT) == code,
            "fault %s; it is %s", veu_fault_name(code),
            veu_fault_name(rig_ring_read(r, VEU_REG_RING_LAST_FAULT)));
}

/* ---- a dispatch that never ends ---- */

#define ENDLESS_LANES 8

static void make_endless(Rig *r, struct veu_command_dispatch *command)
{
    struct veu_program p;
    struct veu_payload_header *header = (void *)r->payload;
    uint32_t offsets, data, *registers;

    veu_program_begin(&p, r->program, RIG_PROGRAM_BYTES, 32);
    offsets = veu_program_variable(&p, VEU_TYPE_UD, ENDLESS_LANES);
    data = veu_program_variable(&p, VEU_TYPE_UD, ENDLESS_LANES);
    veu_encode_scatter_scaled(&p.code, 0, 4, veu_m(1, ENDLESS_LANES), T6,
                              veu_ud(0), veu_v(offsets), veu_v(data));
    *command = veu_make_dispatch(99, r->program, veu_program_end(&p), 8);
    memset(r->payload, 0, veu_payload_bytes(&p));
    header->exec_mask = 0xff;
    registers = (uint32_t *)veu_payload_registers(r->payload, &p);
    for (unsigned i = 0; i < ENDLESS_LANES; i++) {
        registers[i] = 4 * i;
        registers[ENDLESS_LANES + i] = 0xd0d0d0d0;
    }
    r->surfaces[0] = veu_surface_raw(r->arena, 4 * ENDLESS_LANES);
    veu_launch_surfaces(&command->launch, r->surfaces, 1);
    veu_launch_payload(&command->launch, r->payload, veu_payload_bytes(&p));
    veu_launch_result(&command->launch, r->result, veu_program_offset(&p, data),
                      4 * ENDLESS_LANES);
    command->launch.payload_stride = 0;
    command->launch.result_stride = 0;
    command->launch.threads = r->device.limits.threads;
    command->launch.groups = r->device.limits.groups;
}

void rig_run_endless(Rig *r)
{
    struct veu_command_dispatch command;

    make_endless(r, &command);
    rig_put(r, &command.header);
    rig_submit(r);
    rig_wait_writes(r);
}

static void clear_targets(Rig *r)
{
    memset(r->arena, 0, 4 * ENDLESS_LANES);
    memset(r->result, 0, 4 * ENDLESS_LANES);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static uint32_t load(const void *memory)
{
    return __atomic_load_n((const uint32_t *)memory, __ATOMIC_ACQUIRE);
}

void rig_wait_writes(Rig *r)
{
    clear_targets(r);
    VM_WAIT(r->vm, load(r->arena) && load(r->result),
            "the dispatch to write memory");
}

void rig_assert_no_writes(Rig *r)
{
    clear_targets(r);
    vm_settle();
    for (unsigned i = 0; i < ENDLESS_LANES; i++) {
        g_assert_cmphex(load(r->arena + 4 * i), ==, 0);
        g_assert_cmphex(load(r->result + 4 * i), ==, 0);
    }
}

void rig_assert_stop_and_reset_end_writes(Rig *r)
{
    rig_start(r);
    rig_run_endless(r);
    vm_stop(r->vm);
    rig_assert_no_writes(r);
    vm_run(r->vm);
    rig_wait_writes(r);
    veu_reset(&r->device);
    rig_assert_no_writes(r);
}

void rig_wait_threads(Vm *vm, unsigned count)
{
    VM_WAIT(vm, vm_count_threads(vm, "veu") == count,
            "%u device threads; there are %u", count,
            vm_count_threads(vm, "veu"));
}

/* ---- test programs ---- */

void rig_test_init(int *argc, char ***argv)
{
    g_test_init(argc, argv, NULL);
    if (*argc < 2) {
        g_error("usage: %s VEU-QEMU [aarch64 | riscv64]", (*argv)[0]);
    }
    vm_launcher = (*argv)[1];
    if (*argc > 2) {
        if (!vm_has_plugin()) {
            g_print("1..0 # SKIP no other QEMU without the plugin\n");
            exit(0);
        }
        port_use_target((*argv)[2]);
    }
}

typedef struct RigTest {
    const char *accel;
    void (*run)(const char *accel);
} RigTest;

static void run_test(const void *data)
{
    const RigTest *test = data;

    if (strcmp(test->accel, "kvm") == 0 && (!port_is_pc() || !vm_has_kvm())) {
        g_test_skip("needs KVM");
        return;
    }
    test->run(test->accel);
}

static void add_test(const char *accel, const char *name,
                     void (*run)(const char *accel))
{
    g_autofree char *path = g_strdup_printf("/%s/%s", accel, name);
    RigTest *test = g_new(RigTest, 1);

    *test = (RigTest){ .accel = accel, .run = run };
    g_test_add_data_func_full(path, test, run_test, g_free);
}

void rig_test_add(const char *name, void (*run)(const char *accel))
{
    add_test("tcg", name, run);
}

void rig_test_add_both(const char *name, void (*run)(const char *accel))
{
    add_test("tcg", name, run);
    add_test("kvm", name, run);
}
