/*
 * veu execution unit: decoded messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_EU_PROGRAM_MESSAGE_H
#define VEU_EU_PROGRAM_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>
#include "veu/fault.h"
#include "veu/message.h"

typedef struct VeuAtomicOp VeuAtomicOp;
typedef struct VeuMessage VeuMessage;
typedef struct VeuMessageInfo VeuMessageInfo;
typedef struct VeuThread VeuThread;

/*
 * A fast path for a message. Returns false, having done nothing, if it gives
 * up. See fast_path.h.
 */
typedef bool VeuFast(VeuThread *thread, const VeuMessage *message);

/* A raw operand: lanes in the register file. */
typedef struct VeuRaw {
    uint32_t register_byte;
    uint8_t type; /* enum veu_type, as declared */
    bool null;    /* reads as 0; what is written to it is dropped */
} VeuRaw;

/* A scalar operand. */
typedef struct VeuScalar {
    uint8_t class; /* enum veu_scalar_class */
    uint8_t type;  /* general, indirect */
    union {
        uint32_t register_byte; /* general */
        uint64_t value;         /* immediate: extended to 64 bits */
        struct {
            uint16_t address; /* indirect: index of the address element */
            int16_t add_byte;
        };
    };
} VeuScalar;

typedef enum VeuCombine {
    VEU_COMBINE_NONE,
    VEU_COMBINE_ANY,
    VEU_COMBINE_ALL,
} VeuCombine;

/* Predicate control; index counts from 0 (P1). */
typedef struct VeuPredication {
    bool used;
    bool inverse;
    uint8_t combine;
    uint16_t index;
} VeuPredication;

/* How a message of a program of messages resembles the one before it. */
typedef enum VeuFollows {
    VEU_FOLLOWS_NOT,
    /* they differ only in operands, surface, channels, or form of a block */
    VEU_FOLLOWS,
    /*
     * Also the same surface, channels, and form of a media block, scalars of
     * the same classes and types, and R and LOD both null or both not: only
     * registers and numbers may differ.
     */
    VEU_FOLLOWS_CLOSELY,
} VeuFollows;

/*
 * A message that is ready to be executed: its form has been checked. The
 * members that a fast path needs for a message that follows are adjacent,
 * mostly in one cache line.
 */
struct VeuMessage {
    const VeuMessageInfo *info;
    VeuFast *fast;      /* or NULL */
    uint32_t all_lanes; /* one bit for each of @lanes */
    uint8_t lanes;      /* execution size */
    uint8_t mask_offset;
    bool no_mask;
    uint8_t follows; /* VeuFollows */
    /*
     * The surface's id. In a program of instructions, the likely one, because
     * it depends on what the state variable holds.
     */
    uint8_t surface;
    uint8_t state;           /* index of the surface's state variable */
    uint8_t sampler;         /* index of the state variable */
    uint8_t element_bytes;   /* of an element, a channel, a block, ... */
    uint8_t align_bytes;     /* of the address; 0, 1: any */
    uint8_t blocks;          /* of a lane */
    VeuRaw address;          /* element offsets, SVM addresses, or U */
    VeuRaw data;             /* destination of a read, source of a write */
    VeuScalar global_offset; /* or SVM base address, or X */
    uint32_t offset;         /* offset in the code, bytes */
    uint8_t channels;        /* mask, R is bit 0 */
    uint8_t channel_stride;  /* lanes from one channel's data to the next */
    /*
     * Where each channel's data begins in registers. Every mask bit has a
     * place, even for channels that the format lacks.
     */
    uint8_t first_lane[4];
    uint8_t mode;          /* media: code in veu_media_modes */
    uint8_t plane;         /* media */
    uint8_t width_byte;    /* media: block width */
    uint8_t height;        /* media: block height, rows */
    uint8_t fence;         /* mask of a fence, as encoded */
    const VeuAtomicOp *op; /* of an atomic */
    VeuPredication predication;
    VeuScalar y_offset; /* media */
    VeuRaw v;
    VeuRaw r;
    VeuRaw lod;
    VeuRaw src0; /* atomics */
    VeuRaw src1;
};

#endif
