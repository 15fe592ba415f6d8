/*
 * veu execution unit: what memory is set aside for.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * A host allocates for these once; nothing that a guest writes can ask for
 * more. They are the LIMIT registers of the device.
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
/* Calls that are under way in an EU thread. */
#define VEU_LIMIT_CALLS             64
#define VEU_LIMIT_REGISTER_BYTES    (64 * 1024)
/* Programs that stay loaded may be larger than those of a launch. */
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

/* Parts of a dispatch that can run at the same time. */
#define VEU_MAX_SLICES           16
/* Pieces of work, such as messages, that may write before it is noted. */
#define VEU_FLUSH_PIECES         256
/* The most elements of an address variable: vISA has 16. */
#define VEU_MAX_ADDRESS_ELEMENTS 16
/* The most lanes of a message. */
#define VEU_MAX_LANES            32
/* The most lanes of a typed message. */
#define VEU_TYPED_LANES          16
/* Lanes that a loop takes at once, also where a message has fewer. */
#define VEU_BLOCK_LANES          8
/* Before an array of lanes: none of its vectors is in two cache lines. */
#define VEU_ALIGNED_LANES        _Alignas(64)

#endif
