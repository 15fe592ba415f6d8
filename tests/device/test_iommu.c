/*
 * veu device tests: behind a vIOMMU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The device's addresses are IOMMU_OFFSET above those of guest memory.
 */
#include <string.h>
#include "tests/device/iommu.h"
#include "tests/device/rig.h"
#include "tests/device/work.h"

#define Q35 "-M q35 " IOMMU_DEVICE "-device veu,id=veu0,addr=4"
#define ROOT_PORT                             \
    "-M q35 " RIG_NATIVE_HOTPLUG IOMMU_DEVICE \
    "-device pcie-root-port,id=rp,addr=2 -device veu,id=veu0,bus=rp"

static Rig *new_rig(const char *accel, const char *arguments)
{
    Rig *r = rig_new(accel, arguments);

    iommu_set_up(r->vm);
    port_set_device_offset(IOMMU_OFFSET);
    return r;
}

/* ---- translation ---- */

static void test_commands_and_interrupts_are_translated(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);
    struct veu_command_fence fence = veu_make_fence(1, r->fence, 0);

    rig_set_up_msix(r);
    rig_start(r);
    fence.header.flags = VEU_COMMAND_INTERRUPT;
    for (uint64_t i = 1; i <= 100; i++) {
        fence.value = i;
        rig_put(r, &fence.header);
        rig_submit(r);
        rig_wait_message(r);
        g_assert_cmpuint(*r->fence, ==, i);
    }
}

/* Eight lanes each read a page, and write next to each other. */
static struct veu_command_dispatch make_svm(Rig *r, uint8_t *pages[8])
{
    struct veu_command_dispatch command;
    struct veu_program p;
    uint64_t *addresses;

    veu_program_begin(&p, r->program, RIG_PROGRAM_BYTES, 32);
    veu_program_variable(&p, VEU_TYPE_UQ, 8);
    veu_program_variable(&p, VEU_TYPE_UD, 8);
    veu_encode_svm_gather(&p.code, VEU_PRED_ALWAYS, 4, 1, veu_m(1, 8),
                          veu_v(32), veu_v(33));
    command = veu_make_dispatch(1, r->program, veu_program_end(&p), 8);
    memset(r->payload, 0, veu_payload_bytes(&p));
    *(uint32_t *)r->payload = 0xff;
    addresses = (uint64_t *)veu_payload_registers(r->payload, &p);
    for (unsigned i = 0; i < 8; i++) {
        pages[i] = r->arena + i * IOMMU_PAGE_BYTES;
        *(uint32_t *)pages[i] = 0x100 + i;
        addresses[i] = veu_port_device_address(pages[i]);
    }
    veu_launch_payload(&command.launch, r->payload, veu_payload_bytes(&p));
    veu_launch_result(&command.launch, r->result, veu_program_offset(&p, 33),
                      32);
    return command;
}

static void assert_result(Rig *r, unsigned lane, uint32_t value)
{
    g_assert_cmphex(((uint32_t *)r->result)[lane], ==, value);
}

static void test_messages_are_translated(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);
    uint8_t *pages[8];
    struct veu_command_dispatch command = make_svm(r, pages);

    rig_start(r);
    for (unsigned i = 0; i < 10; i++) {
        memset(r->result, 0, 32);
        rig_run(r, &command.header);
        for (unsigned lane = 0; lane < 8; lane++) {
            assert_result(r, lane, 0x100 + lane);
        }
    }
}

/* Each translation is a hit or a miss. */
static void test_translations_are_counted(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);
    struct veu_command_copy copy =
        veu_make_copy(1, r->arena + 0x10000, r->arena, 8 * IOMMU_PAGE_BYTES);
    uint64_t counted;

    rig_start(r);
    rig_run(r, &copy.header);
    veu_write32(&r->device, VEU_REG_COUNTER_CONTROL, VEU_COUNTER_SNAPSHOT);
    counted = veu_read64(&r->device, VEU_REG_COUNTER_CACHE_MISSES);
    g_assert_cmpuint(counted, >=, 16);
    rig_run(r, &copy.header);
    veu_write32(&r->device, VEU_REG_COUNTER_CONTROL, VEU_COUNTER_SNAPSHOT);
    g_assert_cmpuint(veu_read64(&r->device, VEU_REG_COUNTER_CACHE_MISSES) +
                         veu_read64(&r->device, VEU_REG_COUNTER_CACHE_HITS),
                     >=, counted + 16);
}

/* One page of the ring and one of the data are elsewhere in guest memory. */
static void test_pages_are_where_the_iommu_says(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);
    uint8_t *pages[8];
    struct veu_command_dispatch command = make_svm(r, pages);
    struct veu_command_fence fence = veu_make_fence(1, r->fence, 0x77);
    uint8_t *other = r->arena + 100 * IOMMU_PAGE_BYTES;

    *(uint32_t *)other = 0xabcd;
    iommu_map(r->vm, pages[5], other, IOMMU_BOTH);
    iommu_map(r->vm, r->fence, other + IOMMU_PAGE_BYTES, IOMMU_BOTH);
    iommu_invalidate(r->vm, IOMMU_GLOBAL, NULL);
    rig_start(r);
    rig_run(r, &command.header);
    assert_result(r, 4, 0x104);
    assert_result(r, 5, 0xabcd);
    *r->fence = 0;
    rig_run(r, &fence.header);
    g_assert_cmphex(*r->fence, ==, 0);
    g_assert_cmphex(*(uint64_t *)(other + IOMMU_PAGE_BYTES), ==, 0x77);
}

static void check_remap(Rig *r, IommuScope scope)
{
    uint8_t *pages[8];
    struct veu_command_dispatch command = make_svm(r, pages);
    uint8_t *other = r->arena + 200 * IOMMU_PAGE_BYTES;

    *(uint32_t *)other = 0x7777;
    rig_start(r);
    for (unsigned i = 0; i < 20; i++) {
        rig_run(r, &command.header);
        assert_result(r, 2, 0x102);
        iommu_map(r->vm, pages[2], other, IOMMU_BOTH);
        iommu_invalidate(r->vm, scope, pages[2]);
        rig_run(r, &command.header);
        assert_result(r, 2, 0x7777);
        iommu_map(r->vm, pages[2], pages[2], IOMMU_BOTH);
        iommu_invalidate(r->vm, scope, pages[2]);
    }
}

static void test_page_invalidation_takes_effect(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);

    check_remap(r, IOMMU_PAGE);
}

static void test_domain_invalidation_takes_effect(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);

    check_remap(r, IOMMU_DOMAIN);
}

static void test_global_invalidation_takes_effect(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);

    check_remap(r, IOMMU_GLOBAL);
}

/* After an unmap and its invalidation, a busy device no longer writes there. */
static void test_unmapped_page_is_written_no_more(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);

    for (unsigned i = 0; i < 10; i++) {
        iommu_map(r->vm, r->arena, r->arena, IOMMU_BOTH);
        iommu_invalidate(r->vm, IOMMU_GLOBAL, NULL);
        rig_start(r);
        rig_run_endless(r);
        iommu_map(r->vm, r->arena, NULL, IOMMU_NONE);
        iommu_invalidate(r->vm, 1 + i % 3, r->arena);
        memset(r->arena, 0, 32);
        rig_wait_ring_fault(r, VEU_FAULT_ADDRESS);
        vm_settle();
        g_assert_cmphex(*(uint64_t *)r->arena, ==, 0);
    }
}

static void test_moved_pages_are_written_no_more(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);

    rig_start(r);
    work_assert_pages_move(r, iommu_map, iommu_invalidate);
}

static void test_pages_of_a_domain_that_was_left_are_written_no_more(
    const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, "-M q35 " IOMMU_SCALABLE
                                      "-device veu,id=veu0,addr=4");

    iommu_set_up_scalable(r->vm);
    port_set_device_offset(IOMMU_OFFSET);
    rig_start(r);
    work_run_counters(r);
    for (unsigned n = 0; n < WORK_COUNTERS; n++) {
        uint8_t *page = r->arena + n * IOMMU_PAGE_BYTES;

        iommu_map_other(r->vm, page, page + WORK_COUNTERS * IOMMU_PAGE_BYTES);
    }
    iommu_change_domain(r->vm);
    work_assert_moved(r, 0, WORK_COUNTERS);
}

static uint64_t count_misses(Rig *r)
{
    veu_write32(&r->device, VEU_REG_COUNTER_CONTROL, VEU_COUNTER_SNAPSHOT);
    return veu_read64(&r->device, VEU_REG_COUNTER_CACHE_MISSES);
}

static bool keeps_translations(Rig *r)
{
    g_autofree char *answer = qmp_ask(&r->vm->qmp, "query-version", NULL);
    const char *major = strstr(answer, "\"major\": ");

    g_assert_nonnull(major);
    return atoi(major + strlen("\"major\": ")) >= 10;
}

static void wait_counted(Rig *r, uint32_t messages)
{
    uint32_t first = work_counter(r, 0);

    VM_WAIT(r->vm, work_counter(r, 0) - first > messages, "the dispatch");
}

/* They remain cached until they are invalidated. */
static void test_translations_are_kept(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);
    uint64_t misses = 0;

    if (!keeps_translations(r)) {
        g_test_skip("this QEMU's vIOMMU does not report all invalidations");
        return;
    }
    vm_run(r->vm);
    rig_start(r);
    work_run_counters(r);
    for (unsigned i = 0; i < 5; i++) {
        iommu_invalidate(r->vm, IOMMU_GLOBAL, NULL);
        wait_counted(r, 1000);
        g_assert_cmpuint(count_misses(r), >, misses + WORK_COUNTERS);
        misses = count_misses(r);
        wait_counted(r, 100000);
        g_assert_cmpuint(count_misses(r), ==, misses);
    }
}

/* Each lane loads from a page of its own, so that all of them miss at first. */
#define PAGES_TOUCHED 2048

static struct veu_command_dispatch make_page_loads(Rig *r)
{
    const unsigned groups = PAGES_TOUCHED / 8;
    struct veu_command_dispatch command;
    struct veu_program p;
    uint32_t bytes;

    veu_program_begin(&p, r->program, RIG_PROGRAM_BYTES, 32);
    veu_program_variable(&p, VEU_TYPE_UQ, 8);
    veu_program_variable(&p, VEU_TYPE_UD, 8);
    veu_encode_svm_gather(&p.code, VEU_PRED_ALWAYS, 4, 1, veu_m(1, 8),
                          veu_v(32), veu_v(33));
    command = veu_make_dispatch(1, r->program, veu_program_end(&p), 8);
    bytes = veu_payload_bytes(&p);
    for (unsigned group = 0; group < groups; group++) {
        uint8_t *payload = r->payload + group * bytes;
        uint64_t *addresses = (uint64_t *)veu_payload_registers((void *)payload,
                                                                &p);

        memset(payload, 0, bytes);
        *(uint32_t *)payload = 0xff;
        for (unsigned i = 0; i < 8; i++) {
            uint64_t page = (group * 8 + i) % (RIG_RESULT_BYTES / 4096);

            addresses[i] = veu_port_device_address(r->result + page * 4096);
        }
    }
    veu_launch_payload(&command.launch, r->payload, bytes);
    command.launch.payload_stride = bytes;
    command.launch.groups = groups;
    return command;
}

/*
 * Each takes QEMU 60 ms, and two or three pages may be all that the main loop
 * translates between two of them.
 */
#define DEVICE_ADDS 10

/*
 * A device_add that fails makes the main loop wait for a grace period of RCU,
 * while the device thread waits for translations that the main loop makes.
 */
static void test_a_grace_period_waits_for_no_translation(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);
    struct veu_command_dispatch command = make_page_loads(r);

    vm_run(r->vm);
    rig_start(r);
    for (unsigned i = 0; i < 50; i++) {
        iommu_invalidate(r->vm, IOMMU_GLOBAL, NULL);
        rig_put(r, &command.header);
        rig_submit(r);
        for (unsigned n = 0;
             n < DEVICE_ADDS && veu_ring_head(&r->ring) != r->ring.tail; n++) {
            g_autofree char *answer = qmp_ask(&r->vm->qmp, "device_add",
                                              "{\"driver\":\"veu\","
                                              "\"rings\":0}");

            g_assert_true(qmp_is_error(answer));
        }
        rig_wait(r);
    }
    rig_assert_works(r);
}

/* ---- faults ---- */

static void unmap(Rig *r, const void *memory, IommuAccess access)
{
    iommu_map(r->vm, memory, memory, access);
    iommu_invalidate(r->vm, IOMMU_GLOBAL, NULL);
    iommu_arm_fault_event(r->vm);
}

static void test_unmapped_lane_is_a_fault(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);
    uint8_t *pages[8];
    struct veu_command_dispatch command = make_svm(r, pages);

    for (unsigned i = 0; i < 5; i++) {
        struct veu_fault_record record;

        unmap(r, pages[i], IOMMU_NONE);
        rig_start(r);
        record = rig_run_fault(r, &command.header, VEU_FAULT_ADDRESS);
        g_assert_cmpuint(record.lane, ==, 0);
        g_assert_cmphex(record.lanes, ==, (1u << (i + 1)) - 1);
        g_assert_cmphex(record.address, ==, veu_port_device_address(pages[0]));
        g_assert_true(iommu_has_fault(r->vm));
        vm_assert_answers(r->vm);
    }
}

/*
 * An atomic needs permission to read and to write, in a window and in an IOMMU.
 */
static void test_an_atomic_needs_both_permissions(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);
    uint32_t *word = (uint32_t *)r->arena;
    struct veu_command_dispatch command;
    struct veu_program p;

    veu_program_begin(&p, r->program, RIG_PROGRAM_BYTES, 32);
    veu_program_variable(&p, VEU_TYPE_UQ, 1);
    veu_program_variable(&p, VEU_TYPE_UD, 1);
    veu_encode_svm_atomic(&p.code, VEU_PRED_ALWAYS, VEU_ATOMIC_INC, 32,
                          veu_m(1, 1), veu_v(32), veu_v(33), VEU_NULL,
                          VEU_NULL);
    command = veu_make_dispatch(1, r->program, veu_program_end(&p), 8);
    memset(r->payload, 0, veu_payload_bytes(&p));
    *(uint32_t *)r->payload = 1;
    *(uint64_t *)veu_payload_registers((void *)r->payload,
                                       &p) = veu_port_device_address(word);
    veu_launch_payload(&command.launch, r->payload, veu_payload_bytes(&p));
    for (unsigned permitted = IOMMU_READ; permitted <= IOMMU_BOTH;
         permitted++) {
        *word = 7;
        unmap(r, word, permitted);
        rig_start(r);
        if (permitted == IOMMU_BOTH) {
            rig_run(r, &command.header);
            g_assert_cmphex(*word, ==, 8);
        } else {
            rig_run_fault(r, &command.header, VEU_FAULT_ADDRESS);
            g_assert_cmphex(*word, ==, 7);
        }
    }
}

static void test_unmapped_fence_is_a_fault(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);
    struct veu_command_fence fence = veu_make_fence(1, r->fence, 1);

    vm_run(r->vm);
    rig_start(r);
    unmap(r, r->fence, IOMMU_NONE);
    rig_run_fault(r, &fence.header, VEU_FAULT_COMMAND_MEMORY);
    g_assert_true(iommu_has_fault(r->vm));
    unmap(r, r->fence, IOMMU_READ);
    rig_start(r);
    rig_run_fault(r, &fence.header, VEU_FAULT_COMMAND_MEMORY);
    unmap(r, r->fence, IOMMU_BOTH);
    rig_start(r);
    rig_assert_works(r);
}

static void test_unmapped_ring_is_a_fault(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);
    struct veu_command_nop nop = veu_make_nop(0);

    rig_start(r);
    rig_wait_asleep(r);
    unmap(r, r->slots, IOMMU_NONE);
    rig_put(r, &nop.header);
    rig_submit(r);
    rig_wait_ring_fault(r, VEU_FAULT_RING_MEMORY);
    unmap(r, r->slots, IOMMU_BOTH);
    rig_start(r);
    rig_wait_asleep(r);
    unmap(r, r->shared, IOMMU_NONE);
    veu_ring_kick(&r->ring);
    rig_wait_ring_fault(r, VEU_FAULT_RING_MEMORY);
    unmap(r, r->shared, IOMMU_READ);
    rig_start_raw(r);
    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
    rig_wait_ring_fault(r, VEU_FAULT_RING_MEMORY);
    unmap(r, r->shared, IOMMU_BOTH);
    rig_start(r);
    rig_assert_works(r);
}

static void test_read_only_page_can_be_read(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);
    uint8_t *pages[8];
    struct veu_command_dispatch command = make_svm(r, pages);

    for (unsigned i = 0; i < 8; i++) {
        unmap(r, pages[i], IOMMU_READ);
    }
    unmap(r, r->program, IOMMU_READ);
    unmap(r, r->payload, IOMMU_READ);
    unmap(r, r->slots, IOMMU_READ);
    rig_start(r);
    rig_run(r, &command.header);
    assert_result(r, 7, 0x107);
    g_assert_false(iommu_has_fault(r->vm));
    unmap(r, r->result, IOMMU_READ);
    rig_run_fault(r, &command.header, VEU_FAULT_RESULT_MEMORY);
}

/* An address that the IOMMU permits also has to be RAM. */
static void test_mapped_page_has_to_be_ram(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);
    struct veu_command_fence fence = veu_make_fence(1, r->fence, 1);
    const uint64_t targets[] = {
        (uintptr_t)r->device.regs,
        (uintptr_t)r->device.doorbells,
        0xfed90000, /* the IOMMU itself */
        0xfec00000, /* I/O APIC */
        0xffff0000, /* BIOS */
        0xf0000,    /* the same */
        0xd0000000, /* a hole */
        VM_RAM_BYTES,
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(targets); i++) {
        iommu_map_address(r->vm, r->fence, targets[i], IOMMU_BOTH);
        iommu_invalidate(r->vm, IOMMU_GLOBAL, NULL);
        rig_start(r);
        rig_run_fault(r, &fence.header, VEU_FAULT_COMMAND_MEMORY);
    }
}

/* Many consecutive faults occur, each of which interrupts a processor. */
static void test_faults_may_interrupt_at_any_time(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);
    uint8_t *pages[8];
    struct veu_command_dispatch command = make_svm(r, pages);

    vm_run(r->vm);
    unmap(r, pages[3], IOMMU_NONE);
    command.launch.threads = 500;
    command.launch.result_stride = 0;
    command.launch.payload_stride = 0;
    rig_start_policy(r, VEU_POLICY_SKIP_MESSAGE);
    rig_put(r, &command.header);
    rig_submit(r);
    for (unsigned i = 0; i < 50; i++) {
        iommu_arm_fault_event(r->vm);
    }
    rig_wait(r);
    g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_FAULT_COUNT), ==, 500);
}

/* A worker does not have the lock that it needs to ask the vIOMMU. */
static void test_workers_do_not_take_part(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35 ",workers=4");
    struct veu_command_dispatch work;
    unsigned before;

    vm_run(r->vm);
    rig_start(r);
    work_make(r, &work);
    VM_WAIT(r->vm, vm_count_sleepers(r->vm, "veu-worker") == 3,
            "the workers to sleep");
    vm_settle();
    before = vm_count_sleeps(r->vm, "veu-worker");
    for (unsigned i = 0; i < 3; i++) {
        rig_run(r, &work.header);
        work_assert_done(r);
    }
    vm_settle();
    g_assert_cmpuint(vm_count_sleeps(r->vm, "veu-worker"), ==, before);
}

/* ---- under the main lock ---- */

static void test_main_loop_answers_while_it_is_busy(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);
    int64_t start;

    vm_run(r->vm);
    rig_start(r);
    rig_run_endless(r);
    start = g_get_monotonic_time();
    for (unsigned i = 0; i < 100; i++) {
        vm_assert_answers(r->vm);
        rig_ring_read(r, VEU_REG_RING_STATE);
    }
    g_test_message("%.1f ms for 100 answers",
                   (g_get_monotonic_time() - start) / 1000.0);
}

static void test_stop_and_cont_while_it_is_busy(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);

    vm_run(r->vm);
    rig_start(r);
    rig_run_endless(r);
    for (unsigned i = 0; i < 10; i++) {
        vm_stop(r->vm);
        rig_assert_no_writes(r);
        vm_run(r->vm);
        rig_wait_writes(r);
    }
}

static void test_resets_while_it_is_busy(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);
    unsigned at = veu_pci_capability(r->device.function, VEU_PCI_CAP_EXPRESS);

    for (unsigned i = 0; i < 12; i++) {
        rig_start(r);
        rig_run_endless(r);
        switch (i % 3) {
        case 0:
            veu_reset(&r->device);
            break;
        case 1:
            rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_RESET);
            break;
        default:
            veu_port_config_write(r->device.function, at + 8, 2, 0x8000);
            break;
        }
        rig_assert_no_writes(r);
        rig_open(r);
        rig_assert_reset_values(r);
    }
}

/* The reset of the machine turns translation off. */
static void test_machine_reset_while_it_is_busy(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);

    vm_run(r->vm);
    for (unsigned i = 0; i < 5; i++) {
        rig_start(r);
        rig_run_endless(r);
        vm_reset(r->vm);
        rig_assert_no_writes(r);
        rig_open(r);
        rig_assert_reset_values(r);
        port_set_device_offset(0);
        rig_start(r);
        rig_assert_works(r);
        iommu_set_up(r->vm);
        port_set_device_offset(IOMMU_OFFSET);
    }
}

static void test_unplug_while_it_is_busy(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, ROOT_PORT);
    const uint16_t bridge = 2 << 3;
    unsigned at = veu_pci_capability(bridge, VEU_PCI_CAP_EXPRESS) + 0x18;

    vm_run(r->vm);
    for (unsigned i = 0; i < 5; i++) {
        rig_start(r);
        rig_run_endless(r);
        qmp_do(&r->vm->qmp, "device_del", "{\"id\":\"veu0\"}");
        veu_port_config_write(bridge, at, 2, 0x0700);
        qmp_wait_event(&r->vm->qmp, "DEVICE_DELETED");
        rig_assert_no_writes(r);
        rig_wait_threads(r->vm, 0);
        veu_port_config_write(bridge, at, 2, 0x0100);
        qmp_do(&r->vm->qmp, "device_add",
               "{\"driver\":\"veu\",\"id\":\"veu0\",\"bus\":\"rp\"}");
        rig_open(r);
    }
    rig_start(r);
    rig_assert_works(r);
}

/* Here addresses are the same with and without translation. */
static void test_translation_comes_and_goes_while_it_is_busy(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);

    port_set_device_offset(0);
    vm_run(r->vm);
    rig_start(r);
    rig_run_endless(r);
    for (unsigned i = 0; i < 200; i++) {
        iommu_set_enabled(r->vm, i % 2);
    }
    rig_wait_writes(r);
    g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_FAULT_COUNT), ==, 0);
}

/*
 * Only the IOMMU refuses this page: a walk that fails outside of the main lock
 * would end QEMU.
 */
static void test_translation_comes_and_goes_with_faults(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, Q35);
    uint8_t *pages[8];
    struct veu_command_dispatch command;

    port_set_device_offset(0);
    command = make_svm(r, pages);
    command.launch.threads = 1024;
    command.launch.groups = 0x100000;
    command.launch.result_stride = 0;
    command.launch.payload_stride = 0;
    vm_run(r->vm);
    unmap(r, pages[3], IOMMU_NONE);
    rig_start_policy(r, VEU_POLICY_SKIP_MESSAGE);
    rig_put(r, &command.header);
    rig_submit(r);
    for (unsigned i = 0; i < 300; i++) {
        iommu_set_enabled(r->vm, i % 2);
        iommu_arm_fault_event(r->vm);
    }
    vm_assert_answers(r->vm);
    g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_STATE), ==, 1);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("commands-and-interrupts-are-translated",
                      test_commands_and_interrupts_are_translated);
    rig_test_add_both("messages-are-translated", test_messages_are_translated);
    rig_test_add("translations-are-counted", test_translations_are_counted);
    rig_test_add("pages-are-where-the-iommu-says",
                 test_pages_are_where_the_iommu_says);
    rig_test_add("page-invalidation-takes-effect",
                 test_page_invalidation_takes_effect);
    rig_test_add("domain-invalidation-takes-effect",
                 test_domain_invalidation_takes_effect);
    rig_test_add("global-invalidation-takes-effect",
                 test_global_invalidation_takes_effect);
    rig_test_add("unmapped-page-is-written-no-more",
                 test_unmapped_page_is_written_no_more);
    rig_test_add_both("moved-pages-are-written-no-more",
                      test_moved_pages_are_written_no_more);
    rig_test_add_both("pages-of-a-domain-that-was-left-are-written-no-more",
                      test_pages_of_a_domain_that_was_left_are_written_no_more);
    rig_test_add_both("translations-are-kept", test_translations_are_kept);
    rig_test_add_both("a-grace-period-waits-for-no-translation",
                      test_a_grace_period_waits_for_no_translation);
    rig_test_add_both("an-atomic-needs-both-permissions",
                      test_an_atomic_needs_both_permissions);
    rig_test_add_both("unmapped-lane-is-a-fault",
                      test_unmapped_lane_is_a_fault);
    rig_test_add_both("unmapped-fence-is-a-fault",
                      test_unmapped_fence_is_a_fault);
    rig_test_add("unmapped-ring-is-a-fault", test_unmapped_ring_is_a_fault);
    rig_test_add("read-only-page-can-be-read", test_read_only_page_can_be_read);
    rig_test_add_both("mapped-page-has-to-be-ram",
                      test_mapped_page_has_to_be_ram);
    rig_test_add_both("faults-may-interrupt-at-any-time",
                      test_faults_may_interrupt_at_any_time);
    rig_test_add_both("workers-do-not-take-part",
                      test_workers_do_not_take_part);
    rig_test_add_both("main-loop-answers-while-it-is-busy",
                      test_main_loop_answers_while_it_is_busy);
    rig_test_add_both("stop-and-cont-while-it-is-busy",
                      test_stop_and_cont_while_it_is_busy);
    rig_test_add("resets-while-it-is-busy", test_resets_while_it_is_busy);
    rig_test_add("machine-reset-while-it-is-busy",
                 test_machine_reset_while_it_is_busy);
    rig_test_add_both("unplug-while-it-is-busy", test_unplug_while_it_is_busy);
    rig_test_add("translation-comes-and-goes-while-it-is-busy",
                 test_translation_comes_and_goes_while_it_is_busy);
    rig_test_add("translation-comes-and-goes-with-faults",
                 test_translation_comes_and_goes_with_faults);
    return g_test_run();
}
