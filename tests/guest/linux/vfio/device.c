/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "vfio.h"

#include <fcntl.h>
#include <glob.h>
#include <linux/vfio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "veu/regs.h"

#define COMMAND            4
#define COMMAND_MEMORY     0x2
#define COMMAND_BUS_MASTER 0x4

/*
 * In the order of their dependencies; a kernel may have some of them built in.
 */
static const char *const modules[] = {
    "irqbypass",        "iommufd",       "vfio_virqfd", "vfio",
    "vfio_iommu_type1", "vfio-pci-core", "vfio-pci",
};

static void load_modules(void)
{
    for (unsigned i = 0; i < sizeof(modules) / sizeof(*modules); i++) {
        char path[64];
        int fd;

        snprintf(path, sizeof(path), "/%s.ko", modules[i]);
        fd = open(path, O_RDONLY);
        if (fd >= 0) {
            /* this IOMMU does not translate interrupts */
            syscall(SYS_finit_module, fd,
                    strcmp(modules[i], "vfio_iommu_type1") ?
                        "" :
                        "allow_unsafe_interrupts=1",
                    0);
            close(fd);
        }
    }
}

static bool write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY);
    bool good = fd >= 0 && write(fd, text, strlen(text)) > 0;

    close(fd);
    return good;
}

static bool is_veu(const char *directory)
{
    char path[256], text[16] = "";
    int fd;

    snprintf(path, sizeof(path), "%s/device", directory);
    fd = open(path, O_RDONLY);
    if (read(fd, text, sizeof(text) - 1) < 0) {
        text[0] = 0;
    }
    close(fd);
    return strtoul(text, NULL, 16) == VEU_PCI_DEVICE_ID;
}

const char *vfio_bind(void)
{
    static char directory[128], path[192];
    glob_t found;

    load_modules();
    glob("/sys/bus/pci/devices/*", 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        if (is_veu(found.gl_pathv[i])) {
            snprintf(directory, sizeof(directory), "%s", found.gl_pathv[i]);
        }
    }
    globfree(&found);
    snprintf(path, sizeof(path), "%s/driver_override", directory);
    if (!write_text(path, "vfio-pci") ||
        !write_text("/sys/bus/pci/drivers_probe",
                    strrchr(directory, '/') + 1)) {
        return NULL;
    }
    return strrchr(directory, '/') + 1;
}

/* Opens the group that contains only the device: "/dev/vfio/N". */
static int open_group(const char *name)
{
    char path[192], group[256] = "";

    snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/iommu_group", name);
    if (readlink(path, group, sizeof(group) - 1) < 0) {
        return -1;
    }
    snprintf(path, sizeof(path), "/dev/vfio/%.16s", strrchr(group, '/') + 1);
    return open(path, O_RDWR);
}

static uint64_t region_offset(const Vfio *v, unsigned index, uint64_t *bytes)
{
    struct vfio_region_info info = { .argsz = sizeof(info), .index = index };

    ioctl(v->device, VFIO_DEVICE_GET_REGION_INFO, &info);
    *bytes = info.size;
    return info.offset;
}

static void *map_bar(const Vfio *v, unsigned index)
{
    uint64_t bytes, offset = region_offset(v, index, &bytes);

    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, v->device,
                (off_t)offset);
}

static bool map_memory(Vfio *v)
{
    struct vfio_iommu_type1_dma_map map = {
        .argsz = sizeof(map),
        .flags = VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE,
        .iova = IOVA,
        .size = MEMORY_BYTES,
    };

    v->memory = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    map.vaddr = (uintptr_t)v->memory;
    return v->memory != MAP_FAILED &&
           !ioctl(v->container, VFIO_IOMMU_MAP_DMA, &map);
}

static bool enable_bus_master(const Vfio *v)
{
    uint64_t bytes;
    off_t at = (off_t)region_offset(v, VFIO_PCI_CONFIG_REGION_INDEX, &bytes) +
               COMMAND;
    uint16_t command;

    if (pread(v->device, &command, sizeof(command), at) != sizeof(command)) {
        return false;
    }
    command |= COMMAND_MEMORY | COMMAND_BUS_MASTER;
    return pwrite(v->device, &command, sizeof(command), at) == sizeof(command);
}

static bool take_vector(Vfio *v)
{
    struct {
        struct vfio_irq_set set;
        int event;
    } irq = {
        .set = {
            .argsz = sizeof(irq),
            .flags = VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER,
            .index = VFIO_PCI_MSIX_IRQ_INDEX,
            .count = 1,
        },
    };

    v->event = irq.event = eventfd(0, 0);
    return !ioctl(v->device, VFIO_DEVICE_SET_IRQS, &irq);
}

bool vfio_open(Vfio *v, const char *name)
{
    v->container = open("/dev/vfio/vfio", O_RDWR);
    v->group = open_group(name);
    if (ioctl(v->group, VFIO_GROUP_SET_CONTAINER, &v->container) ||
        ioctl(v->container, VFIO_SET_IOMMU, VFIO_TYPE1v2_IOMMU)) {
        return false;
    }
    v->device = ioctl(v->group, VFIO_GROUP_GET_DEVICE_FD, name);
    v->regs = map_bar(v, VEU_BAR_REGS);
    v->doorbells = map_bar(v, VEU_BAR_DOORBELLS);
    return v->regs != MAP_FAILED && v->doorbells != MAP_FAILED &&
           map_memory(v) && enable_bus_master(v) && take_vector(v);
}

bool vfio_reset(Vfio *v)
{
    return !ioctl(v->device, VFIO_DEVICE_RESET);
}

uint32_t vfio_get(Vfio *v, uint32_t offset)
{
    return *(volatile uint32_t *)(v->regs + offset);
}

void vfio_set(Vfio *v, uint32_t offset, uint32_t value)
{
    *(volatile uint32_t *)(v->regs + offset) = value;
}

void vfio_set64(Vfio *v, uint32_t offset, uint64_t value)
{
    *(volatile uint64_t *)(v->regs + offset) = value;
}
