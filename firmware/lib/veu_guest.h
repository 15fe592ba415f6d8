/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: finding a device and getting at its registers.
 */
#ifndef VEU_GUEST_H
#define VEU_GUEST_H

#include "veu/veu.h"
#include "veu_fault.h"
#include "veu_pci.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The result of a call of the library. */
enum veu_status {
    VEU_OK = 0,
    VEU_NOT_FOUND,  /**< no such PCI function, or no display */
    VEU_NO_BAR,     /**< a BAR has no address and none was available */
    VEU_NOT_A_VEU,  /**< register MAGIC has another value */
    VEU_OTHER_ABI,  /**< the device speaks another version */
    VEU_NO_MSIX,    /**< no MSI-X capability, or too few vectors */
    VEU_BAD_CONFIG, /**< the device would refuse the caller's values */
    VEU_FULL,       /**< the ring has no room for the command */
    VEU_TIMEOUT,    /**< it took longer than the caller's timeout */
    VEU_FAULTED,    /**< a fault halted the ring, or refused the flip */
};

/** A text for a status, for users. */
const char *veu_status_text(enum veu_status status);

/** The values of the capability and limit registers, with the same names. */
struct veu_limits {
    uint32_t rings;
    uint32_t contexts;
    uint32_t context_types;
    uint32_t doorbell_stride;
    uint32_t vectors;
    uint32_t ring_slots;
    uint32_t grf_bytes;
    uint32_t simd;
    uint32_t program_bytes;
    uint32_t messages;
    uint32_t variables;
    uint32_t predicates;
    uint32_t register_bytes;
    uint32_t surfaces;
    uint32_t slm_bytes;
    uint32_t threads;
    uint32_t groups;
    uint32_t fault_records;
    uint32_t program_kinds; /**< bit n: programs of kind n can run */
    uint32_t instructions;  /**< of a program; 0: kind 0 only */
};

/** A device that veu_open() has found. */
struct veu_device {
    uint16_t function;
    uint32_t abi_version;
    volatile uint8_t *regs;
    volatile uint8_t *doorbells;
    volatile uint8_t *msix_table;
    volatile uint8_t *msix_pba;
    unsigned msix_vectors;
    struct veu_limits limits;
};

/** Which device to open. Ids of 0: the defaults of veu/regs.h. */
struct veu_open_options {
    uint16_t vendor_id;
    uint16_t device_id;
    unsigned index;
    /** Addresses for BARs that have none; all 0: there are none. */
    struct veu_pci_window window;
};

/** Finds, enables and identifies a device, and resets it. */
enum veu_status veu_open(struct veu_device *device,
                         const struct veu_open_options *options);

/** Like veu_open(), for the device at @function. @window: as in the options. */
enum veu_status veu_open_function(struct veu_device *device, uint16_t function,
                                  struct veu_pci_window window);

/** Resets the device: all registers return to their reset values. */
void veu_reset(struct veu_device *device);

/** Registers of the device, of a ring and of a context. */
uint32_t veu_read32(const struct veu_device *device, unsigned offset);
uint64_t veu_read64(const struct veu_device *device, unsigned offset);
void veu_write32(struct veu_device *device, unsigned offset, uint32_t value);
void veu_write64(struct veu_device *device, unsigned offset, uint64_t value);

static inline unsigned veu_ring_register(unsigned ring, enum veu_reg offset)
{
    return VEU_RING_BLOCK + ring * VEU_RING_BLOCK_STRIDE + offset;
}

static inline unsigned veu_context_register(unsigned context,
                                            enum veu_reg offset)
{
    return VEU_CONTEXT_BLOCK + context * VEU_CONTEXT_BLOCK_STRIDE + offset;
}

/** The device's clock, ns. */
uint64_t veu_time(const struct veu_device *device);

/**
 * MSI-X. veu_msix_set() fills in a vector's message and unmasks it; @address
 * and @data depend on the interrupt controller.
 */
enum veu_status veu_msix_enable(struct veu_device *device);
enum veu_status veu_msix_set(struct veu_device *device, unsigned vector,
                             uint64_t address, uint32_t data);
void veu_msix_mask(struct veu_device *device, unsigned vector, bool mask);
bool veu_msix_pending(const struct veu_device *device, unsigned vector);

#ifdef __cplusplus
}
#endif

#endif /* VEU_GUEST_H */
