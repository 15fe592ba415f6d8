/*
 * veu: packed kernels, the files that `veu-kernel pack` writes (.veuk).
 *
 * SPDX-License-Identifier: MIT
 *
 * A packed kernel is a compiled kernel that needs no parser: a header, tables
 * of structures, the program, and the data of the program's scope. All numbers
 * are little endian, all offsets are in bytes from the start of the file, and
 * everything at such an offset is aligned to 8 bytes. docs/kernels.md, "Packed
 * kernels", describes a launch; firmware/lib/veu_kernel.h performs it.
 */
#ifndef VEU_PACKED_H
#define VEU_PACKED_H

#include "veu/base.h"
#include "veu/surface.h"

/** The first bytes of the file: VEUK. */
#define VEU_PACKED_MAGIC   0x4b554556u
#define VEU_PACKED_VERSION 1

/**
 * The maximum number of arguments, fields, surfaces, samplers and addresses of
 * a kernel.
 */
#define VEU_PACKED_MAX_ROWS          4096u
/** Entries of a surface table: surfaces 6 to 255. */
#define VEU_PACKED_SURFACES          250u
/** The maximum payload: cross-thread data, or local ids of an EU thread. */
#define VEU_PACKED_MAX_PAYLOAD_BYTES (64u * 1024)
/** The maximum size of a file, and of the memory of a program and its data. */
#define VEU_PACKED_MAX_BYTES         (320u * 1024 * 1024)

/** Kinds of kernel argument. */
enum veu_kernel_arg_kind {
    VEU_KERNEL_ARG_UNUSED,  /**< removed by the compiler; its type is unknown */
    VEU_KERNEL_ARG_VALUE,   /**< bytes: a number, a vector, a structure */
    VEU_KERNEL_ARG_BUFFER,  /**< memory: __global, __constant */
    VEU_KERNEL_ARG_LOCAL,   /**< shared local memory: __local */
    VEU_KERNEL_ARG_IMAGE,   /**< an image */
    VEU_KERNEL_ARG_SAMPLER, /**< a sampler */
};

/** Types of image. */
enum veu_kernel_image_type {
    VEU_KERNEL_IMAGE_UNKNOWN, /**< not supported, or not an image */
    VEU_KERNEL_IMAGE_1D,
    VEU_KERNEL_IMAGE_1D_ARRAY,
    VEU_KERNEL_IMAGE_1D_BUFFER,
    VEU_KERNEL_IMAGE_2D,
    VEU_KERNEL_IMAGE_2D_ARRAY,
    VEU_KERNEL_IMAGE_3D,
};

/** The meaning of bytes of the cross-thread data. Triples are x, y and z. */
enum veu_kernel_field_type {
    VEU_KERNEL_PAYLOAD_ZERO, /**< 0 */
    /** work-items of a group; the last groups of a range may be smaller */
    VEU_KERNEL_PAYLOAD_LOCAL_SIZE,
    /** work-items of all groups except the last ones */
    VEU_KERNEL_PAYLOAD_ENQUEUED_LOCAL_SIZE,
    VEU_KERNEL_PAYLOAD_GLOBAL_SIZE,     /**< work-items of the range */
    VEU_KERNEL_PAYLOAD_GROUP_COUNT,     /**< groups of the range */
    VEU_KERNEL_PAYLOAD_WORK_DIMENSIONS, /**< 1 to 3 */
    /** argument `arg`, from byte `source_offset` of its value */
    VEU_KERNEL_PAYLOAD_VALUE,
    VEU_KERNEL_PAYLOAD_POINTER, /**< address of argument `arg` */
    /** the argument's offset in local memory */
    VEU_KERNEL_PAYLOAD_LOCAL_POINTER,
    VEU_KERNEL_PAYLOAD_PRIVATE_BASE,  /**< address of private memory */
    VEU_KERNEL_PAYLOAD_PRINTF_BUFFER, /**< address of printf()'s buffer */
    /** address of the data plus `source_offset` */
    VEU_KERNEL_PAYLOAD_CONST_BASE,
    VEU_KERNEL_PAYLOAD_GLOBAL_BASE, /**< like CONST_BASE */
    VEU_KERNEL_PAYLOAD_IMAGE_WIDTH, /**< of argument `arg`, in texels */
    VEU_KERNEL_PAYLOAD_IMAGE_HEIGHT,
    VEU_KERNEL_PAYLOAD_IMAGE_DEPTH,
    VEU_KERNEL_PAYLOAD_IMAGE_ARRAY_SIZE,
    VEU_KERNEL_PAYLOAD_IMAGE_CHANNEL_TYPE,  /**< CLK_UNORM_INT8, ... */
    VEU_KERNEL_PAYLOAD_IMAGE_CHANNEL_ORDER, /**< CLK_RGBA, ... */
    VEU_KERNEL_PAYLOAD_SAMPLER_ADDRESSING,  /**< CLK_ADDRESS_CLAMP, ... */
    VEU_KERNEL_PAYLOAD_SAMPLER_NORMALIZED,  /**< 1, or 0 */
    VEU_KERNEL_PAYLOAD_IMAGE_DEPTH_ORDER,   /**< CLK_DEPTH */
    VEU_KERNEL_PAYLOAD_COUNT
};

/** The place of a table in the file, and the number of its rows. */
struct veu_packed_table {
    uint32_t offset;
    uint32_t count;
};

/** The file's header, at its first byte. */
struct veu_packed_kernel {
    uint32_t magic;   /**< VEU_PACKED_MAGIC */
    uint16_t version; /**< VEU_PACKED_VERSION */
    uint8_t simd;     /**< lanes of an EU thread: 8, 16 or 32 */
    /** bit 0: the kernel needs a buffer for printf(); other bits 0 */
    uint8_t flags;
    uint32_t bytes;     /**< size of the file */
    uint32_t name;      /**< offset of the kernel's name, which ends with 0 */
    uint32_t grf_bytes; /**< size of a register: 32 */
    /** the part of LIMIT_LAUNCH_BYTES that a launch takes for each EU thread */
    uint32_t thread_bytes;
    uint32_t slm_bytes;     /**< local memory of a group, without arguments */
    uint32_t private_bytes; /**< private memory of an EU thread */
    /** scratch memory of an EU thread, a multiple of 1,024 */
    uint32_t scratch_bytes;
    uint32_t cross_thread_bytes; /**< size of the cross-thread data */
    uint32_t local_id_bytes;     /**< size of the local ids of an EU thread */
    uint32_t required_local[3];  /**< required local size; 0: any */
    /** dimensions, that whose local id changes fastest first */
    uint8_t walk_order[3];
    uint8_t reserved;               /**< 0 */
    uint32_t program;               /**< offset of the program, of kind 1 */
    uint32_t program_bytes;         /**< size of the program */
    uint32_t data;                  /**< offset of the data */
    uint32_t data_bytes;            /**< size of the data in the file */
    uint32_t data_memory_bytes;     /**< their size in memory; the rest is 0 */
    struct veu_packed_table args;   /**< of struct veu_packed_arg */
    struct veu_packed_table fields; /**< of struct veu_packed_field */
    struct veu_packed_table surfaces; /**< of struct veu_packed_surface */
    struct veu_packed_table samplers; /**< of struct veu_packed_sampler */
    /** of struct veu_packed_address */
    struct veu_packed_table addresses;
};
VEU_ASSERT_SIZE(struct veu_packed_kernel, 120);

/** An argument of the kernel; the first is argument 0. */
struct veu_packed_arg {
    uint32_t name;       /**< offset of its name, or 0 if it has none */
    uint8_t kind;        /**< enum veu_kernel_arg_kind */
    uint8_t image_type;  /**< enum veu_kernel_image_type */
    uint8_t reserved[2]; /**< 0 */
    uint32_t bytes;      /**< size of a value; 0 for other kinds */
    uint32_t reserved1;  /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_packed_arg, 16);

/** Bytes of the cross-thread data. */
struct veu_packed_field {
    uint32_t type;          /**< enum veu_kernel_field_type */
    uint32_t offset;        /**< in the cross-thread data */
    uint32_t bytes;         /**< its size */
    uint32_t arg;           /**< the argument, if the type names one */
    uint32_t source_offset; /**< in the argument, or in the data */
    uint32_t reserved;      /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_packed_field, 24);

/** Entry `index` of the surface table is argument `arg`; others are 0. */
struct veu_packed_surface {
    uint32_t index; /**< 0 to 249 */
    uint32_t arg;   /**< an argument: a buffer or an image */
};
VEU_ASSERT_SIZE(struct veu_packed_surface, 8);

/** Sampler `index` of the command KERNEL. */
struct veu_packed_sampler {
    uint32_t index; /**< 0 to 15 */
    uint32_t arg;   /**< a sampler; if UINT32_MAX, it is `state` */
    struct veu_sampler state;
    uint32_t reserved; /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_packed_sampler, 16);

/** The part that a struct veu_packed_address patches. */
enum veu_packed_part {
    VEU_PACKED_PROGRAM, /**< bytes of the program */
    VEU_PACKED_DATA,    /**< bytes of the data */
};

/**
 * Bytes that become an address: the address of the data in memory plus
 * `addend`, shifted right by `shift`.
 */
struct veu_packed_address {
    uint8_t part;        /**< enum veu_packed_part */
    uint8_t bytes;       /**< their number: 4 or 8 */
    uint8_t shift;       /**< 0 or 32 bits */
    uint8_t reserved[1]; /**< 0 */
    uint32_t offset;     /**< in the program or in the data */
    uint64_t addend;     /**< bytes */
};
VEU_ASSERT_SIZE(struct veu_packed_address, 16);

#endif /* VEU_PACKED_H */
