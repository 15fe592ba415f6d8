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

/**
 * Bits of an entry. If VALID is 0, the driver may use all other bits.
 */
#define VEU_PAGE_VALID    0x01ull
#define VEU_PAGE_READ     0x02ull /**< of a page: reads are permitted */
#define VEU_PAGE_WRITE    0x04ull /**< of a page: writes are permitted */
#define VEU_PAGE_LARGE    0x08ull /**< of level 2 or 3: a page, not a table */
/** The device has read or written the page; see VEU_CONTEXT_ACCESSED. */
#define VEU_PAGE_ACCESSED 0x10ull
#define VEU_PAGE_DIRTY    0x20ull /**< of a page: the device has written it */
/** Bits 12 to 51: the DMA address of the page or of the next table. */
#define VEU_PAGE_ADDRESS  0x000ffffffffff000ull
/** Bits 9 to 11 and 52 to 62: the driver's; the device ignores them. */
#define VEU_PAGE_SOFTWARE 0x7ff0000000000e00ull

/**
 * Why an address was not translated: bits 0 to 7 of a fault record's detail.
 * Bits 8 to 15 are the level of the entry that is the reason, or 0.
 */
enum veu_walk {
    VEU_WALK_NONE = 0,          /**< it was, or no tables are needed */
    VEU_WALK_NOT_CANONICAL = 1, /**< bits 63 to 48 of the address are not 0 */
    VEU_WALK_NOT_VALID = 2,     /**< the entry of that level is not VALID */
    VEU_WALK_NO_READ = 3,       /**< the page does not permit reads */
    VEU_WALK_NO_WRITE = 4,      /**< the page does not permit writes */
    VEU_WALK_RESERVED = 5,      /**< a bit of the entry that must be 0 is 1 */
    VEU_WALK_TABLE_MEMORY = 6,  /**< the table of that level is not in RAM */
    VEU_WALK_PAGE_MEMORY = 7,   /**< the page's DMA address is not RAM */
};
#define VEU_WALK_REASON(detail) ((detail)&0xffu)
#define VEU_WALK_LEVEL(detail)  ((detail) >> 8 & 0xffu)

/**
 * A value for CONTEXT_INVALIDATE: an address in bits 12 to 63, and in bits 0 to
 * 5 the log2 of a number of pages of 4 KiB, 36 for all of them. The range is
 * the aligned range of that size that contains the address.
 */
#define VEU_INVALIDATE(address, log2_pages) \
    (((address) & ~0xfffull) | (log2_pages))
#define VEU_INVALIDATE_ALL 36u

/** Bits of CONTEXT_OPTIONS; CAP_CONTEXT_OPTIONS lists those that can be set. */
#define VEU_CONTEXT_REQUESTS 0x1u /**< type 3: misses become requests */
#define VEU_CONTEXT_ACCESSED 0x2u /**< type 3: sets ACCESSED and DIRTY */

/** The fewest records of a request queue; the most are 65,536. */
#define VEU_QUEUE_MIN_RECORDS 128

/**
 * A record of the request queue: a page that a piece of work has missed. 64
 * bytes. Records of one group have one id, and follow each other; each piece
 * waits for the response to its group.
 */
struct veu_request {
    uint64_t address; /**< virtual address of the page of 4 KiB */
    uint32_t id;      /**< of the group, for CONTEXT_RESPONSE */
    uint32_t asked;   /**< number of requests by this piece, from 1 on */
    uint16_t ring;    /**< number of the ring */
    uint8_t access;   /**< enum veu_access: 1 read, 2 write */
    uint8_t flags;    /**< bit 0 LAST: the last record of its group */
    uint32_t slot;    /**< ring index of the command's first slot */
    uint32_t tag;     /**< the command's tag */
    uint32_t group;   /**< group of the EU thread; all ones: none */
    uint32_t thread;  /**< EU thread in the group; all ones: none */
    uint32_t detail;  /**< why: enum veu_walk and level, as in a fault record */
    uint8_t reserved[24]; /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_request, 64);
VEU_ASSERT_OFFSET(struct veu_request, ring, 16);
VEU_ASSERT_OFFSET(struct veu_request, group, 28);

/** Bit of veu_request.flags. */
#define VEU_REQUEST_LAST 0x1u

/**
 * The structure at the DMA address in CONTEXT_QUEUE; records follow. 128 bytes.
 * Indices count records from the write of CONTEXT_QUEUE on, and wrap at 2^32.
 */
struct veu_request_queue {
    uint32_t head; /**< driver: index after the last record that it read */
    uint32_t reserved0[15]; /**< driver: 0 */
    uint32_t tail; /**< device: index after the last record that it wrote */
    uint32_t reserved1[15]; /**< not written by the device */
};
VEU_ASSERT_SIZE(struct veu_request_queue, 128);
VEU_ASSERT_OFFSET(struct veu_request_queue, tail, 64);

/**
 * Bit of CONTEXT_RESPONSE, beside an id in bits 0 to 31: the pages of the group
 * cannot be provided. The piece runs once more, and misses are faults.
 */
#define VEU_RESPONSE_REFUSED (1ull << 32)

#endif /* VEU_PAGE_H */
