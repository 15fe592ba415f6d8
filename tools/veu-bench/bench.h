/*
 * veu-bench: declarations that its parts share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A case is a kind of message, a number of lanes and an amount of memory. The
 * device model runs it, and so do bare loops with the same accesses, which are
 * the limit. Functions that can fail report why on stderr and return false.
 */
#ifndef VEU_TOOLS_BENCH_H
#define VEU_TOOLS_BENCH_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include "tools/lib/options.h"
#include "tools/veu-bench/loops.h"
#include "tools/veu-bench/ram.h"
#include "veu/veu.h"

/* --- Kinds: kinds.c ------------------------------------------------------ */

/* The operands of a message, and what their registers contain. */
typedef enum BenchOperands {
    BENCH_OFFSETS,   /* a dword per lane, in units of the kind */
    BENCH_ADDRESSES, /* a qword per lane */
    BENCH_TEXELS,    /* U per lane, then V per lane */
    BENCH_OFFSET,    /* a dword for the message */
    BENCH_ADDRESS,   /* a qword for the message */
    BENCH_CORNER,    /* X and Y of the message, dwords */
} BenchOperands;

/* A row of the table of kinds. */
typedef struct BenchKind {
    const char *name;
    /*
     * vISA text: @N lanes, @T surface, @A operands, @B V or Y, @D data,
     * @S its second half.
     */
    const char *text;
    uint8_t lanes; /* sum of the measured lane counts; 0: no lanes */
    BenchOperands operands;
    uint8_t unit_bytes;    /* the unit of an offset */
    uint16_t access_bytes; /* of a lane, or of a message without lanes */
    uint16_t data_bytes;   /* registers of a lane or a message */
    const char *data_type; /* type of the register, for .decl */
    bool is_float;         /* the written data are floats */
    bool takes;            /* data goes to memory */
    bool gives;            /* data comes from memory */
    uint16_t format;
    BenchLoopKind loop;
} BenchKind;

extern const BenchKind bench_kinds[];
extern const unsigned bench_kind_count;

const BenchKind *bench_kind_find(const char *name);

/* --- Cases: cases.c ------------------------------------------------------ */

typedef enum BenchPattern {
    BENCH_RANDOM,
    BENCH_CONSECUTIVE, /* lanes, and messages, one after the other */
    BENCH_OUTSIDE,     /* random; a quarter of the lanes are out of bounds */
    BENCH_PATTERNS
} BenchPattern;

typedef enum BenchMode {
    BENCH_DISPATCH, /* dispatches of 1024 messages */
    BENCH_INLINE,   /* one command per message */
    BENCH_MODES
} BenchMode;

extern const char *const bench_pattern_names[BENCH_PATTERNS];
extern const char *const bench_mode_names[BENCH_MODES];

typedef struct BenchCase {
    const BenchKind *kind;
    unsigned lanes; /* 1 for a kind without lanes */
    uint64_t footprint;
    BenchPattern pattern;
    BenchMode mode;
    /* Messages of a dispatch: usually 64 in each of 16 threads. */
    uint32_t messages;
    uint32_t threads;
    uint32_t surfaces; /* number of surfaces; the last one is used */
    uint64_t ram;
    uint64_t spread;     /* distance between pages; 0: adjacent */
    uint64_t page_bytes; /* of a context with page tables; 0: identity */
    unsigned workers;    /* threads that run a dispatch */
    bool one_payload;    /* one payload for all threads of a dispatch */
    const char *flat; /* what varies, for the name; NULL: a case of the table */
} BenchCase;

/* Returns gather/16/1M/random/dispatch, for example; the caller frees it. */
char *bench_case_name(const BenchCase *c);
/* Returns 16384 as 16K; the caller frees it. */
char *bench_bytes_text(uint64_t bytes);

/* Returns true if such a case can exist: only surfaces have bounds. */
bool bench_case_exists(const BenchCase *c);

/* --- The guest memory of a case: work.c ---------------------------------- */

/* Registers contain the operands of all messages, then their data. */
typedef struct BenchWork {
    const BenchCase *c;
    uint32_t operand_bytes;  /* of a message */
    uint32_t data_bytes;     /* of a message */
    uint32_t operands_bytes; /* of a thread */
    uint32_t payload_bytes;
    uint32_t payload_stride;
    unsigned sets;      /* payloads, one for each dispatch */
    uint32_t set_bytes; /* size of all its payloads */
    uint64_t payloads;  /* guest addresses */
    uint64_t results;
    uint64_t memory; /* what is accessed */
    uint64_t memory_bytes;
    uint32_t *partners; /* for each page, the page that it is swapped with */
    uint64_t surface_table;
    uint64_t program;
    uint32_t program_bytes;
    struct veu_surface surface;
    GByteArray *code; /* of one message */
    uint32_t width;   /* texels of a typed surface */
    uint32_t height;
} BenchWork;

bool bench_work_init(BenchWork *work, const BenchCase *c, BenchRam *ram);
/* Fills memory with its initial content. */
void bench_work_fill(const BenchWork *work, const BenchRam *ram);
void bench_work_free(BenchWork *work);
uint32_t bench_message_count(const BenchCase *c);

/* --- Page tables: tables.c ----------------------------------------------- */

/* Chooses partners for the pages of the memory of @work. */
void bench_partners_make(BenchWork *work);
/*
 * Swaps the pages between the places that loops use and those that the device
 * uses.
 */
void bench_partners_swap(const BenchWork *work, const BenchRam *ram);
/*
 * Makes page tables for all RAM that was taken. Returns the guest address of
 * the top one, or 0 with an error.
 */
uint64_t bench_tables_make(const BenchWork *work, BenchRam *ram);
/*
 * The same for all RAM, of which nothing has been taken yet: each page is in
 * its own place.
 */
uint64_t bench_tables_of_all(BenchRam *ram, uint64_t page_bytes);

/* The entry of level 1 for @address, or NULL. */
uint64_t *bench_tables_entry(const BenchRam *ram, uint64_t root,
                             uint64_t address);

/* --- The program: program.c ---------------------------------------------- */

/* Assembles @messages messages; NULL with an error. */
GByteArray *bench_program(const BenchWork *work, uint32_t messages);
/* The one message of such a program. */
GByteArray *bench_program_code(const GByteArray *program);

/* --- The device model and its driver: device.c --------------------------- */

typedef struct BenchDevice BenchDevice;

BenchDevice *bench_device_new(BenchRam *ram, unsigned workers, bool jit);
void bench_device_free(BenchDevice *d);
/* After this, commands use virtual addresses; @root is the top table. */
void bench_device_use_tables(BenchDevice *d, uint64_t root);

/* Writes a register of context 0. */
void bench_device_set_context(BenchDevice *d, uint32_t offset, uint64_t value);

/* Appends a command to the ring, which has room for it. */
void bench_device_push(BenchDevice *d, const void *command, uint32_t slots);
/* Writes the commands for payload set @set, unless they are there already. */
void bench_device_fill(BenchDevice *d, const BenchWork *work, unsigned set);
/* Runs the commands to their end: this is what is measured. */
void bench_device_run(BenchDevice *d);
/*
 * Returns true if there was no fault. Otherwise prints an error that names
 * @name.
 */
bool bench_device_is_good(BenchDevice *d, const char *name);
/* Returns true if all cases succeeded. */
bool bench_device_check(BenchDevice *d, const BenchWork *work);

/* --- Clocks and figures: clock.c ----------------------------------------- */

/* Time that has passed: for samples of several workers. */
double bench_now_ns(void);
/*
 * Processor time of the process and of children that have ended, which others
 * on the machine do not add to.
 */
double bench_cpu_ns(void);
/*
 * Waits until threads that have finished their work sleep, and returns the
 * processor time of the calling thread for that, in ns. Linux adds the time of
 * a thread on another processor only at ticks.
 */
double bench_settle_ns(void);

typedef struct BenchFigure {
    double best_ns; /* of a unit: a message, say */
    double median_ns;
} BenchFigure;

/* Of @count samples, each of @units units. Sorts them; 0 if there are none. */
BenchFigure bench_figure(double *ns, unsigned count, double units);

/* --- Measuring: measure.c ------------------------------------------------ */

typedef struct BenchResult {
    BenchCase c;
    BenchFigure device;
    BenchFigure loop[BENCH_FLAVOURS]; /* 0 if the CPU cannot run it */
    BenchFlavour simd;                /* the fastest one that is not scalar */
} BenchResult;

typedef struct BenchEffort {
    unsigned rounds;
    double sample_ns; /* the shortest time of a sample */
} BenchEffort;

/* Checks that all results are the same, and measures. */
bool bench_measure(BenchRam *ram, const BenchCase *c, const BenchEffort *effort,
                   BenchResult *result);
/* Runs the device alone, once, for instruction counts. */
bool bench_once(BenchRam *ram, const BenchCase *c);

/* --- The command `paging`: paging.c -------------------------------------- */

int bench_paging(int argc, char **argv);

#endif
