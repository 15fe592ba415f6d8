/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The QEMU device "veu": its QOM type, its BARs and its properties.
 */
#include "qemu/osdep.h"
#include "qemu/module.h"
#include "qemu/units.h"
#include "qapi/error.h"
#include "hw/veu/qemu/trace.h"
#include "hw/veu/qemu/capture.h"
#include "hw/veu/qemu/deterministic.h"
#include "hw/veu/qemu/display.h"
#include "hw/veu/qemu/engine_pause.h"
#include "hw/veu/qemu/gdb.h"
#include "hw/veu/qemu/inject.h"
#include "hw/veu/qemu/introspect.h"
#include "hw/veu/qemu/migration.h"
#include "hw/veu/qemu/power.h"
#include "hw/veu/qemu/profile.h"
#include "hw/veu/qemu/properties.h"
#include "hw/veu/qemu/rom.h"
#include "hw/veu/qemu/timeline.h"
#include "hw/veu/qemu/veu.h"
#include "veu/regs.h"

static uint64_t veu_regs_read(void *opaque, hwaddr offset, unsigned bytes)
{
    VeuState *s = opaque;
    uint64_t value = veu_device_read(s->device, offset, bytes);

    trace_veu_register_read(offset, value, bytes);
    return value;
}

static void veu_regs_write(void *opaque, hwaddr offset, uint64_t value,
                           unsigned bytes)
{
    VeuState *s = opaque;

    trace_veu_register_write(offset, value, bytes);
    if (s->engine.in_main_loop) {
        trace_veu_ub_register("write by the vIOMMU", offset, value);
        return;
    }
    veu_engine_write(s, offset, value, bytes);
}

/* Passes all accesses: the device model ignores and reports bad ones. */
static const MemoryRegionOps veu_regs_ops = {
    .read = veu_regs_read,
    .write = veu_regs_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 8, .unaligned = true },
    .impl = { .min_access_size = 1, .max_access_size = 8, .unaligned = true },
};

static uint64_t veu_doorbells_read(void *opaque, hwaddr offset, unsigned bytes)
{
    return 0;
}

/*
 * Only writes that are not delivered as an ioeventfd come here: other sizes,
 * qtest.
 */
static void veu_doorbells_write(void *opaque, hwaddr offset, uint64_t value,
                                unsigned bytes)
{
    VeuState *s = opaque;

    trace_veu_doorbell(offset);
    veu_engine_kick(&s->engine);
}

static const MemoryRegionOps veu_doorbells_ops = {
    .read = veu_doorbells_read,
    .write = veu_doorbells_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 8, .unaligned = true },
    .impl = { .min_access_size = 1, .max_access_size = 8, .unaligned = true },
};

static void veu_init_bars(VeuState *s)
{
    PCIDevice *pci = PCI_DEVICE(s);
    uint64_t doorbell_bytes = pow2ceil((uint64_t)s->rings * s->doorbell_stride);

    memory_region_init_io(&s->regs, OBJECT(s), &veu_regs_ops, s, "veu-regs",
                          VEU_BAR_REGS_BYTES);
    memory_region_init_io(&s->doorbells, OBJECT(s), &veu_doorbells_ops, s,
                          "veu-doorbells", doorbell_bytes);
    for (unsigned i = 0; i < s->rings && !s->deterministic; i++) {
        memory_region_add_eventfd(&s->doorbells, (hwaddr)i * s->doorbell_stride,
                                  4, false, 0, &veu_kick_doorbells);
    }
    pci_register_bar(pci, VEU_BAR_REGS, PCI_BASE_ADDRESS_SPACE_MEMORY,
                     &s->regs);
    pci_register_bar(pci, VEU_BAR_DOORBELLS, PCI_BASE_ADDRESS_SPACE_MEMORY,
                     &s->doorbells);
}

static void veu_init_config_space(VeuState *s)
{
    PCIDevice *pci = PCI_DEVICE(s);

    pci_config_set_vendor_id(pci->config, s->vendor_id);
    pci_config_set_device_id(pci->config, s->device_id);
    pci_config_set_revision(pci->config, s->revision);
    pci_set_word(pci->config + PCI_SUBSYSTEM_VENDOR_ID, s->subsystem_vendor_id);
    pci_set_word(pci->config + PCI_SUBSYSTEM_ID, s->subsystem_id);
    if (pci_bus_is_express(pci_get_bus(pci))) {
        pcie_endpoint_cap_init(pci, 0);
        pcie_cap_flr_init(pci);
    }
}

/* QEMU ends without unplugging its devices: what they write is completed. */
static void veu_process_ends(Notifier *notifier, void *unused)
{
    VeuState *s = container_of(notifier, VeuState, exit);

    veu_engine_pause(&s->engine);
    veu_timeline_stop(s);
    veu_profile_stop(s);
    veu_engine_resume(&s->engine);
}

static bool veu_init_device(VeuState *s, uint32_t vectors, Error **errp)
{
    VeuDeviceConfig config = {
        .rings = s->rings,
        .vectors = vectors,
        .doorbell_stride_bytes = s->doorbell_stride,
        .program_memory_bytes = s->program_memory,
        /* Host code takes less than a quarter of the decoded form. */
        .host_code_bytes = s->jit ? s->program_memory / 4 : 0,
        .tlb_limit = s->tlb_entries,
        .host_flags = (s->worker_count > 1 ? VEU_FLAG_PARALLEL : 0) |
                      (s->interrupt_interval_us ? VEU_FLAG_MODERATION : 0),
        .eu = {
            .undefined = s->poison,
            .strict_types = s->strict_types,
            .check = s->trace_contracts,
        },
    };

    s->device = veu_device_new(&config, &s->host);
    if (!s->device) {
        error_setg(errp, "veu: not enough memory for the device");
        return false;
    }
    if (!veu_inject_start(s, errp) || !veu_capture_start(s, errp) ||
        !veu_timeline_start(s, errp)) {
        veu_device_free(s->device);
        s->device = NULL;
        return false;
    }
    veu_profile_start(s);
    if (!s->exit.notify) {
        s->exit.notify = veu_process_ends;
        qemu_add_exit_notifier(&s->exit);
    }
    return true;
}

/* The device thread counts as one of them. */
static void veu_start_workers(VeuState *s)
{
    veu_workers_start(&s->workers, s->worker_count - 1, &s->memory);
    s->host.helpers = s->workers.hosts;
    s->host.helper_count = s->workers.count;
}

static void veu_start_engine(VeuState *s)
{
    if (s->deterministic) {
        veu_deterministic_start(s);
    } else {
        veu_engine_start(s);
    }
}

static void veu_stop_engine(VeuState *s)
{
    if (s->deterministic) {
        veu_deterministic_stop(&s->engine);
    } else {
        veu_engine_stop(s);
    }
}

static void veu_realize(PCIDevice *pci, Error **errp)
{
    VeuState *s = VEU(pci);
    uint32_t vectors;

    if (!veu_properties_check(s, errp) || !veu_deterministic_check(s, errp)) {
        return;
    }
    veu_rom_choose(pci);
    veu_host_init(s);
    if (!veu_interrupt_init(s, errp)) {
        return;
    }
    if (!veu_engine_init(s, errp)) {
        goto no_engine;
    }
    veu_init_bars(s);
    veu_init_config_space(s);
    if (!veu_power_init(s, errp)) {
        goto no_power;
    }
    if (!veu_interrupt_init_msix(s, &vectors, errp)) {
        goto no_msix;
    }
    if (!veu_init_device(s, vectors, errp)) {
        goto no_device;
    }
    veu_memory_init(&s->memory, pci);
    veu_start_workers(s);
    veu_start_engine(s);
    veu_introspect_add_numbered(s);
    veu_gdb_server_start(s);
    trace_veu_realize(pci->name, vectors);
    return;

no_device:
    msix_uninit(pci, &s->regs, &s->regs);
no_msix:
    veu_power_exit(s);
no_power:
    veu_engine_cleanup(s);
no_engine:
    veu_interrupt_exit(s);
    veu_interrupt_cleanup(s);
}

/* A guest CPU may still be in a register access: see veu_instance_finalize. */
static void veu_exit(PCIDevice *pci)
{
    VeuState *s = VEU(pci);

    veu_gdb_server_stop(s);
    veu_introspect_remove_numbered(s);
    veu_power_exit(s);
    veu_stop_engine(s);
    s->host.helper_count = 0;
    veu_workers_stop(&s->workers);
    veu_memory_exit(&s->memory);
    veu_interrupt_exit(s);
    msix_uninit(pci, &s->regs, &s->regs);
}

static void veu_reset(DeviceState *dev)
{
    veu_engine_reset(VEU(dev));
    veu_power_reset(VEU(dev));
}

static void veu_write_config(PCIDevice *pci, uint32_t address, uint32_t value,
                             int bytes)
{
    pci_default_write_config(pci, address, value, bytes);
    if (!pci->qdev.realized) {
        return; /* an unmasked message has removed the device */
    }
    if (pci->exp.exp_cap) {
        pcie_cap_flr_write_config(pci, address, value, bytes);
    }
    veu_power_update(VEU(pci));
}

/* Express buses give a device 4 KiB of configuration space only if it asks. */
static void veu_instance_init(Object *obj)
{
    VeuState *s = VEU(obj);

    s->inject = g_strdup("");
    s->capture_dir = g_strdup("");
    s->capture_rules = g_strdup("fault=any");
    s->timeline_file = g_strdup("");
    s->profile_file = g_strdup("");
    PCI_DEVICE(obj)->cap_present |= QEMU_PCI_CAP_EXPRESS;
    veu_rom_init(PCI_DEVICE(obj));
    veu_properties_init(obj);
}

/*
 * Frees the parts that an access may need which began before the device was
 * unplugged.
 */
static void veu_instance_finalize(Object *obj)
{
    VeuState *s = VEU(obj);

    if (s->exit.notify) {
        qemu_remove_exit_notifier(&s->exit);
    }
    veu_capture_stop(s);
    veu_timeline_stop(s);
    veu_profile_stop(s);
    g_free(s->inject);
    g_free(s->capture_dir);
    g_free(s->capture_rules);
    g_free(s->timeline_file);
    g_free(s->profile_file);
    if (s->device) {
        veu_device_free(s->device);
        veu_memory_cleanup(&s->memory);
        veu_engine_cleanup(s);
        veu_interrupt_cleanup(s);
    }
}

static void veu_class_init(ObjectClass *klass, VEU_CLASS_CONST void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    PCIDeviceClass *pc = PCI_DEVICE_CLASS(klass);

    pc->realize = veu_realize;
    pc->exit = veu_exit;
    pc->config_write = veu_write_config;
    pc->vendor_id = VEU_PCI_VENDOR_ID;
    pc->device_id = VEU_PCI_DEVICE_ID;
    pc->class_id = VEU_PCI_CLASS;
    dc->desc = "virtual GPU execution unit";
    dc->vmsd = &veu_vmstate;
    device_class_set_legacy_reset(dc, veu_reset);
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
    veu_properties_class_init(klass);
    veu_rom_class_init(pc);
    veu_introspect_class_init(klass);
    veu_inject_class_init(klass);
    veu_capture_class_init(klass);
    veu_timeline_class_init(klass);
    veu_profile_class_init(klass);
}

static VEU_CLASS_CONST InterfaceInfo veu_interfaces[] = {
    { INTERFACE_PCIE_DEVICE },
    { INTERFACE_CONVENTIONAL_PCI_DEVICE },
    {},
};

static const TypeInfo veu_info = {
    .name = TYPE_VEU,
    .parent = TYPE_PCI_DEVICE,
    .instance_size = sizeof(VeuState),
    .instance_init = veu_instance_init,
    .instance_finalize = veu_instance_finalize,
    .class_init = veu_class_init,
    .interfaces = veu_interfaces,
};

void veu_register_types(void)
{
    type_register_static(&veu_info);
    veu_display_register_type();
}

#ifndef VEU_PLUGIN
type_init(veu_register_types)
#endif
