/*
 * libveu-kernel: declarations that its parts share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VEU_KERNEL_INTERNAL_H
#define VEU_KERNEL_INTERNAL_H

#include "firmware/lib/veu_kernel_told.h"
#include "tools/kernel/kernel.h"
#include "tools/visa/link.h"
#include "tools/visa/program.h"

/*
 * The kinds of `payload_arguments` entries that the library fills; see
 * ze_info.c.
 */
typedef enum veu_kernel_field_type VeuKernelPayloadType;

/* A part of the cross-thread data. */
typedef struct VeuKernelPayload {
    VeuKernelPayloadType type;
    uint32_t offset;
    uint32_t bytes;
    uint32_t arg; /* index of the argument, for values and pointers */
    uint32_t source_offset;
    uint32_t slm_align; /* for a pointer to local memory */
} VeuKernelPayload;

/* Entry @index of the surface table is the memory of argument @arg. */
typedef struct VeuKernelSurface {
    uint32_t index;
    uint32_t arg;
} VeuKernelSurface;

/* Sampler @index is argument @arg, or @state if the source defines it. */
typedef struct VeuKernelSampler {
    uint32_t index;
    bool is_arg;
    uint32_t arg;
    struct veu_sampler state;
} VeuKernelSampler;

/*
 * The maximum number of arguments of a kernel, and the most bytes of its
 * payload.
 */
#define VEU_KERNEL_MAX_ARGS          1024u
#define VEU_KERNEL_MAX_PAYLOAD_BYTES (32u * 1024)

/* vISA text of a kernel or a function. */
typedef struct VeuKernelText {
    /* suffix of the section's name: "cmul"; "" if there is none */
    char *suffix;
    char *text;
    bool is_kernel;
} VeuKernelText;

typedef struct VeuKernelSymbol {
    unsigned section; /* index in the ELF file */
    uint64_t value;
} VeuKernelSymbol;

/* Kinds of data relocations, according to IGC's zebin specification. */
enum {
    VEU_ZEBIN_RELOCATE_ADDRESS = 1,
    VEU_ZEBIN_RELOCATE_LOW = 2,
    VEU_ZEBIN_RELOCATE_HIGH = 3,
};

/* The address of a symbol in the data of a section. */
typedef struct VeuKernelRelocation {
    unsigned target; /* section whose data is patched: ELF index */
    uint64_t offset;
    uint32_t type;
    int64_t addend;
    bool has_addend;
    VeuKernelSymbol symbol;
} VeuKernelRelocation;

struct VeuZebin {
    GArray *kernels;     /* of VeuKernel */
    GArray *texts;       /* of VeuKernelText */
    GArray *sections;    /* elements: VeuKernelSection */
    GArray *relocations; /* elements: VeuKernelRelocation */
    GHashTable *symbols; /* VeuKernelSymbol by name */
    GString *info;       /* .ze_info */
};

/* Sets @error and returns false. */
bool veu_kernel_error(GError **error, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

/* zebin.c: the section of an ELF index, or NULL. */
VeuKernelSection *veu_zebin_section(const VeuZebin *zebin, unsigned elf_index);
/*
 * Finds the address of a symbol. Returns false if it is not in a section of
 * data.
 */
bool veu_zebin_address(const VeuZebin *zebin, const VeuKernelSymbol *symbol,
                       uint64_t *address);

/* The number that a checked relocation adds to its symbol's address. */
uint64_t veu_zebin_addend(const VeuZebin *zebin, const VeuKernelRelocation *r);

/* launch.c: the part of LIMIT_LAUNCH_BYTES that an EU thread takes. */
uint32_t veu_kernel_thread_bytes(const GByteArray *program);

/* ze_info.c: adds the kernels that .ze_info describes. */
bool veu_zebin_read_info(VeuZebin *zebin, GError **error);
void veu_kernel_clear(VeuKernel *kernel);

/* text.c: the text of a kernel and of all functions that it names. */
char *veu_kernel_text(const VeuKernel *kernel, GError **error);

/*
 * place.c: assigns places to the variables and predicates of @linked by their
 * lifetimes, and changes the ids in its code and its tables. The image with
 * which EU threads start has at least @image_bytes. The caller frees @layout in
 * any case.
 */
bool veu_kernel_place_variables(VisaLinked *linked, VisaLayout *layout,
                                uint32_t grf_bytes, uint32_t image_bytes,
                                bool one_place, VisaError *error);

#endif
