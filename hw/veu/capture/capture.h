/*
 * veu captures: launches recorded in files.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/capture.md describes the format. A capture contains what is needed to
 * repeat a launch: the command, the ring's settings, the context, the program,
 * and the memory that the launch accessed, as it was before. It also contains
 * what the launch left: the memory that it changed, its fault records, and the
 * state of its EU threads at its first fault.
 *
 * Hosts of the device model record captures (record.h), tools read them.
 */
#ifndef VEU_CAPTURE_H
#define VEU_CAPTURE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include "hw/veu/eu/limits.h"
#include "veu/context.h"
#include "veu/fault.h"
#include "veu/ring.h"

#define VEU_CAPTURE_VERSION     1
/* The maximum number of bytes that a capture has when it is not compressed. */
#define VEU_CAPTURE_MAX_BYTES   (UINT32_C(1) << 29)
/* Each piece of memory lies within a page of this many bytes. */
#define VEU_CAPTURE_PAGE_BYTES  4096
#define VEU_CAPTURE_NAME_BYTES  64
#define VEU_CAPTURE_MAX_COMMAND (4 * VEU_SLOT_BYTES)
/*
 * The maximum number of pieces of memory, before and after the launch together:
 * 256 MiB.
 */
#define VEU_CAPTURE_MAX_PIECES  65536
/* The maximum number of fault records; a launch's first ones are kept. */
#define VEU_CAPTURE_MAX_FAULTS  256
/* The maximum number of EU threads whose state is saved. */
#define VEU_CAPTURE_MAX_THREADS 1024
/* The maximum number of source positions, and names of source files. */
#define VEU_CAPTURE_MAX_LINES   1000000
#define VEU_CAPTURE_MAX_FILES   4096
/* For VeuCaptureThread.offset and place: not applicable. */
#define VEU_CAPTURE_NOWHERE     UINT32_MAX

/* Bits of VeuCapturePiece.permissions: accesses that the host permitted. */
#define VEU_CAPTURE_READ  1u
#define VEU_CAPTURE_WRITE 2u

/*
 * The launch, without its memory, as it is stored in the file. All numbers are
 * little-endian.
 */
typedef struct VeuCaptureLaunch {
    /* number of the launch in its device, from 1; 0: unknown */
    uint64_t number;
    uint64_t time_ns; /* when it began, by the device's clock */
    uint64_t root;    /* CONTEXT_ROOT of a context of page tables */
    uint32_t ring;
    uint32_t policy; /* enum veu_policy */
    uint32_t budget; /* RING_BUDGET; 0: none */
    uint32_t context_type;
    uint32_t context_options;
    uint32_t handle; /* handle that LOAD gave the program; 0: not loaded */
    uint32_t simd;   /* lanes that LOAD named; 0 without a handle */
    uint32_t slot;   /* ring index of the command's first slot */
    uint32_t command_bytes; /* a multiple of 64, at most 256 */
    uint8_t poison;
    uint8_t strict_types;    /* 0 or 1 */
    uint8_t trace_contracts; /* 0 or 1 */
    /* 0 or 1: its driver took pages that it had accessed while it waited */
    uint8_t pages_moved;
    char kernel[VEU_CAPTURE_NAME_BYTES]; /* zero-terminated; "": not known */
    uint8_t command[VEU_CAPTURE_MAX_COMMAND];
} VeuCaptureLaunch;

/* DMA addresses [address, address + bytes), which lie in one page. */
typedef struct VeuCapturePiece {
    uint64_t address;
    uint32_t bytes; /* 1 to VEU_CAPTURE_PAGE_BYTES */
    uint32_t permissions;
    const uint8_t *data; /* owned by VeuCapture.data or by the recorder */
} VeuCapturePiece;

/*
 * The state of an EU thread. The file has it, too, except the arrays' pointers.
 */
typedef struct VeuCaptureThread {
    uint32_t group;
    uint32_t thread;  /* in the group */
    uint32_t barrier; /* 1: it waits for the others of its group */
    uint32_t offset;  /* offset in the code of what it runs next; or NOWHERE */
    uint32_t running; /* lanes that run it */
    uint32_t register_bytes;
    uint32_t predicate_count;
    uint32_t address_count; /* elements of address variables */
    uint32_t depth;         /* frames below the current one */
    /* 0 if an earlier thread of the group has the memory */
    uint32_t slm_bytes;
    /* offset of each lane; NOWHERE: it has ended */
    uint32_t place[VEU_MAX_LANES];
    struct {
        uint32_t lanes;      /* all lanes of the caller's frame */
        uint32_t returns_to; /* offset in the code */
    } frames[VEU_LIMIT_CALLS];
    /* Owned by VeuCapture.data or by the recorder. */
    const uint8_t *registers;
    const uint8_t *predicates; /* uint32_t each */
    const uint8_t *addresses;  /* uint16_t each */
    const uint8_t *slm;
} VeuCaptureThread;

/* A position in a kernel's source, for the code from this offset on. */
typedef struct VeuCaptureLine {
    uint32_t offset;
    uint32_t line; /* 0: not known */
    uint32_t file; /* index in VeuCapture.files */
} VeuCaptureLine;

typedef struct VeuCapture {
    VeuCaptureLaunch launch;
    /* the program; NULL: it is in memory, or was not copied */
    const uint8_t *code;
    uint32_t code_bytes; /* complete when the launch ended */
    GArray *windows;     /* elements: struct veu_window */
    GArray *before;      /* elements: VeuCapturePiece, ascending */
    GArray *after;       /* the same, for pieces that the launch changed */
    GArray *faults;      /* elements: struct veu_fault_record */
    GArray *threads;     /* elements: VeuCaptureThread */
    GArray *lines;       /* elements: VeuCaptureLine, ascending */
    GPtrArray *files;    /* elements: char *, names of source files */
    GByteArray *data;    /* the bytes that were read, which pointers refer to */
} VeuCapture;

VeuCapture *veu_capture_new(void);
void veu_capture_free(VeuCapture *capture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(VeuCapture, veu_capture_free)

/* Compares the addresses of two pieces, for GLib's functions of arrays. */
int veu_capture_compare_pieces(const void *a, const void *b);

/* Sets @error to the formatted text and returns false. */
bool veu_capture_refuse(GError **error, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

/*
 * Returns the bytes of a file, to be freed with g_byte_array_unref(), or NULL
 * with an error.
 */
GByteArray *veu_capture_write(const VeuCapture *capture, GError **error);

/*
 * Reads a file's bytes. Returns NULL with an error for the user. The result
 * obeys the limits above, and its counts, sizes and offsets are consistent;
 * addresses, the command and the program are as hostile as those of a guest.
 */
VeuCapture *veu_capture_read(const void *file, size_t bytes, GError **error);

/*
 * Finds the source position of an offset in the code. Returns NULL if it is not
 * known.
 */
const VeuCaptureLine *veu_capture_line(const GArray *lines, uint32_t offset);

/* ---- the file ---- */

#define VEU_CAPTURE_MAGIC \
    "veu\x1a"             \
    "cap\n"
#define VEU_CAPTURE_MAGIC_BYTES 8

/* A file begins with this header; a zstd frame follows. */
typedef struct VeuCaptureHeader {
    char magic[VEU_CAPTURE_MAGIC_BYTES];
    uint32_t version;
    uint32_t reserved;      /* 0 */
    uint64_t content_bytes; /* size of the frame's content when decompressed */
} VeuCaptureHeader;

/*
 * The content consists of chunks: this header, the bytes, then zeros up to a
 * multiple of 8.
 */
typedef struct VeuCaptureChunk {
    uint32_t kind;     /* VeuCaptureKind */
    uint32_t reserved; /* 0 */
    uint64_t bytes;
} VeuCaptureChunk;

typedef enum VeuCaptureKind {
    VEU_CAPTURE_LAUNCH = 1, /* VeuCaptureLaunch; the first chunk */
    VEU_CAPTURE_PROGRAM,
    VEU_CAPTURE_WINDOWS, /* struct veu_window */
    VEU_CAPTURE_BEFORE,  /* a piece: 16 bytes, followed by its data */
    VEU_CAPTURE_AFTER,
    VEU_CAPTURE_FAULTS, /* struct veu_fault_record */
    VEU_CAPTURE_THREAD,
    VEU_CAPTURE_LINES, /* VeuCaptureLine */
    VEU_CAPTURE_FILES, /* names, each zero-terminated */
    VEU_CAPTURE_KINDS
} VeuCaptureKind;

#endif
