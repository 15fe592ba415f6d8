/*
 * veu ABI: what a driver and the device share in guest memory: the ring, its
 * shared block and the commands.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VEU_RING_H
#define VEU_RING_H

#include "veu/base.h"
#include "veu/program.h"
#include "veu/surface.h"

/** A ring is an array of slots of this many bytes. */
#define VEU_SLOT_BYTES 64

/**
 * The words that driver and device exchange. 128 bytes, 64-byte aligned; the
 * address is in RING_SHARED. Each half is written by one side only.
 *
 * Indices count slots from RING_HEAD's value at the enable, and fault records
 * from 0. They wrap at 2^32, not at the size of the ring: slot i is at
 * RING_BASE + (i % RING_SLOTS) * 64, and tail - head is the number of slots in
 * use.
 *
 * A driver that has stored the tail, or the word that the ring waits for,
 * executes a full fence, then reads asleep, and writes the doorbell if it is 1.
 */
struct veu_ring_shared {
    /** driver: index after the last slot that it filled */
    uint32_t tail;
    /** driver: index after the last record that it read */
    uint32_t fault_head;
    uint32_t reserved0[14]; /**< driver: 0 */
    /** device: index after the last slot that is done and free again */
    uint32_t head;
    uint32_t asleep; /**< device: 1 when it wants a kick, else 0 */
    /** device: index after the last record that it wrote */
    uint32_t fault_tail;
    /** device: faults since the enable that got no record */
    uint32_t fault_overflow;
    uint32_t state;         /**< device: as RING_STATE: enum veu_ring_state */
    uint32_t reserved1[11]; /**< not written by the device */
};
VEU_ASSERT_SIZE(struct veu_ring_shared, 128);
VEU_ASSERT_OFFSET(struct veu_ring_shared, head, 64);

/*
 * Columns: name, structure (struct veu_command_<structure>), opcode. From
 * KERNEL on, version 1.2.
 */
#define VEU_COMMANDS(X)        \
    X(NOP, nop, 0)             \
    X(MESSAGE, message, 1)     \
    X(DISPATCH, dispatch, 2)   \
    X(FENCE, fence, 3)         \
    X(WAIT, wait, 4)           \
    X(TIMESTAMP, timestamp, 5) \
    X(COPY, copy, 6)           \
    X(FILL, fill, 7)           \
    X(KERNEL, kernel, 8)       \
    X(LOAD, load, 9)           \
    X(UNLOAD, unload, 10)      \
    X(INVALIDATE, invalidate, 11)

/** Command opcodes: VEU_COMMAND_NOP and so on. */
enum veu_command_opcode {
#define VEU_COMMAND(name, structure, opcode) VEU_COMMAND_##name = opcode,
    VEU_COMMANDS(VEU_COMMAND)
#undef VEU_COMMAND
};

/** Command flag: interrupt on the ring's vector when the command is done. */
#define VEU_COMMAND_INTERRUPT 0x0001
/**
 * Command flag: store when the command began and ended, in the entry of its
 * first slot in the array at RING_TIMES. Version 1.2.
 */
#define VEU_COMMAND_TIMES     0x0002

/** The first 8 bytes of every command. */
struct veu_command_header {
    uint8_t opcode; /**< enum veu_command_opcode */
    uint8_t slots;  /**< length of the command, slots: the value of its row */
    /**
     * bit 0 INTERRUPT: interrupt when the command is done; bit 1 TIMES: store
     * its times, version 1.2; other bits 0
     */
    uint16_t flags;
    uint32_t tag; /**< any value; a fault record repeats it */
};
VEU_ASSERT_SIZE(struct veu_command_header, 8);

/**
 * An entry of the array at RING_TIMES, which has RING_SLOTS of them: what a
 * command with flag TIMES stores before its slots are free. Version 1.2.
 */
struct veu_command_times {
    uint64_t begin_ns; /**< TIME when the device took the command */
    uint64_t end_ns;   /**< TIME when it was done, with or without a fault */
};
VEU_ASSERT_SIZE(struct veu_command_times, 16);

/** NOP: does nothing. 1 slot. */
struct veu_command_nop {
    struct veu_command_header header; /**< struct veu_command_header */
    uint8_t reserved[56];             /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_command_nop, 64);

/**
 * FENCE: after all earlier commands of the ring, stores a value. 1 slot.
 * A driver that has read the value sees all that those commands wrote.
 */
struct veu_command_fence {
    struct veu_command_header header; /**< struct veu_command_header */
    uint64_t address;     /**< where to store 8 bytes; a multiple of 8 */
    uint64_t value;       /**< the value to store */
    uint8_t reserved[40]; /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_command_fence, 64);

/** TIMESTAMP: stores the device clock (register TIME, ns). 1 slot. */
struct veu_command_timestamp {
    struct veu_command_header header; /**< struct veu_command_header */
    uint64_t address;     /**< where to store 8 bytes; a multiple of 8 */
    uint8_t reserved[48]; /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_command_timestamp, 64);

/** Conditions of a wait: how (word & mask) compares with the value. */
enum veu_condition {
    VEU_CONDITION_EQUAL = 0,
    VEU_CONDITION_NOT_EQUAL = 1,
    VEU_CONDITION_LESS = 2, /**< this and the next: as unsigned numbers */
    VEU_CONDITION_LESS_EQUAL = 3,
    VEU_CONDITION_GREATER = 4,
    VEU_CONDITION_GREATER_EQUAL = 5,
};

/**
 * WAIT: the ring waits until a word in memory meets a condition. 1 slot.
 * While it waits, the ring may sleep: see veu_ring_shared.asleep.
 */
struct veu_command_wait {
    struct veu_command_header header; /**< struct veu_command_header */
    uint64_t address;     /**< address of the word, 8 bytes; a multiple of 8 */
    uint64_t mask;        /**< bits of the word that are compared */
    uint64_t value;       /**< value that they are compared with */
    uint64_t timeout_ns;  /**< maximum wait, ns of TIME; 0: no limit */
    uint32_t condition;   /**< enum veu_condition */
    uint8_t reserved[20]; /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_command_wait, 64);
VEU_ASSERT_OFFSET(struct veu_command_wait, condition, 40);

/**
 * COPY: copies bytes as if all were read before any is written. 1 slot.
 */
struct veu_command_copy {
    struct veu_command_header header; /**< struct veu_command_header */
    uint64_t source;      /**< address of the first byte; any alignment */
    uint64_t destination; /**< address of its copy; any alignment */
    uint32_t bytes;       /**< number of bytes; 0: none */
    uint8_t reserved[36]; /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_command_copy, 64);

/**
 * FILL: stores 8 bytes repeatedly; the last repetition may be cut short. 1
 * slot.
 */
struct veu_command_fill {
    struct veu_command_header header; /**< struct veu_command_header */
    uint64_t pattern;                 /**< 8 bytes that are stored repeatedly */
    uint64_t destination; /**< address of the first byte; any alignment */
    uint32_t bytes; /**< number of bytes that are stored in all; 0: none */
    uint8_t reserved[36]; /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_command_fill, 64);

/**
 * The fields that dispatches and inline messages share. 120 bytes, after the
 * header. EU thread t of group g is number i = g * threads + t; its payload is
 * at payload_address + i * payload_stride, its result at result_address +
 * i * result_stride. Strides may be 0.
 */
struct veu_launch {
    /**
     * DISPATCH: address of the program; with code_bytes 0, the handle of a
     * loaded one. MESSAGE: 0
     */
    uint64_t code_address;
    /**
     * DISPATCH: size of the program, 32 to LIMIT_PROGRAM_BYTES; 0: it is
     * loaded. MESSAGE: bytes of the message, 1 to 64
     */
    uint32_t code_bytes;
    uint8_t simd;      /**< lanes of an EU thread: 8, 16 or 32 */
    uint8_t grf_bytes; /**< DISPATCH: 0. MESSAGE: bytes of a GRF, 32 or 64 */
    /** DISPATCH: 0. MESSAGE: entries of variables[] in use, 0 to 8 */
    uint8_t variable_count;
    /** DISPATCH: 0. MESSAGE: predicates P1, P2, ... of 32 bits, 0 to 8 */
    uint8_t predicate_count;
    uint64_t surface_table; /**< address of an array of struct veu_surface */
    /** entries of the array, 0 to LIMIT_SURFACES; entry i is surface 6 + i */
    uint32_t surface_count;
    /** shared local memory of a group, bytes, 0 to LIMIT_SLM_BYTES */
    uint32_t slm_bytes;
    uint64_t payload_address; /**< address of EU thread 0's payload */
    uint64_t result_address;  /**< address of EU thread 0's result */
    /** bytes from one EU thread's payload to that of the next */
    uint32_t payload_stride;
    uint32_t
        result_stride; /**< bytes from one EU thread's result to the next */
    /** size of a payload: 0, or 64 up to the end of the register file */
    uint32_t payload_bytes;
    uint32_t result_bytes;    /**< size of a result; 0: none */
    uint32_t result_offset;   /**< first byte of the registers in the result */
    uint32_t exec_mask;       /**< lanes that may run, bit n = lane n */
    uint32_t threads;         /**< EU threads of a group, 1 to LIMIT_THREADS */
    uint32_t groups;          /**< groups, 1 to LIMIT_GROUPS */
    uint64_t stateless_base;  /**< address of surface 5 */
    uint64_t stateless_bytes; /**< size of surface 5, 0 to 2^32 */
    uint8_t reserved[24];     /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_launch, 120);
VEU_ASSERT_OFFSET(struct veu_launch, surface_table, 16);
VEU_ASSERT_OFFSET(struct veu_launch, payload_address, 32);
VEU_ASSERT_OFFSET(struct veu_launch, payload_bytes, 56);
VEU_ASSERT_OFFSET(struct veu_launch, stateless_base, 80);

/** DISPATCH: runs a program on groups * threads EU threads. 2 slots. */
struct veu_command_dispatch {
    struct veu_command_header header; /**< struct veu_command_header */
    struct veu_launch launch;         /**< what is launched */
};
VEU_ASSERT_SIZE(struct veu_command_dispatch, 128);

/** Inline messages declare up to this many variables, V32 to V39. */
#define VEU_INLINE_VARIABLES  8
/** ... and this many predicates, P1 to P8. */
#define VEU_INLINE_PREDICATES 8
/** Enough for the longest message of the vISA encoding. */
#define VEU_INLINE_BYTES      64

/** MESSAGE: runs the message that the command contains. 4 slots. */
struct veu_command_message {
    struct veu_command_header header; /**< struct veu_command_header */
    /** as in a dispatch, with the differences below */
    struct veu_launch launch;
    /** 8 of struct veu_variable; entry i declares V(32 + i), or is 0 */
    struct veu_variable variables[VEU_INLINE_VARIABLES];
    /** the encoded message; bytes from code_bytes on are 0 */
    uint8_t message[VEU_INLINE_BYTES];
};
VEU_ASSERT_SIZE(struct veu_command_message, 256);
VEU_ASSERT_OFFSET(struct veu_command_message, message, 192);

/**
 * Bytes of LIMIT_LAUNCH_BYTES that an EU thread of a KERNEL uses in addition to
 * its registers, predicates and address variables.
 */
#define VEU_KERNEL_THREAD_BYTES  2560
/** scratch_bytes is a multiple of this. */
#define VEU_KERNEL_SCRATCH_BYTES 1024

/** Dwords of an EU thread's r0 that a KERNEL sets; all others are 0. */
enum veu_r0 {
    VEU_R0_GROUP_X = 1,
    VEU_R0_SCRATCH = 5, /**< slot * scratch_bytes */
    VEU_R0_GROUP_Y = 6,
    VEU_R0_GROUP_Z = 7,
};

/**
 * KERNEL: runs a program of kind 1 on a grid of groups, whose EU threads the
 * device starts with their ids. 3 slots; version 1.2.
 */
struct veu_command_kernel {
    struct veu_command_header header; /**< struct veu_command_header */
    uint64_t code_address; /**< address of the program; 0 for a loaded one */
    /** size of the program, 32 to LIMIT_PROGRAM_BYTES; 0: it is loaded */
    uint32_t code_bytes;
    uint32_t program;       /**< handle of a loaded program; else 0 */
    uint64_t surface_table; /**< address of an array of struct veu_surface */
    /** entries of the array, 0 to LIMIT_SURFACES; entry i is surface 6 + i */
    uint32_t surface_count;
    /** shared local memory of a group, bytes, 0 to LIMIT_SLM_BYTES */
    uint32_t slm_bytes;
    /** address of bytes that all EU threads start with */
    uint64_t cross_thread_address;
    /** address of the local ids of EU thread 0 of a group; all groups' */
    uint64_t local_id_address;
    uint32_t cross_thread_bytes; /**< size of these bytes; 0: none */
    /** bytes of local ids of an EU thread; those of the next follow */
    uint32_t local_id_bytes;
    uint32_t first_group[3]; /**< x, y and z of the first group */
    /** groups in x, y and z, each 1 or more; their product: to LIMIT_GROUPS */
    uint32_t group_count[3];
    uint32_t threads; /**< EU threads of a group, 1 to LIMIT_THREADS */
    /** lanes of a group's last EU thread, bit n = lane n; others run all */
    uint32_t last_exec_mask;
    uint64_t stateless_base;  /**< address of surface 5 */
    uint64_t stateless_bytes; /**< size of surface 5, 0 to 2^32 */
    /** bytes of surface 5 for each slot, a multiple of 1024 */
    uint32_t scratch_bytes;
    /** groups that may run at the same time, 1 or more */
    uint32_t groups_in_flight;
    uint8_t simd;        /**< lanes of an EU thread: 8, 16 or 32 */
    uint8_t reserved[7]; /**< 0 */
    /** samplers 0 to 15, each a struct veu_sampler: see Samplers */
    struct veu_sampler samplers[VEU_SAMPLERS];
};
VEU_ASSERT_SIZE(struct veu_command_kernel, 192);
VEU_ASSERT_OFFSET(struct veu_command_kernel, samplers, 128);
VEU_ASSERT_OFFSET(struct veu_command_kernel, cross_thread_address, 40);
VEU_ASSERT_OFFSET(struct veu_command_kernel, first_group, 64);
VEU_ASSERT_OFFSET(struct veu_command_kernel, stateless_base, 96);
VEU_ASSERT_OFFSET(struct veu_command_kernel, simd, 120);

/** The highest handle of a loaded program. */
#define VEU_HANDLE_MAX 65535

/**
 * LOAD: copies a program, of any kind, and decodes it, once for all launches
 * that name its handle. 1 slot; version 1.2.
 */
struct veu_command_load {
    struct veu_command_header header; /**< struct veu_command_header */
    uint64_t code_address;            /**< address of the program */
    uint32_t code_bytes; /**< size of the program, 32 to LIMIT_LOAD_BYTES */
    /** handle that the driver chooses, 1 to 65535, not in use in the context */
    uint32_t program;
    uint8_t simd;         /**< lanes of its launches: 8, 16 or 32 */
    uint8_t reserved[39]; /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_command_load, 64);
VEU_ASSERT_OFFSET(struct veu_command_load, simd, 24);

/**
 * UNLOAD: releases the handle of a program. Its memory is freed when no launch
 * uses it any longer. 1 slot; version 1.2.
 */
struct veu_command_unload {
    struct veu_command_header header; /**< struct veu_command_header */
    uint32_t program; /**< handle; 0: those of all programs of the context */
    uint8_t reserved[52]; /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_command_unload, 64);

/**
 * INVALIDATE: after all earlier commands of the ring, drops cached translations
 * of a context. Only in rings whose context has type 0. 1 slot; version
 * 1.2.
 */
struct veu_command_invalidate {
    struct veu_command_header header; /**< struct veu_command_header */
    uint64_t range;       /**< as CONTEXT_INVALIDATE: VEU_INVALIDATE() */
    uint32_t context;     /**< number of the context whose tables these are */
    uint8_t reserved[44]; /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_command_invalidate, 64);
VEU_ASSERT_OFFSET(struct veu_command_invalidate, context, 16);

#endif /* VEU_RING_H */
