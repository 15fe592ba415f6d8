/*
 * veu device tests: devices that come and go.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A guest releases a device in a PCIe slot by turning the slot's power off, and
 * one on -M pc through ACPI's eject register; here the test does so.
 */
#include <string.h>
#include <sys/resource.h>
#include "tests/device/resets.h"
#include "tests/device/slot.h"

#define EMPTY_PORT "-M q35 " SLOT_PORT
#define EMPTY_PC   "-M pc"

/* Registers of ACPI hot-plug on the PIIX4. */
#define EJECT_SELECT 0xae10
#define EJECT        0xae08
#define PC_SLOT      5

#define INTERVAL_US 1000000

typedef struct Slot {
    const char *machine;
    const char *plug; /* arguments of device_add */
    void (*power_on)(Vm *vm);
    void (*let_go)(Vm *vm);
    unsigned workers; /* besides the device thread */
} Slot;

static void pc_power_on(Vm *vm)
{
}

static void pc_let_go(Vm *vm)
{
    qtest_out(&vm->qtest, EJECT_SELECT, 4, 0);
    qtest_out(&vm->qtest, EJECT, 4, 1u << PC_SLOT);
}

static const Slot port = {
    EMPTY_PORT, "{\"driver\":\"veu\",\"id\":\"veu0\",\"bus\":\"rp\"}",
    slot_power_on, slot_let_go, 0
};
static const Slot port_workers = {
    EMPTY_PORT,
    "{\"driver\":\"veu\",\"id\":\"veu0\",\"bus\":\"rp\",\"workers\":4,"
    "\"interrupt-interval-us\":" G_STRINGIFY(INTERVAL_US) "}",
    slot_power_on, slot_let_go, 3
};
static const Slot pc = { EMPTY_PC,
                         "{\"driver\":\"veu\",\"id\":\"veu0\",\"addr\":\"5\"}",
                         pc_power_on, pc_let_go, 0 };

static Vm *new_vm(const char *accel, const Slot *slot)
{
    Vm *vm = vm_new(accel, slot->machine);

    port_use(vm);
    if (slot != &pc) {
        rig_set_up_bridge(vm, 2);
    }
    return vm;
}

static Rig *plug(Vm *vm, const Slot *slot)
{
    slot->power_on(vm);
    qmp_do(&vm->qmp, "device_add", slot->plug);
    return rig_attach(vm, 0);
}

static void unplug(Vm *vm, const Slot *slot, Rig *r)
{
    qmp_do(&vm->qmp, "device_del", "{\"id\":\"veu0\"}");
    slot->let_go(vm);
    qmp_wait_event(&vm->qmp, "DEVICE_DELETED");
    g_assert_cmphex(veu_pci_find(VEU_PCI_VENDOR_ID, VEU_PCI_DEVICE_ID, 0), ==,
                    VEU_PCI_NONE);
    rig_assert_no_writes(r);
    rig_free(r);
}

typedef enum Work {
    IDLE, /* asleep */
    BUSY,
    STOPPED, /* busy, then the VM is stopped */
    D3HOT,   /* busy, then in D3hot */
    HOLDING, /* an interrupt waits for its time */
} Work;

static void wait_threads(Vm *vm, unsigned devices, unsigned workers)
{
    rig_wait_threads(vm, devices);
    VM_WAIT(vm, vm_count_threads(vm, "veu-worker") == workers, "%u workers",
            workers);
}

static void run_interrupts(Rig *r)
{
    struct veu_command_nop nop = veu_make_nop(1);

    nop.header.flags = VEU_COMMAND_INTERRUPT;
    rig_run(r, &nop.header);
    rig_wait_message(r);
    rig_run(r, &nop.header);
}

static void begin_work(Vm *vm, Rig *r, Work work)
{
    if (work == IDLE) {
        rig_wait_asleep(r);
    } else if (work == HOLDING) {
        run_interrupts(r);
    } else {
        rig_run_endless(r);
    }
    if (work == STOPPED) {
        vm_stop(vm);
    } else if (work == D3HOT) {
        resets_set_power_state(r, RESETS_D3HOT);
    }
}

static void cycle(Vm *vm, const Slot *slot, Work work)
{
    Rig *r = plug(vm, slot);

    wait_threads(vm, 1, slot->workers);
    rig_set_up_msix(r);
    rig_start(r);
    rig_assert_works(r);
    begin_work(vm, r, work);
    unplug(vm, slot, r);
    wait_threads(vm, 0, 0);
    if (work == STOPPED) {
        vm_run(vm);
    }
}

/* Several cycles leave neither threads nor files open. */
static void check_cycles(const char *accel, const Slot *slot, bool running,
                         Work work)
{
    Vm *vm = new_vm(accel, slot);
    unsigned files = 0;

    if (running) {
        vm_run(vm);
    }
    for (unsigned i = 0; i < 6; i++) {
        cycle(vm, slot, work);
        if (i == 1) {
            files = vm_count_files(vm);
        }
    }
    g_assert_cmpuint(vm_count_files(vm), ==, files);
    if (work == HOLDING) {
        /* the time at which the interrupt would be raised */
        g_usleep(INTERVAL_US);
        vm_assert_answers(vm);
    }
    vm_free(vm);
}

static void test_a_busy_device_can_be_unplugged(const char *accel)
{
    check_cycles(accel, &port, true, BUSY);
}

static void test_an_idle_device_can_be_unplugged(const char *accel)
{
    check_cycles(accel, &port, true, IDLE);
}

static void test_a_device_of_a_stopped_vm_can_be_unplugged(const char *accel)
{
    check_cycles(accel, &port, true, STOPPED);
}

static void test_a_device_can_be_unplugged_before_the_start(const char *accel)
{
    check_cycles(accel, &port, false, BUSY);
}

static void test_busy_workers_end_with_the_device(const char *accel)
{
    check_cycles(accel, &port_workers, true, BUSY);
}

static void test_stopped_workers_end_with_the_device(const char *accel)
{
    check_cycles(accel, &port_workers, true, STOPPED);
}

static void test_workers_in_d3hot_end_with_the_device(const char *accel)
{
    check_cycles(accel, &port_workers, true, D3HOT);
}

static void test_a_held_interrupt_ends_with_the_device(const char *accel)
{
    check_cycles(accel, &port_workers, true, HOLDING);
}

/* The message of vector 0, which is in flight, releases the device. */
static void send_letting_go(Vm *vm, Rig *r, bool masked)
{
    struct veu_command_nop nop = veu_make_nop(1);
    uint32_t value;
    uint64_t address = slot_let_go_address(&value);

    nop.header.flags = VEU_COMMAND_INTERRUPT;
    g_assert_cmpint(veu_msix_set(&r->device, 0, address, value), ==, VEU_OK);
    veu_msix_mask(&r->device, 0, masked);
    qmp_do(&vm->qmp, "device_del", "{\"id\":\"veu0\"}");
    rig_put(r, &nop.header);
    rig_submit(r);
}

/* While vector 0's message releases the device, vector 1 waits for its time. */
static void let_go_by_interrupt(Vm *vm, Rig *r)
{
    send_letting_go(vm, r, false);
    qmp_wait_event(&vm->qmp, "DEVICE_DELETED");
}

static void test_an_interrupt_lets_go(const char *accel)
{
    Vm *vm = new_vm(accel, &port_workers);

    vm_run(vm);
    for (unsigned i = 0; i < 3; i++) {
        g_autoptr(Rig) r = plug(vm, &port_workers);
        g_autoptr(Rig) other = rig_add_ring(r, 1);

        rig_set_up_msix(r);
        rig_set_up_msix(other);
        rig_start(r);
        rig_start(other);
        run_interrupts(other);
        let_go_by_interrupt(vm, r);
        wait_threads(vm, 0, 0);
    }
    vm_free(vm);
}

/* A write to the device's own registers sends the message. */
static void let_go_by_unmasking(Vm *vm, Rig *r)
{
    send_letting_go(vm, r, true);
    VM_WAIT(vm, veu_msix_pending(&r->device, 0), "the message to be pending");
    veu_msix_mask(&r->device, 0, false);
    qmp_wait_event(&vm->qmp, "DEVICE_DELETED");
}

static void test_an_unmasked_vector_lets_go(const char *accel)
{
    Vm *vm = new_vm(accel, &port_workers);

    vm_run(vm);
    for (unsigned i = 0; i < 3; i++) {
        g_autoptr(Rig) r = plug(vm, &port_workers);

        rig_set_up_msix(r);
        rig_start(r);
        let_go_by_unmasking(vm, r);
        wait_threads(vm, 0, 0);
    }
    vm_free(vm);
}

static void test_a_pc_can_eject_a_busy_device(const char *accel)
{
    check_cycles(accel, &pc, true, BUSY);
}

static void test_a_pc_can_eject_an_idle_device(const char *accel)
{
    check_cycles(accel, &pc, true, IDLE);
}

static void test_a_pc_can_eject_a_stopped_device(const char *accel)
{
    check_cycles(accel, &pc, true, STOPPED);
}

static void test_plugged_while_the_vm_is_stopped(const char *accel)
{
    Vm *vm = new_vm(accel, &port);
    Rig *r;

    vm_run(vm);
    vm_stop(vm);
    r = plug(vm, &port);
    g_assert_cmpint(veu_ring_start(&r->ring, &r->device, &r->config), ==,
                    VEU_OK);
    vm_settle();
    g_assert_cmpuint(r->shared->state, ==, 0);
    vm_run(vm);
    rig_wait_state(r, VEU_RING_RUNNING);
    rig_assert_works(r);
    unplug(vm, &port, r);
    vm_free(vm);
}

static void limit_files(Vm *vm, unsigned limit)
{
    struct rlimit files;

    g_assert_cmpint(prlimit(vm->pid, RLIMIT_NOFILE, NULL, &files), ==, 0);
    files.rlim_cur = limit;
    g_assert_cmpint(prlimit(vm->pid, RLIMIT_NOFILE, &files, NULL), ==, 0);
}

/* Each of the device's files may be the first for which there is no number. */
static void test_too_many_files_are_open(const char *accel)
{
    Vm *vm = new_vm(accel, &port);
    unsigned files = vm_count_files(vm), refused = 0;
    g_autofree char *plugged = NULL;
    g_autoptr(Rig) r = NULL;

    slot_power_on(vm);
    vm_run(vm);
    for (unsigned limit = files;; limit++) {
        limit_files(vm, limit);
        plugged = qmp_ask(&vm->qmp, "device_add",
                          "{\"driver\":\"veu\",\"id\":\"veu0\",\"bus\":\"rp\","
                          "\"romfile\":\"\"}");
        if (!qmp_is_error(plugged)) {
            break;
        }
        g_assert_nonnull(strstr(plugged, "veu: cannot create an event "
                                         "notifier: Too many open files"));
        g_assert_cmpuint(vm_count_files(vm), ==, files);
        g_free(g_steal_pointer(&plugged));
        refused++;
    }
    g_assert_cmpuint(refused, >=, 5);
    limit_files(vm, 1024);
    r = rig_attach(vm, 0);
    rig_start(r);
    rig_assert_works(r);
    rig_run_endless(r);
    slot_unplug(vm);
    wait_threads(vm, 0, 0);
    g_assert_cmpuint(vm_count_files(vm), ==, files);
    vm_free(vm);
}

/* One of two devices goes away while both are busy. */
static void test_an_unplug_leaves_other_devices(const char *accel)
{
    Slot slot = port;
    Vm *vm;
    Rig *stays, *goes;

    slot.machine = EMPTY_PORT " -device veu,addr=4";
    vm = vm_new(accel, slot.machine);
    port_use(vm);
    stays = rig_attach(vm, 0);
    rig_start(stays);
    rig_run_endless(stays);
    rig_set_up_bridge(vm, 2);
    slot.power_on(vm);
    qmp_do(&vm->qmp, "device_add", slot.plug);
    goes = rig_attach(vm, 1);
    rig_start(goes);
    rig_run_endless(goes);
    qmp_do(&vm->qmp, "device_del", "{\"id\":\"veu0\"}");
    slot.let_go(vm);
    qmp_wait_event(&vm->qmp, "DEVICE_DELETED");
    rig_assert_no_writes(goes);
    rig_wait_writes(stays);
    rig_open(stays);
    rig_start(stays);
    rig_wait_asleep(stays);
    rig_assert_works(stays); /* its doorbell wakes it */
    rig_free(goes);
    rig_free(stays);
    vm_free(vm);
}

/* A device that realize refuses leaves nothing open. */
static void test_refused_device_leaves_nothing(const char *accel)
{
    /* The first is refused early, the others after they have files. */
    static const char *const refused[] = {
        "\"doorbell-stride\":12345",
        "\"capture\":\"/nonexistent\"",
        "\"timeline\":\"/nonexistent/file\"",
        "\"fault-inject\":\"ring=4 action=hang\"",
    };
    Vm *vm = new_vm(accel, &port);
    unsigned files = vm_count_files(vm);

    for (unsigned i = 0; i < 2 * G_N_ELEMENTS(refused); i++) {
        g_autofree char *arguments =
            g_strdup_printf("{\"driver\":\"veu\",\"bus\":\"rp\",%s}",
                            refused[i % G_N_ELEMENTS(refused)]);
        g_autofree char *answer = qmp_ask(&vm->qmp, "device_add", arguments);

        g_assert_true(qmp_is_error(answer));
    }
    rig_wait_threads(vm, 0);
    g_assert_cmpuint(vm_count_files(vm), ==, files);
    cycle(vm, &port, BUSY);
    vm_free(vm);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("a-busy-device-can-be-unplugged",
                      test_a_busy_device_can_be_unplugged);
    rig_test_add("an-idle-device-can-be-unplugged",
                 test_an_idle_device_can_be_unplugged);
    rig_test_add("a-device-of-a-stopped-vm-can-be-unplugged",
                 test_a_device_of_a_stopped_vm_can_be_unplugged);
    rig_test_add("a-device-can-be-unplugged-before-the-start",
                 test_a_device_can_be_unplugged_before_the_start);
    rig_test_add_both("busy-workers-end-with-the-device",
                      test_busy_workers_end_with_the_device);
    rig_test_add("stopped-workers-end-with-the-device",
                 test_stopped_workers_end_with_the_device);
    rig_test_add("workers-in-d3hot-end-with-the-device",
                 test_workers_in_d3hot_end_with_the_device);
    rig_test_add("a-held-interrupt-ends-with-the-device",
                 test_a_held_interrupt_ends_with_the_device);
    rig_test_add("an-interrupt-lets-go", test_an_interrupt_lets_go);
    rig_test_add("an-unmasked-vector-lets-go", test_an_unmasked_vector_lets_go);
    rig_test_add_both("a-pc-can-eject-a-busy-device",
                      test_a_pc_can_eject_a_busy_device);
    rig_test_add("a-pc-can-eject-an-idle-device",
                 test_a_pc_can_eject_an_idle_device);
    rig_test_add("a-pc-can-eject-a-stopped-device",
                 test_a_pc_can_eject_a_stopped_device);
    rig_test_add("plugged-while-the-vm-is-stopped",
                 test_plugged_while_the_vm_is_stopped);
    rig_test_add("an-unplug-leaves-other-devices",
                 test_an_unplug_leaves_other_devices);
    rig_test_add("refused-device-leaves-nothing",
                 test_refused_device_leaves_nothing);
    rig_test_add("too-many-files-are-open", test_too_many_files_are_open);
    return g_test_run();
}
