/*
 * veu ABI: contexts of type 3: page tables.
 *
 * SPDX-License-Identifier: MIT
 *
 * docs/spec.md, section 3.4. All of it is of version 1.2.
 */
#ifndef VEU_PAGE_H
#define VEU_PAGE_H

#include "veu/base.h"

/** A table is a page of this many entries of 8 bytes, at a multiple of 4096. */
#define VEU_TABLE_ENTRIES   512
/** Level 4 is the top table; entries of level 1 are pages of 4 KiB. */
#define VEU_TABLE_LEVELS    4
/** log2 of the smallest page, bytes. */
#define VEU_TABLE_PAGE_BITS 12
/** log2 of the entries of a table: each level translates this many bits. */
#define VEU_TABLE_BITS      9

/** Bits of an entry. */
#define VEU_PAGE_VALID \
    0x01ull                       /**< the entry is used; otherwise all other
                                       bits are the driver's */
#define VEU_PAGE_READ     0x02ull /**< of a page: reads are permitted */
#define VEU_PAGE_WRITE    0x04ull /**< of a page: writes are permitted */
#define VEU_PAGE_LARGE    0x08ull /**< of level 2 or 3: a page, not a table */
/** Bits 12 to 51: the DMA address of the page or of the next table. */
#define VEU_PAGE_ADDRESS  0x000ffffffffff000ull
/** Bits 9 to 11 and 52 to 62: the driver's; the device ignores them. */
#define VEU_PAGE_SOFTWARE 0x7ff0000000000e00ull

/**
 * Why an address was not translated: bits 0 to 7 of a fault record's detail.
 * Bits 8 to 15 are the level of the entry that is the reason, or 0.
 */
enum veu_walk {
    VEU_WALK_NONE = 0,          /**< it was, or needs no tables */
    VEU_WALK_NOT_CANONICAL = 1, /**< bits 63 to 48 of the address are not 0 */
    VEU_WALK_NOT_VALID = 2,     /**< the entry of that level is not VALID */
    VEU_WALK_NO_READ = 3,       /**< the page must not be read */
    VEU_WALK_NO_WRITE = 4,      /**< the page must not be written */
    VEU_WALK_RESERVED = 5,      /**< a bit of the entry that must be 0 is 1 */
    VEU_WALK_TABLE_MEMORY = 6,  /**< the table of that level is not in RAM */
    VEU_WALK_PAGE_MEMORY = 7,   /**< the page's DMA address is not RAM */
};
#define VEU_WALK_REASON(detail) ((detail)&0xffu)
#define VEU_WALK_LEVEL(detail)  ((detail) >> 8 & 0xffu)

/**
 * What is written to CONTEXT_INVALIDATE: bits 12 to 63 an address, bits 0 to 5
 * the log2 of a number of pages of 4 KiB, 36 for all of them. The range is the
 * aligned one of that size which has the address.
 */
#define VEU_INVALIDATE(address, log2_pages) \
    (((address) & ~0xfffull) | (log2_pages))
#define VEU_INVALIDATE_ALL 36u

#endif /* VEU_PAGE_H */
