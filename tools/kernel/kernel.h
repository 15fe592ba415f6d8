/*
 * libveu-kernel: compiled OpenCL kernels as programs of the device.
 *
 * SPDX-License-Identifier: MIT
 *
 * A zebin is the ELF file that Intel's compiler writes. With the options in
 * docs/kernels.md, it contains the vISA text of each kernel, and `.ze_info`, a
 * YAML document that describes the kernels' arguments.
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
    char *name; /**< its name in the source, or NULL */
    char *type; /**< "float*", "int", or NULL */
    VeuKernelArgKind kind;
    VeuKernelImageType image_type; /**< of an image */
    bool is_depth;                 /**< the texels of the image are depths */
    bool is_written;               /**< the kernel may write the image */
    uint32_t bytes;                /**< size of a value; 0 for other kinds */
} VeuKernelArg;

/** A kernel. The first members are for callers, the rest for the library. */
typedef struct VeuKernel {
    char *name;
    uint32_t simd;              /**< lanes of an EU thread: 8, 16 or 32 */
    uint32_t grf_bytes;         /**< size of a register: 32 */
    uint32_t slm_bytes;         /**< static shared local memory of a group */
    uint32_t private_bytes;     /**< private memory of an EU thread */
    uint32_t scratch_bytes;     /**< scratch memory of an EU thread */
    uint32_t required_local[3]; /**< the required local size; 0: any */
    bool uses_printf;           /**< it needs a buffer for printf() */
    GArray *args;               /**< of VeuKernelArg, in order */

    struct VeuZebin *zebin;
    unsigned index;        /* index in .ze_info */
    uint8_t walk_order[3]; /* the dimensions of local ids, fastest first */
    GArray *payload;       /* elements: VeuKernelPayload */
    GArray *surfaces;      /* elements: VeuKernelSurface */
    GArray *samplers;      /* elements: VeuKernelSampler */
    uint32_t local_id_bytes;
    uint32_t cross_thread_bytes;
    char *refused; /* why the kernel cannot run, or NULL */
} VeuKernel;

/** A section of data: program-scope variables, constants, strings. */
typedef struct VeuKernelSection {
    char *name; /**< ".data.const", ... */
    uint64_t bytes;
    uint8_t *data;    /**< as in the file; see veu_zebin_relocate() */
    uint64_t address; /**< set by the caller */
    unsigned elf_index;
} VeuKernelSection;

/** A zebin that has been read. */
typedef struct VeuZebin VeuZebin;

/**
 * Reads the zebin in @bytes. Returns NULL with @error. @bytes is not used after
 * the call.
 */
VeuZebin *veu_zebin_new(const uint8_t *bytes, size_t byte_count,
                        GError **error);
void veu_zebin_free(VeuZebin *zebin);

/** The kernels: GArray of VeuKernel, in the order of .ze_info. */
const GArray *veu_zebin_kernels(const VeuZebin *zebin);
/**
 * Returns false for the kernel that the compiler adds for functions that are
 * called by address: it has no code of its own.
 */
bool veu_kernel_can_run(const VeuKernel *kernel);
/** The kernel with this name, or NULL with @error, which lists all kernels. */
const VeuKernel *veu_zebin_kernel(const VeuZebin *zebin, const char *name,
                                  GError **error);
/**
 * Sections of data: GArray of VeuKernelSection. The caller sets each address,
 * then calls veu_zebin_relocate(), and copies the data there.
 */
GArray *veu_zebin_sections(VeuZebin *zebin);
/**
 * Writes addresses into the data of sections. Returns false with @error. After
 * the caller has moved sections, another call writes the new addresses.
 */
bool veu_zebin_relocate(VeuZebin *zebin, GError **error);

/*
 * The code of the program from this offset on belongs to this line of a source
 * file.
 */
typedef struct VeuKernelLine {
    uint32_t offset;
    uint32_t line; /* 0: not known */
    uint32_t file; /* index in the array of files */
} VeuKernelLine;

/*
 * Appends the source lines of the program that veu_kernel_program() has made:
 * VeuKernelLine to @lines, ascending, and names of files, which the caller
 * frees, to @files. Appends nothing unless the compiler was called with -g.
 */
void veu_kernel_lines(const VeuKernel *kernel, GArray *lines, GPtrArray *files);

/**
 * Returns the program of @kernel, of kind 1, or NULL with @error. The addresses
 * of sections must be set. If @one_place, each variable has its own place, for
 * tests.
 */
GByteArray *veu_kernel_program(const VeuKernel *kernel, bool one_place,
                               GError **error);

/**
 * Returns the kernel as a file that needs no parser: veu/packed.h. Returns NULL
 * with @error if the kernel cannot run. The address of each section becomes its
 * offset in the data of the file.
 */
GByteArray *veu_kernel_pack(VeuZebin *zebin, const VeuKernel *kernel,
                            GError **error);

/** The caller's value of an argument. */
typedef struct VeuKernelValue {
    const void *data;           /**< value: its bytes */
    uint64_t bytes;             /**< value, buffer, local memory: size */
    uint64_t address;           /**< buffer: its address */
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
 * @slice_bytes apart, and the memory at @address has @slice_bytes * size.slices
 * bytes. @format is an enum veu_format. Returns false with @error if there is
 * no such image.
 */
bool veu_kernel_image(VeuKernelImageType type, uint16_t format,
                      const VeuKernelImageSize *size, uint64_t address,
                      struct veu_surface *image, uint64_t *slice_bytes,
                      GError **error);
/**
 * The size of a texel of format @format (enum veu_format), bytes; 0 if there is
 * no such format.
 */
uint32_t veu_kernel_texel_bytes(uint16_t format);

/** The range of a kernel, and its arguments. */
typedef struct VeuKernelRange {
    unsigned dimensions;          /**< 1 to 3 */
    uint32_t global[3];           /**< work-items; 1 in unused dimensions */
    uint32_t local[3];            /**< of a group, at most 4,096 in all */
    const VeuKernelValue *values; /**< one for each argument of the kernel */
    uint64_t private_address;     /**< memory for private_bytes per slot */
    uint64_t printf_address;      /**< the buffer of printf(), or 0 */
} VeuKernelRange;

/**
 * A command KERNEL. A range takes several if the local size does not divide the
 * global size, because its last groups are smaller, or if it has more groups
 * than the device's LIMIT_GROUPS.
 */
typedef struct VeuKernelLaunch {
    GByteArray *cross_thread;
    GByteArray *local_ids;
    GArray *surfaces; /**< elements: struct veu_surface */
    struct veu_sampler samplers[VEU_SAMPLERS];
    uint32_t slm_bytes;
    uint32_t first_group[3];
    uint32_t group_count[3];
    uint32_t threads;
    uint32_t last_exec_mask;
    uint32_t local_id_bytes; /**< of an EU thread */
} VeuKernelLaunch;

/** The maximum number of launches that a range takes. */
#define VEU_KERNEL_MAX_LAUNCHES 20

/** More groups in flight would have no benefit. */
#define VEU_KERNEL_MAX_GROUPS_IN_FLIGHT 64

/**
 * Returns the field `groups_in_flight` for a launch of @program: the number of
 * groups of @threads EU threads and @slm_bytes that fit into @launch_bytes, the
 * device's LIMIT_LAUNCH_BYTES. The number of slots is this times @threads.
 * Returns 0 if no group fits.
 */
uint32_t veu_kernel_groups_in_flight(const GByteArray *program,
                                     uint32_t threads, uint32_t slm_bytes,
                                     uint32_t launch_bytes);

/** The size of the buffer of printf(), which compilers assume. */
#define VEU_KERNEL_PRINTF_BYTES (4u * 1024 * 1024)
/** The buffer's first dword before a kernel runs; the rest is 0. */
#define VEU_KERNEL_PRINTF_START 4u

/** Reads printf()'s strings from the memory that the kernel accesses. */
typedef struct VeuKernelMemory {
    /** Reads @bytes at @address. Returns false if there is no such memory. */
    bool (*read)(void *opaque, uint64_t address, void *to, uint32_t bytes);
    void *opaque;
} VeuKernelMemory;

/**
 * Appends the output of the calls of printf() in @buffer to @out, at most about
 * 16 MiB of text. Returns false if the buffer was too small for all calls, or
 * contains something else; @out then has what could be read.
 */
bool veu_kernel_printf(const uint8_t *buffer, uint32_t bytes,
                       const VeuKernelMemory *memory, GString *out);

/**
 * Checks @range without its addresses. Returns false with @error, which says
 * what fits.
 */
bool veu_kernel_check(const VeuKernel *kernel, const VeuKernelRange *range,
                      GError **error);
/**
 * Returns the launches of @range, a GArray of VeuKernelLaunch, or NULL with
 * @error.
 */
GArray *veu_kernel_launch(const VeuKernel *kernel, const VeuKernelRange *range,
                          GError **error);

G_END_DECLS

#endif
