/*
 * veu fuzzers: a host for the device model that is fast to reset.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_FUZZ_HOST_H
#define VEU_FUZZ_HOST_H

#include "hw/veu/device/host/device.h"

#define FUZZ_PAGE_BYTES 4096u
/*
 * Guest memory: RAM, a read-only page, and the last page of the address space.
 */
#define FUZZ_RAM        UINT64_C(0x10000)
#define FUZZ_RAM_PAGES  16u
#define FUZZ_ROM        UINT64_C(0x40000)
#define FUZZ_TOP        (UINT64_MAX - FUZZ_PAGE_BYTES + 1)
#define FUZZ_PAGES      (FUZZ_RAM_PAGES + 2)
#define FUZZ_RAM_BYTES  (FUZZ_RAM_PAGES * FUZZ_PAGE_BYTES)

#define FUZZ_RINGS   2
#define FUZZ_VECTORS 2

/* A place that the device has read, which it may do once. */
#define FUZZ_LOOKS 8

typedef struct FuzzLook {
    uint8_t *at;
    uint32_t bytes;
    unsigned page;
} FuzzLook;

typedef struct FuzzHost {
    VeuHost host; /* first */
    uint64_t now_ns;
    /* If not 0, guest bytes change while the device reads them. */
    uint32_t race;
    FuzzLook look[FUZZ_LOOKS]; /* the last reads, in any order */
    unsigned looks;
    /* If true, writes are forbidden. */
    bool quiet;
    bool written[FUZZ_PAGES];
    uint8_t noted[FUZZ_PAGES]; /* since the last flush */
    bool joined;
    uint8_t *page[FUZZ_PAGES];
    uint8_t *apart[FUZZ_PAGES];    /* each a block of its own */
    uint8_t *together[FUZZ_PAGES]; /* as contiguous as the guest sees them */
    /* their contents after a reset */
    uint8_t kept[FUZZ_PAGES][FUZZ_PAGE_BYTES];
} FuzzHost;

void fuzz_host_init(FuzzHost *host);
/* Makes the present contents of memory those after a reset. */
void fuzz_host_keep(FuzzHost *host);
/*
 * Restores the kept contents of all memory by copying back what was written.
 * With @together, neighbouring pages are contiguous for the host, too.
 */
void fuzz_host_reset(FuzzHost *host, bool together);
/*
 * Makes extents available, or not; without them, each access calls the host's
 * map().
 */
void fuzz_host_extents(FuzzHost *host, bool extents);

/*
 * Returns a byte of guest memory, NULL in holes; the guest may write anywhere.
 */
uint8_t *fuzz_byte(FuzzHost *host, uint64_t iova);
void fuzz_store(FuzzHost *host, uint64_t iova, const void *from,
                uint32_t bytes);

#endif
