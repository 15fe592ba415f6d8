/*
 * libveu-kernel: compiled OpenCL kernels as programs of the device.
 *
 * SPDX-License-Identifier: MIT
 *
 * A zebin is the ELF file that Intel's compiler writes. With the options that
 * docs/kernels.md names, it has the vISA text of each kernel, and `.ze_info`, a
 * page of YAML that describes the kernels' arguments.
 *
 *   veu_zebin_new()       reads the file: kernels and sections of data
 *   veu_kernel_program()  makes a program of kind 1 of a kernel's text
 *   veu_kernel_launch()   makes what the command KERNEL points at
 *   veu_kernel_pack()     makes a file of it for guests without this library
 *
 * The library allocates no guest memory: the caller chooses the addresses of
 * sections, buffers and private memory. A zebin may be hostile. Whatever it
 * holds, these functions end with a result or a GError.
 */
#ifndef VEU_KERNEL_H
#define VEU_KERNEL_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include "veu/packed.h"
#include "veu/surface.h"

G_BEGIN_DECLS

/** The domain of all errors of the library; codes are 0. */
GQuark veu_kernel_error_quark(void);
#define VEU_KERNEL_ERROR veu_kernel_error_quark()

/** The largest zebin that is read, bytes. */
#define VEU_ZEBIN_MAX_BYTES (64u * 1024 * 1024)

/** Kinds of kernel argument, and types of image: veu/packed.h. */
typedef enum veu_kernel_arg_kind VeuKernelArgKind;
typedef enum veu_kernel_image_type VeuKernelImageType;

/** An argument of a kernel. */
typedef struct VeuKernelArg {
    char *name; /**< as the source has it, or NULL */
    char *type; /**< "float*", "int", or NULL */
    VeuKernelArgKind kind;
    VeuKernelImageType image_type; /**< of an image */
    uint32_t bytes;                /**< size of a value; 0 of the other kinds */
} VeuKernelArg;

/** A kernel. What callers read comes first; the library has the rest. */
typedef struct VeuKernel {
    char *name;
    uint32_t simd;              /**< lanes of an EU thread: 8, 16 or 32 */
    uint32_t grf_bytes;         /**< size of a register: 32 */
    uint32_t slm_bytes;         /**< static shared local memory of a group */
    uint32_t private_bytes;     /**< private memory of an EU thread */
    uint32_t scratch_bytes;     /**< scratch memory of an EU thread */
    uint32_t required_local[3]; /**< local size that it demands; 0: any */
    bool uses_printf;           /**< it needs a buffer for printf() */
    GArray *args;               /**< of VeuKernelArg, in order */

    struct VeuZebin *zebin;
    unsigned index;        /* in the order of .ze_info */
    uint8_t walk_order[3]; /* dimension of local ids that moves first, ... */
    GArray *payload;       /* of VeuKernelPayload */
    GArray *surfaces;      /* of VeuKernelSurface */
    GArray *samplers;      /* of VeuKernelSampler */
    uint32_t local_id_bytes;
    uint32_t cross_thread_bytes;
    char *refused; /* why it cannot run, or NULL */
} VeuKernel;

/** A section of data: program-scope variables, constants, strings. */
typedef struct VeuKernelSection {
    char *name; /**< ".data.const", ... */
    uint64_t bytes;
    uint8_t *data;    /**< as the file has it; see veu_zebin_relocate() */
    uint64_t address; /**< where the caller puts it */
    unsigned elf_index;
} VeuKernelSection;

/** A zebin that has been read. */
typedef struct VeuZebin VeuZebin;

/**
 * Reads the zebin in @bytes; NULL with @error. Nothing of @bytes is used after
 * the call.
 */
VeuZebin *veu_zebin_new(const uint8_t *bytes, size_t byte_count,
                        GError **error);
void veu_zebin_free(VeuZebin *zebin);

/** The kernels: GArray of VeuKernel, in the order of .ze_info. */
const GArray *veu_zebin_kernels(const VeuZebin *zebin);
/**
 * False for the one that the compiler adds for functions which are called by
 * address: it has no code of its own.
 */
bool veu_kernel_can_run(const VeuKernel *kernel);
/** The kernel of that name, or NULL with @error, which names all kernels. */
const VeuKernel *veu_zebin_kernel(const VeuZebin *zebin, const char *name,
                                  GError **error);
/**
 * Sections of data: GArray of VeuKernelSection. The caller sets each address,
 * then calls veu_zebin_relocate(), and copies the data there.
 */
GArray *veu_zebin_sections(VeuZebin *zebin);
/**
 * Puts addresses into the data of sections; false with @error. After the caller
 * has moved sections, another call puts the new addresses there.
 */
bool veu_zebin_relocate(VeuZebin *zebin, GError **error);

/* From this offset of the program's code on: a line of a source file. */
typedef struct VeuKernelLine {
    uint32_t offset;
    uint32_t line; /* 0: not known */
    uint32_t file; /* index in the array of files */
} VeuKernelLine;

/*
 * The source lines of the program that veu_kernel_program() has made, where the
 * compiler was called with -g: appends VeuKernelLine to @lines, ascending, and
 * names of files, which the caller frees, to @files. Otherwise nothing.
 */
void veu_kernel_lines(const VeuKernel *kernel, GArray *lines, GPtrArray *files);

/**
 * The program of @kernel, kind 1; NULL with @error. The sections have their
 * addresses. If @one_place, each variable has a place of its own: for tests.
 */
GByteArray *veu_kernel_program(const VeuKernel *kernel, bool one_place,
                               GError **error);

/**
 * The kernel as a file that needs no parser: veu/packed.h. NULL with @error
 * where the kernel cannot run. The address of each section becomes its offset
 * in the data of the file.
 */
GByteArray *veu_kernel_pack(VeuZebin *zebin, const VeuKernel *kernel,
                            GError **error);

/** What the caller gives for an argument. */
typedef struct VeuKernelValue {
    const void *data;           /**< value: its bytes */
    uint64_t bytes;             /**< value, buffer, local memory: size */
    uint64_t address;           /**< buffer: where it is */
    struct veu_surface image;   /**< image: see veu_kernel_image() */
    struct veu_sampler sampler; /**< sampler */
} VeuKernelValue;

/** Sizes of an image; those that its type does not have are 1. */
typedef struct VeuKernelImageSize {
    uint32_t width;
    uint32_t height;
    uint32_t slices; /**< depth, or elements of an array */
} VeuKernelImageSize;

/**
 * Describes an image of one level without padding in rows: slices begin
 * @slice_bytes apart, and the memory at @address has @slice_bytes *
 * size.slices bytes. @format is an enum veu_format. False with @error where
 * there is no such image.
 */
bool veu_kernel_image(VeuKernelImageType type, uint16_t format,
                      const VeuKernelImageSize *size, uint64_t address,
                      struct veu_surface *image, uint64_t *slice_bytes,
                      GError **error);
/** Bytes of a texel of enum veu_format @format; 0: there is no such format. */
uint32_t veu_kernel_texel_bytes(uint16_t format);

/** What a kernel is run on. */
typedef struct VeuKernelRange {
    unsigned dimensions; /**< 1 to 3 */
    uint32_t global[3];  /**< work-items; 1 in dimensions that are not there */
    uint32_t local[3];   /**< of a group, at most 4,096 together */
    const VeuKernelValue *values; /**< for each argument of the kernel */
    uint64_t private_address;     /**< private_bytes for each slot */
    uint64_t printf_address;      /**< buffer of printf(), or 0 */
} VeuKernelRange;

/**
 * A command KERNEL. Where the local size does not divide the global size, a
 * range takes more than one, as its last groups are smaller; and where it has
 * more groups than the device's LIMIT_GROUPS.
 */
typedef struct VeuKernelLaunch {
    GByteArray *cross_thread;
    GByteArray *local_ids;
    GArray *surfaces; /**< of struct veu_surface */
    struct veu_sampler samplers[VEU_SAMPLERS];
    uint32_t slm_bytes;
    uint32_t first_group[3];
    uint32_t group_count[3];
    uint32_t threads;
    uint32_t last_exec_mask;
    uint32_t local_id_bytes; /**< of an EU thread */
} VeuKernelLaunch;

/** The most launches of a range. */
#define VEU_KERNEL_MAX_LAUNCHES 20

/** More groups in flight are of no use. */
#define VEU_KERNEL_MAX_GROUPS_IN_FLIGHT 64

/**
 * The field `groups_in_flight` of a launch of @program: as many groups of
 * @threads EU threads and @slm_bytes as fit into @launch_bytes, the device's
 * LIMIT_LAUNCH_BYTES. Slots are this number times @threads. 0: not one fits.
 */
uint32_t veu_kernel_groups_in_flight(const GByteArray *program,
                                     uint32_t threads, uint32_t slm_bytes,
                                     uint32_t launch_bytes);

/** The size of the buffer of printf(): compilers know it. */
#define VEU_KERNEL_PRINTF_BYTES (4u * 1024 * 1024)
/** What the buffer's first dword is before a kernel runs; the rest is 0. */
#define VEU_KERNEL_PRINTF_START 4u

/** How printf()'s strings are read from the memory that the kernel sees. */
typedef struct VeuKernelMemory {
    /** Reads @bytes at @address; false where there is no such memory. */
    bool (*read)(void *opaque, uint64_t address, void *to, uint32_t bytes);
    void *opaque;
} VeuKernelMemory;

/**
 * Appends to @out what calls of printf() have left in @buffer, at most some 16
 * MiB of text. False where the buffer was too small for all calls, or holds
 * something else: @out has what could be read.
 */
bool veu_kernel_printf(const uint8_t *buffer, uint32_t bytes,
                       const VeuKernelMemory *memory, GString *out);

/** Checks @range without addresses; false with @error, which says what fits. */
bool veu_kernel_check(const VeuKernel *kernel, const VeuKernelRange *range,
                      GError **error);
/** The launches of @range: GArray of VeuKernelLaunch; NULL with @error. */
GArray *veu_kernel_launch(const VeuKernel *kernel, const VeuKernelRange *range,
                          GError **error);

G_END_DECLS

#endif
