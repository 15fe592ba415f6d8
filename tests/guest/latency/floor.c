/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * veu-floor: a QEMU device that only answers: the minimum time of a device with
 * a thread of its own. Its guest code is in firmware/latency.
 *
 * Its thread sees the tail move and stores the head. It spins on the tail, or
 * sleeps until the doorbell rings, or spins and interrupts through the main
 * loop: loops C7, C1 and D4 of a bare device. Or it spins and copies a command
 * before it stores the head, as a device with commands has to.
 */
#include "qemu/osdep.h"
#include "qemu/event_notifier.h"
#include "qemu/module.h"
#include "qemu/thread.h"
#include "qapi/error.h"
#include "hw/veu/qemu/compat.h"
#if __has_include("plugins/qemu-plugin.h")
#include "plugins/qemu-plugin.h"
#else
#include "qemu/qemu-plugin.h"
#endif

#define TYPE_FLOOR "veu-floor"
OBJECT_DECLARE_SIMPLE_TYPE(FloorState, FLOOR)

/* As in firmware/latency/latency.h */
#define VENDOR_ID    0x1234
#define DEVICE_ID    0x0f10
#define RING         0x00
#define MODE         0x08
#define DOORBELL     0x1000
#define BAR_BYTES    0x2000
#define HEAD_WORD    16
#define SLOTS        128 /* offset */
#define SLOT_COUNT   256
#define SLOT_BYTES   64
#define SHARED_BYTES (SLOTS + SLOT_COUNT * SLOT_BYTES)

typedef enum Mode {
    MODE_STOP,
    MODE_SPIN,
    MODE_SLEEP,
    MODE_INTERRUPT,
    MODE_COPY,
    MODE_QUIT,
} Mode;

struct FloorState {
    PCIDevice parent;
    MemoryRegion bar;
    EventNotifier kick;
    EventNotifier interrupt;
    QemuThread thread;
    uint32_t *shared; /* guest memory: tail, head, slots */
    uint8_t command[SLOT_BYTES];
    Mode mode;
};

static bool spins(Mode mode)
{
    return mode == MODE_SPIN || mode == MODE_INTERRUPT || mode == MODE_COPY;
}

static void copy_command(FloorState *f, uint32_t tail)
{
    uint32_t slot = (tail - 1) % SLOT_COUNT;

    memcpy(f->command, (uint8_t *)f->shared + SLOTS + slot * SLOT_BYTES,
           SLOT_BYTES);
}

static void answer(FloorState *f, Mode mode)
{
    uint32_t tail = qatomic_load_acquire(&f->shared[0]);

    if (tail == f->shared[HEAD_WORD]) {
        return;
    }
    if (mode == MODE_COPY) {
        copy_command(f, tail);
    }
    qatomic_store_release(&f->shared[HEAD_WORD], tail);
    if (mode == MODE_INTERRUPT) {
        event_notifier_set(&f->interrupt);
    }
}

static void sleep_until_kick(FloorState *f)
{
    GPollFD fd = {
        .fd = event_notifier_get_fd(&f->kick),
        .events = G_IO_IN,
    };

    g_poll(&fd, 1, -1);
    event_notifier_test_and_clear(&f->kick);
}

/*
 * The thread reads the mode after the kick, which may announce both a mode and
 * a tail.
 */
static void *floor_thread(void *opaque)
{
    FloorState *f = opaque;
    Mode mode;

    while ((mode = qatomic_load_acquire(&f->mode)) != MODE_QUIT) {
        if (!spins(mode)) {
            sleep_until_kick(f);
            mode = qatomic_load_acquire(&f->mode);
        }
        if (mode != MODE_STOP && mode != MODE_QUIT) {
            answer(f, mode);
        }
    }
    return NULL;
}

static void send_interrupt(EventNotifier *notifier)
{
    FloorState *f = container_of(notifier, FloorState, interrupt);

    if (event_notifier_test_and_clear(notifier)) {
        msix_notify(PCI_DEVICE(f), 0);
    }
}

static void set_mode(FloorState *f, Mode mode)
{
    qatomic_store_release(&f->mode, mode);
    event_notifier_set(&f->kick);
}

/* A driver sets the ring once, before it sets a mode. */
static void set_ring(FloorState *f, uint64_t address)
{
    hwaddr bytes = SHARED_BYTES;

    if (!f->shared) {
        f->shared = address_space_map(&PCI_DEVICE(f)->bus_master_as, address,
                                      &bytes, true, MEMTXATTRS_UNSPECIFIED);
    }
}

static uint64_t floor_read(void *opaque, hwaddr offset, unsigned size)
{
    return 0;
}

static void floor_write(void *opaque, hwaddr offset, uint64_t value,
                        unsigned size)
{
    FloorState *f = opaque;

    if (offset == RING) {
        set_ring(f, value);
    } else if (offset == MODE && f->shared && value < MODE_QUIT) {
        set_mode(f, value);
    } else if (offset == DOORBELL) {
        event_notifier_set(&f->kick);
    }
}

static const MemoryRegionOps floor_ops = {
    .read = floor_read,
    .write = floor_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .impl = { .min_access_size = 1, .max_access_size = 8 },
    .valid = { .min_access_size = 1, .max_access_size = 8 },
};

static void floor_realize(PCIDevice *pci, Error **errp)
{
    FloorState *f = FLOOR(pci);

    if (event_notifier_init(&f->kick, 0) ||
        event_notifier_init(&f->interrupt, 0) ||
        msix_init_exclusive_bar(pci, 1, 1, errp)) {
        error_setg(errp, "veu-floor: cannot create what it needs");
        return;
    }
    msix_vector_use(pci, 0);
    memory_region_init_io(&f->bar, OBJECT(f), &floor_ops, f, TYPE_FLOOR,
                          BAR_BYTES);
    memory_region_add_eventfd(&f->bar, DOORBELL, 4, false, 0, &f->kick);
    pci_register_bar(pci, 0, PCI_BASE_ADDRESS_SPACE_MEMORY, &f->bar);
    event_notifier_set_handler(&f->interrupt, send_interrupt);
    qemu_thread_create(&f->thread, "veu-floor", floor_thread, f,
                       QEMU_THREAD_JOINABLE);
}

static void floor_exit(PCIDevice *pci)
{
    FloorState *f = FLOOR(pci);

    set_mode(f, MODE_QUIT);
    qemu_thread_join(&f->thread);
    event_notifier_set_handler(&f->interrupt, NULL);
    memory_region_del_eventfd(&f->bar, DOORBELL, 4, false, 0, &f->kick);
    msix_uninit_exclusive_bar(pci);
    event_notifier_cleanup(&f->interrupt);
    event_notifier_cleanup(&f->kick);
}

static void floor_class_init(ObjectClass *klass, VEU_CLASS_CONST void *data)
{
    PCIDeviceClass *pci = PCI_DEVICE_CLASS(klass);

    pci->realize = floor_realize;
    pci->exit = floor_exit;
    pci->vendor_id = VENDOR_ID;
    pci->device_id = DEVICE_ID;
    pci->class_id = PCI_CLASS_OTHERS;
    DEVICE_CLASS(klass)->hotpluggable = false;
}

static const TypeInfo floor_info = {
    .name = TYPE_FLOOR,
    .parent = TYPE_PCI_DEVICE,
    .instance_size = sizeof(FloorState),
    .class_init = floor_class_init,
    .interfaces =
        (VEU_CLASS_CONST InterfaceInfo[]){
            { INTERFACE_CONVENTIONAL_PCI_DEVICE },
            {},
        },
};

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id,
                                           const qemu_info_t *info, int argc,
                                           char **argv)
{
    type_register_static(&floor_info);
    return 0;
}
