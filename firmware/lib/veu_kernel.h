/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: compiled kernels, packed ahead by `veu-kernel pack`.
 *
 *     veu_kernel_open(&kernel, file, file_bytes); veu_kernel_place(&kernel,
 *     allocate(kernel.place_bytes)); load = veu_make_load(1, kernel.program,
 *     kernel.program_bytes,
 *                          kernel.packed->simd, handle); veu_ring_put(&ring,
 *     &load.header);
 *
 *     veu_kernel_begin(&run, &kernel, handle, launch_bytes);
 *     veu_kernel_set_buffer(&run, 0, buffer, buffer_bytes);
 *     veu_kernel_set_value(&run, 1, &count, sizeof(count));
 *     veu_kernel_set_range(&run, 1, (uint32_t[]){ 1024 }, (uint32_t[]){ 64 });
 *     veu_kernel_put(&run, &ring, 2, allocate(veu_kernel_bytes(&run)));
 *     veu_ring_submit(&ring); veu_ring_wait(&ring, timeout_ns);
 *     veu_kernel_print(&run, put_char, opaque);      what printf() has printed
 *
 * Errors stick: veu_kernel_bytes() returns 0 if an argument was refused or is
 * missing. The device must have the commands LOAD and KERNEL: bit 1 of
 * limits.program_kinds (struct veu_device), and version 1.2.
 */
#ifndef VEU_GUEST_KERNEL_H
#define VEU_GUEST_KERNEL_H

#include "veu/packed.h"
#include "veu_ring.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The maximum number of arguments of a kernel that can run. */
#define VEU_KERNEL_ARGS 64

/**
 * The maximum number of commands KERNEL of a run: its last groups may be
 * smaller.
 */
#define VEU_KERNEL_COMMANDS 8

/** The maximum number of ring slots that veu_kernel_put() needs. */
#define VEU_KERNEL_SLOTS (3 * VEU_KERNEL_COMMANDS)

/** A packed kernel. */
struct veu_kernel {
    const struct veu_packed_kernel *packed; /**< the file, which must remain */
    const struct veu_packed_arg *args;      /**< its tables */
    const struct veu_packed_field *fields;
    const struct veu_packed_surface *surfaces;
    const struct veu_packed_sampler *samplers;
    const struct veu_packed_address *addresses;
    uint32_t place_bytes;   /**< memory that veu_kernel_place() needs */
    uint32_t surface_count; /**< entries of the surface table */
    uint8_t *program;       /**< after veu_kernel_place(): what LOAD needs */
    uint32_t program_bytes; /**< its size */
    uint8_t *data; /**< after veu_kernel_place(): program-scope variables */
};

/**
 * Reads the header and the tables. @file: aligned to 8 bytes, @capacity of them
 * readable; the kernel points into it. Returns false if they are not a packed
 * kernel, if it ends beyond @capacity, or if it has more than VEU_KERNEL_ARGS
 * arguments. The device checks the program itself.
 */
bool veu_kernel_open(struct veu_kernel *kernel, const void *file,
                     uint32_t capacity);

/** The name of the kernel, and of an argument, or NULL if it has none. */
const char *veu_kernel_name(const struct veu_kernel *kernel);
const char *veu_kernel_arg_name(const struct veu_kernel *kernel, unsigned arg);

/**
 * Copies program and data into @memory and writes addresses into them. @memory
 * has place_bytes, is aligned to 64 bytes, and is accessible to the device. A
 * second call resets program-scope variables to their initial values.
 */
void veu_kernel_place(struct veu_kernel *kernel, void *memory);

/** The value of an argument in a run. */
struct veu_kernel_value {
    const void *data;                /**< a value's bytes, which must remain */
    uint64_t address;                /**< address of a buffer for the device */
    uint64_t bytes;                  /**< size of buffer or local memory */
    const struct veu_surface *image; /**< an image; it stays */
    struct veu_sampler sampler;      /**< a sampler */
    bool is_set;
};

/** A kernel to be run, and its range. */
struct veu_kernel_run {
    const struct veu_kernel *kernel;
    uint32_t handle;       /**< handle of the loaded program */
    uint32_t launch_bytes; /**< the device's LIMIT_LAUNCH_BYTES */
    bool failed;           /**< an argument or the range was refused */
    uint32_t dimensions;   /**< dimensions of the range; 0: not set */
    uint32_t global[3];    /**< work-items */
    uint32_t local[3];     /**< work-items of a group */
    uint32_t slm_bytes;    /**< local memory of a group */
    uint32_t slm_offsets[VEU_KERNEL_ARGS];
    struct veu_kernel_value values[VEU_KERNEL_ARGS];
    uint32_t slots;          /**< the most EU threads in flight */
    uint8_t *private_memory; /**< in the memory of the run */
    uint8_t *scratch_memory; /**< likewise */
    uint8_t *printf_memory;  /**< likewise; NULL: the kernel has no printf() */
};

/**
 * Begins a run of a kernel that was placed and loaded as @handle. @launch_bytes
 * is the value of register LIMIT_LAUNCH_BYTES.
 */
void veu_kernel_begin(struct veu_kernel_run *run,
                      const struct veu_kernel *kernel, uint32_t handle,
                      uint32_t launch_bytes);

/**
 * Arguments. Each returns false, and the run fails, if the kernel does not have
 * argument @arg, or if it is of another kind or, a value, of another size. An
 * argument that the compiler has removed may have any value, or none.
 */
bool veu_kernel_set_value(struct veu_kernel_run *run, unsigned arg,
                          const void *value, uint32_t bytes);
bool veu_kernel_set_buffer(struct veu_kernel_run *run, unsigned arg,
                           const volatile void *memory, uint64_t bytes);
bool veu_kernel_set_local(struct veu_kernel_run *run, unsigned arg,
                          uint32_t bytes);
bool veu_kernel_set_image(struct veu_kernel_run *run, unsigned arg,
                          const struct veu_surface *image);
bool veu_kernel_set_sampler(struct veu_kernel_run *run, unsigned arg,
                            struct veu_sampler sampler);

/**
 * Sets the range of the kernel: @dimensions, 1 to 3, and for each the number of
 * work-items in all and in a group, which has at most 4,096. If a local size
 * does not divide the global one, the last groups are smaller. Returns false,
 * and the run fails, for anything else, for a local size that the kernel
 * forbids, and for more than 1,048,576 groups.
 */
bool veu_kernel_set_range(struct veu_kernel_run *run, unsigned dimensions,
                          const uint32_t *global, const uint32_t *local);

/**
 * Memory that the run needs, in bytes; 0 if it has failed, if an argument or
 * the range is missing, or if a group does not fit into the device.
 */
uint64_t veu_kernel_bytes(struct veu_kernel_run *run);

/**
 * Puts the commands of the run; the caller submits them and waits. @memory has
 * veu_kernel_bytes(), is aligned to 64 bytes, is accessible to the device, and
 * belongs to the run until that is done. Returns VEU_FULL if the ring does not
 * have VEU_KERNEL_SLOTS free slots, or VEU_BAD_CONFIG if veu_kernel_bytes() is
 * 0; nothing was put then.
 */
enum veu_status veu_kernel_put(struct veu_kernel_run *run,
                               struct veu_ring *ring, uint32_t tag,
                               void *memory);

/**
 * Writes the output of the kernel's printf(), byte for byte, after the run is
 * done. Strings must be in the kernel's data; others are written as "(not a
 * string)". Returns false if the buffer was too small for all calls or contains
 * something else, and after 16 MiB of text.
 */
bool veu_kernel_print(const struct veu_kernel_run *run,
                      void (*put)(void *opaque, char c), void *opaque);

#ifdef __cplusplus
}
#endif

#endif /* VEU_GUEST_KERNEL_H */
