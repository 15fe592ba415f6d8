/*
 * veu device tests: storms: rings, resets, and what happens to machines.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/iommu.h"
#include "tests/device/move.h"
#include "tests/device/resets.h"
#include "tests/device/slot.h"
#include "tests/device/storm.h"

/* Returns true rarely, for actions that take longer than the others. */
static bool is_rare(void)
{
    return storm_below(4) == 0;
}

/* ---- the ring ---- */

void storm_start_ring(Storm *s)
{
    Rig *r = s->rig;

    r->config.policy = storm_below(3);
    rig_start_raw(r);
    rig_ring_write(r, VEU_REG_RING_CONTEXT, storm_below(STORM_RINGS));
    rig_ring_write(r, VEU_REG_RING_HEAD, storm_random32());
    r->shared->tail = rig_ring_read(r, VEU_REG_RING_HEAD) +
                      storm_below(RIG_SLOTS);
    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
}

void storm_stop_ring(Storm *s)
{
    rig_ring_write(s->rig, VEU_REG_RING_CONTROL, storm_below(4));
}

/* ---- the device ---- */

/* It may not be a device now, after earlier or concurrent damage. */
static void open_again(Storm *s)
{
    Rig *r = s->rig;

    r->config.number = 0;
    if (rig_try_open(r) == VEU_OK && veu_msix_enable(&r->device) == VEU_OK) {
        veu_msix_set(&r->device, 0, veu_port_device_address(r->message),
                     RIG_MESSAGE);
        r->config.vector = 0;
    }
}

void storm_repair(Storm *s)
{
    resets_set_power_state(s->rig, 0);
    reset_function(s->rig);
    open_again(s);
}

void storm_toggle_master(Storm *s)
{
    const uint16_t function = s->rig->device.function;

    veu_port_config_write(function, 4, 2, 2);
    vm_assert_answers(s->rig->vm);
    veu_port_config_write(function, 4, 2, 6);
}

void storm_reset_device(Storm *s)
{
    if (s->has_slot && storm_below(2)) {
        reset_bus(s->rig);
    } else if (storm_below(2)) {
        reset_power(s->rig);
    } else {
        reset_function(s->rig);
    }
    open_again(s);
}

/* Unplugs the device, and plugs in another one. */
void storm_replug(Storm *s)
{
    Vm *vm = s->rig->vm;

    if (!s->has_slot) {
        return;
    }
    slot_unplug(vm);
    slot_power_on(vm);
    qmp_do(&vm->qmp, "device_add",
           "{\"driver\":\"veu\",\"id\":\"veu0\",\"bus\":\"rp\","
           "\"workers\":3}");
    open_again(s);
}

/* ---- the machine ---- */

void storm_toggle_vm(Storm *s)
{
    if (s->has_no_processor) {
        return;
    }
    vm_stop(s->rig->vm);
    if (storm_below(2)) {
        storm_ring_doorbell(s);
        storm_write_register(s);
    }
    vm_run(s->rig->vm);
}

void storm_reset_machine(Storm *s)
{
    if (!is_rare()) {
        return;
    }
    vm_reset(s->rig->vm);
    if (s->has_iommu) {
        iommu_set_up(s->rig->vm);
    }
    if (s->has_slot) {
        rig_set_up_bridge(s->rig->vm, 2);
    }
    storm_set_up_dma(s);
    open_again(s);
}

void storm_toggle_iommu(Storm *s)
{
    Rig *r = s->rig;
    uint8_t *page = r->slots + storm_below(0x2000) * IOMMU_PAGE_BYTES;

    if (!s->has_iommu) {
        return;
    }
    if (storm_below(8) == 0) {
        iommu_set_enabled(r->vm, false);
        iommu_set_enabled(r->vm, true);
    }
    iommu_map(r->vm, page, page, storm_below(4));
    iommu_invalidate(r->vm, 1 + storm_below(3), page);
    iommu_arm_fault_event(r->vm);
    iommu_map(r->vm, page, page, IOMMU_BOTH);
}

/* A cancelled migration may also fail, because QEMU closes the file. */
static bool has_saved(Vm *vm, bool cancelled, char **answer)
{
    g_free(*answer);
    *answer = qmp_ask(&vm->qmp, "query-migrate", NULL);
    return strstr(*answer, "\"completed\"") ||
           (cancelled && (strstr(*answer, "\"cancelled\"") ||
                          strstr(*answer, "\"failed\"")));
}

/* the migration's thread may still be finishing */
static bool can_go_on(Vm *vm)
{
    g_autofree char *answer = qmp_ask(&vm->qmp, "cont", NULL);

    return !qmp_is_error(answer);
}

/* Saves a state to nowhere, sometimes only a part; the VM continues here. */
void storm_save(Storm *s)
{
    Vm *vm = s->rig->vm;
    g_autofree char *answer = NULL;
    bool cancel = storm_below(2);

    if (s->has_no_processor || !is_rare()) {
        return;
    }
    /* memory may be written faster than it is saved: stop for the rest */
    qmp_do(&vm->qmp, "migrate-set-parameters", "{\"downtime-limit\":60000}");
    qmp_do(&vm->qmp, "migrate", "{\"uri\":\"exec:cat >/dev/null\"}");
    storm_ring_doorbell(s);
    storm_write_register(s);
    if (cancel) {
        qmp_do(&vm->qmp, "migrate_cancel", NULL);
    }
    VM_WAIT(vm, has_saved(vm, cancel, &answer), "the end of %s", answer);
    VM_WAIT(vm, can_go_on(vm), "the VM to continue");
}

/* Returns to an earlier moment; but "edu" has no state. */
void storm_load(Storm *s)
{
    Vm *vm = s->rig->vm;

    if (!s->disk || !is_rare()) {
        return;
    }
    move_save_snapshot(vm);
    storm_start_ring(s);
    move_load_snapshot(vm);
    storm_set_up_dma(s);
    vm_run(vm);
}

static void set_rules(Storm *s, const char *rules)
{
    g_autofree char *arguments =
        g_strdup_printf("{\"path\":\"/machine/peripheral/veu%u\","
                        "\"property\":\"fault-inject\",\"value\":\"%s\"}",
                        s->rig->index, rules);

    g_free(qmp_ask(&s->rig->vm->qmp, "qom-set", arguments));
}

/* The user sets other rules at a random moment; some are illegal. */
void storm_set_rules(Storm *s)
{
    static const char *const rules[] = {
        "",
        "opcode=svm_gather lane=1 action=fault:ADDRESS",
        "opcode=fence action=hang; opcode=svm_gather action=corrupt",
        "opcode=dispatch nth=2 action=fault:PAYLOAD_MEMORY",
        "probability=0.3 seed=7 action=delay:1ms",
        "action=drop:head probability=0.2",
        "opcode=copy action=corrupt; opcode=wait action=fault:WAIT_TIMEOUT",
        "opcode=dispatch lane=1 action=hang",
    };

    set_rules(s, rules[storm_below(G_N_ELEMENTS(rules))]);
}

void storm_clear_rules(Storm *s)
{
    set_rules(s, "");
}

void storm_look(Storm *s)
{
    static const char *const properties[] = { "ring[0]", "ring[3]", "counters",
                                              "last-fault",
                                              "fault-inject-state" };
    g_autofree char *arguments = g_strdup_printf(
        "{\"path\":\"/machine/peripheral/veu%u\",\"property\":\"%s\"}",
        s->rig->index, properties[storm_below(G_N_ELEMENTS(properties))]);

    qmp_do(&s->rig->vm->qmp, "qom-get", arguments);
}
