/*
 * veu fuzzers: a host for the device model that is fast to set back.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_FUZZ_HOST_H
#define VEU_FUZZ_HOST_H

#include "hw/veu/device/host/device.h"

#define FUZZ_PAGE_BYTES 4096u
/* Guest memory: RAM, a page that can only be read, the last page of all. */
#define FUZZ_RAM        UINT64_C(0x10000)
#define FUZZ_RAM_PAGES  16u
#define FUZZ_ROM        UINT64_C(0x40000)
#define FUZZ_TOP        (UINT64_MAX - FUZZ_PAGE_BYTES + 1)
#define FUZZ_PAGES      (FUZZ_RAM_PAGES + 2)
#define FUZZ_RAM_BYTES  (FUZZ_RAM_PAGES * FUZZ_PAGE_BYTES)

#define FUZZ_RINGS   2
#define FUZZ_VECTORS 2

/* Where the device has looked: it may, once. */
#define FUZZ_LOOKS 8

typedef struct FuzzLook {
    uint8_t *at;
    uint32_t bytes;
    unsigned page;
} FuzzLook;

typedef struct FuzzHost {
    VeuHost host; /* first */
    uint64_t now_ns;
    /* Not 0: guest bytes change while the device looks at them. */
    uint32_t race;
    FuzzLook look[FUZZ_LOOKS]; /* the last ones, in any order */
    unsigned looks;
    /* No write is allowed now. */
    bool quiet;
    bool written[FUZZ_PAGES];
    uint8_t noted[FUZZ_PAGES]; /* since the last flush */
    bool joined;
    uint8_t *page[FUZZ_PAGES];
    uint8_t *apart[FUZZ_PAGES];    /* each a block of its own */
    uint8_t *together[FUZZ_PAGES]; /* neighbours as the guest sees them */
    uint8_t kept[FUZZ_PAGES][FUZZ_PAGE_BYTES]; /* what a reset makes of them */
} FuzzHost;

void fuzz_host_init(FuzzHost *host);
/* Memory as it is now is what a reset makes of it. */
void fuzz_host_keep(FuzzHost *host);
/*
 * Makes all memory as it was kept: what was written is copied back. @together:
 * pages that are neighbours are so for the host, too.
 */
void fuzz_host_reset(FuzzHost *host, bool together);
/*
 * Makes extents available, or not; without them, each access calls the host's
 * map().
 */
void fuzz_host_extents(FuzzHost *host, bool extents);

/* A byte of guest memory, NULL in holes; the guest may write anywhere. */
uint8_t *fuzz_byte(FuzzHost *host, uint64_t iova);
void fuzz_store(FuzzHost *host, uint64_t iova, const void *from,
                uint32_t bytes);

#endif
