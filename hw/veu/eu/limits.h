/*
 * veu execution unit: limits that memory is reserved for.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * A host allocates for these limits once; nothing that a guest writes can
 * require more. They are the LIMIT registers of the device.
 */
#ifndef VEU_EU_LIMITS_H
#define VEU_EU_LIMITS_H

#define VEU_LIMIT_PROGRAM_BYTES     (256 * 1024)
#define VEU_LIMIT_MESSAGES          8192
#define VEU_LIMIT_VARIABLES         4096
#define VEU_LIMIT_PREDICATES        1024
#define VEU_LIMIT_ADDRESSES         256
#define VEU_LIMIT_INSTRUCTIONS      32768
#define VEU_LIMIT_LABELS            32768
#define VEU_LIMIT_FUNCTIONS         1024
/* The kernel, functions, and subroutines. */
#define VEU_LIMIT_ROUTINES          4096
/* State variables: 250 surfaces and 32 samplers. */
#define VEU_LIMIT_STATES            282
/* Calls that may be active in an EU thread. */
#define VEU_LIMIT_CALLS             64
#define VEU_LIMIT_REGISTER_BYTES    (64 * 1024)
/* Loaded programs may be larger than those of a launch. */
#define VEU_LIMIT_LOAD_BYTES        (4 * 1024 * 1024)
#define VEU_LIMIT_LOAD_INSTRUCTIONS 131072
#define VEU_LIMIT_LOAD_VARIABLES    65536
/* Loaded programs of a device, in all contexts. */
#define VEU_LIMIT_PROGRAMS          1024
/* Surface ids are one byte, and the first six are predefined. */
#define VEU_LIMIT_SURFACES          250
#define VEU_LIMIT_SLM_BYTES         (64 * 1024)
#define VEU_LIMIT_THREADS           1024
#define VEU_LIMIT_GROUPS            (1024 * 1024)
/* Groups of a KERNEL that are in flight, in each ring. */
#define VEU_LIMIT_LAUNCH_BYTES      (4 * 1024 * 1024)

/* Parts of a dispatch that can run in parallel. */
#define VEU_MAX_SLICES           16
/*
 * The dirty state is updated after this number of pieces of work, such as
 * messages, if they have written to at least VEU_FLUSH_WRITES blocks, or pages
 * that are mapped one by one.
 */
#define VEU_FLUSH_PIECES         256
#define VEU_FLUSH_WRITES         512
/* The maximum number of elements of an address variable: vISA has 16. */
#define VEU_MAX_ADDRESS_ELEMENTS 16
/* The maximum number of lanes of a message. */
#define VEU_MAX_LANES            32
/* The maximum number of lanes of a typed message. */
#define VEU_TYPED_LANES          16
/* Lanes that a loop processes at once, even if a message has fewer. */
#define VEU_BLOCK_LANES          8
/* Aligns an array of lanes, so that no vector of it crosses a cache line. */
#define VEU_ALIGNED_LANES        _Alignas(64)

#endif
