/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: the address space of a process, in page tables.
 *
 * One thread at a time changes a space. Virtual addresses are numbers, not
 * pointers, because only the device uses them.
 */
#ifndef VEU_GUEST_SPACE_H
#define VEU_GUEST_SPACE_H

#include "veu_guest.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The configuration of a space. */
struct veu_space_config {
    uint32_t context;
    /**
     * Returns an aligned page of 4096 zero bytes for a table, or NULL. The
     * space keeps it: tables are never freed individually.
     */
    void *(*alloc)(void *opaque);
    /**
     * Returns the driver's pointer to the table at this device address. NULL:
     * device addresses are pointers, as on bare machines.
     */
    void *(*find)(void *opaque, uint64_t address);
    void *opaque;
    /**
     * The queue for requests, followed by its records, or NULL: misses are
     * faults.
     */
    struct veu_request_queue *queue;
    uint32_t records; /**< a power of two, 128 to 65,536 */
    uint32_t vector;  /**< MSI-X vector for requests, or VEU_NO_VECTOR */
};

struct veu_space {
    struct veu_device *device;
    struct veu_space_config config;
    uint64_t *root;
    uint32_t head; /**< index after the last record that was read */
};

/**
 * Makes an empty space and describes it in the registers of its context, for
 * rings that are started later. VEU_OTHER_ABI: the device has no page tables,
 * or no requests; VEU_FULL: there is no page for the top table.
 */
enum veu_status veu_space_start(struct veu_space *space,
                                struct veu_device *device,
                                const struct veu_space_config *config);

/**
 * The entry of @level (1: 4 KiB, 2: 2 MiB, 3: 1 GiB) for @address. Creates
 * missing tables. Returns NULL if there is no page for one.
 */
uint64_t *veu_space_entry(struct veu_space *space, uint64_t address,
                          unsigned level);

/**
 * Maps @bytes, a multiple of 4096, from @address to the driver's memory. @bits:
 * VEU_PAGE_READ, VEU_PAGE_WRITE. Newly mapped pages need no invalidation.
 * VEU_FULL: there is no page for a table; earlier pages are mapped.
 */
enum veu_status veu_space_map(struct veu_space *space, uint64_t address,
                              const volatile void *memory, uint64_t bytes,
                              uint64_t bits);

/** Changes the permissions of pages; unmapped pages stay unmapped. */
void veu_space_protect(struct veu_space *space, uint64_t address,
                       uint64_t bytes, uint64_t bits);

/** When it returns, no access to the pages is under way or will follow. */
void veu_space_unmap(struct veu_space *space, uint64_t address, uint64_t bytes);

/**
 * Drops the device's translations of 2^@log2_pages pages, the aligned range
 * that contains @address, and waits until no access uses them.
 */
void veu_space_invalidate(struct veu_space *space, uint64_t address,
                          unsigned log2_pages);

/**
 * Provides a requested page with veu_space_map(). Returns false if it cannot.
 */
typedef bool veu_space_provide(void *opaque, const struct veu_request *request);

/**
 * Serves all pending requests, and responds to each group, refusing it if none
 * of its pages can be provided. Returns the number of groups.
 */
unsigned veu_space_serve(struct veu_space *space, veu_space_provide *provide,
                         void *opaque);

#ifdef __cplusplus
}
#endif

#endif /* VEU_GUEST_SPACE_H */
