/*
 * veu-run: runs a program on the device model, without QEMU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * This header declares what the parts share. Functions that can fail report why
 * on stderr and return false; no user input ends the tool in any other way.
 */
#ifndef VEU_TOOLS_RUN_H
#define VEU_TOOLS_RUN_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include "hw/veu/capture/capture.h"
#include "hw/veu/device/host/device.h"
#include "hw/veu/device/host/inject.h"
#include "hw/veu/eu/program/program.h"
#include "tools/lib/json.h"
#include "tools/lib/options.h"
#include "tools/lib/printable.h"
#include "veu/veu.h"

/*
 * The maximum number of bytes of a file, of one area of RAM, and of all
 * results.
 */
#define RUN_MAX_BYTES (UINT64_C(1) << 30)

enum {
    RUN_OK = 0,
    RUN_FAULT = 1, /* the device reported a fault */
    RUN_ERROR = 2, /* a wrong option, or a file that cannot be used */
};

typedef struct RunBytes {
    uint8_t *data; /* g_free() */
    uint64_t bytes;
} RunBytes;

/* --- Requests of the user: veu-run-arguments.c --------------------------- */

typedef struct RunOptions {
    char **files;
    char *message;
    char **vars;
    char **memory;
    gboolean page_table;
    char **maps;
    char **surfaces;
    char *payload;
    char *payload_stride;
    char **sets;
    char *exec_mask;
    char *simd;
    char *grf;
    char *threads;
    char *groups;
    char *slm;
    char *stateless;
    char *undefined;
    gboolean strict_types;
    gboolean check;
    char *policy;
    char **shows;
    char **saves;
    char *fault_inject;
    gboolean trace;
    gboolean profile;
    char *break_at;
    char *gdb;
    gboolean registers;
    gboolean json;
    char *explain;
    /* Kernels. */
    char *kernel;
    char *global;
    char *local;
    char *dump;
    char *repeat;
    char *budget;
    char *workers;
    gboolean time;
    gboolean list;
    gboolean one_place;
    char *compile;
    char *device;
    /* Captures. */
    char *capture;
    char *capture_rules;
    char *timeline;
    char *replay;
    char *state;
    char *watch;
} RunOptions;

bool run_options_parse(RunOptions *options, int argc, char **argv);
void run_options_free(RunOptions *options);

/* The numeric options, checked; the rest of @launch is unchanged. */
typedef struct RunNumbers {
    uint32_t simd;
    uint32_t grf_bytes; /* 0: not given */
    uint32_t payload_stride;
    uint32_t workers;
    enum veu_policy policy;
    uint32_t budget; /* units that a command may use; 0: no limit */
    VeuConfig eu;
} RunNumbers;

bool run_options_numbers(const RunOptions *options, RunNumbers *numbers,
                         struct veu_launch *launch);

/* --- Memory: veu-run-memory.c -------------------------------------------- */

typedef struct RunArea {
    uint64_t start;
    uint64_t iova;  /* DMA address of the first byte: start, except for --map */
    uint64_t bytes; /* at least 1; the last byte is at start + bytes - 1 */
    bool writable;
    uint64_t permissions; /* of its pages: VEU_PAGE_READ, VEU_PAGE_WRITE */
    bool own;             /* veu-run's, which the user does not see */
    uint8_t *data;        /* has the same alignment within a page as start */
    void *allocation;
} RunArea;

typedef struct RunMemory {
    GArray *areas; /* of RunArea */
    /* elements: unsigned, areas in ascending order of DMA addresses */
    GArray *by_iova;
    uint64_t next_own; /* the start of veu-run's next own area */
    uint64_t next_map; /* the DMA address for the next --map */
} RunMemory;

void run_memory_init(RunMemory *memory);
void run_memory_free(RunMemory *memory);

/* Adds RAM for --memory. */
bool run_memory_add_option(RunMemory *memory, const char *option);
/* Called after all --memory options: finds DMA addresses for --map. */
bool run_memory_place_maps(RunMemory *memory);
/* Adds RAM at the virtual address @start; zeroes where @content has no data. */
bool run_memory_add_map(RunMemory *memory, const char *option, uint64_t start,
                        uint64_t permissions, const RunBytes *content);
/*
 * Called after all of the user's memory was added: finds a place for veu-run's
 * own, at virtual addresses if @mapped.
 */
bool run_memory_place_own(RunMemory *memory, bool mapped);
/*
 * Adds zeroes of veu-run's own. Returns their address, or 0 if there is no
 * memory.
 */
uint64_t run_memory_add_own(RunMemory *memory, uint64_t bytes);

/* The area that contains @address, or NULL. */
RunArea *run_memory_find(const RunMemory *memory, uint64_t address);
/* As VeuHost.map. */
uint8_t *run_memory_map(const RunMemory *memory, uint64_t iova, uint32_t *bytes,
                        enum veu_access access);
/* As VeuHost.open. */
bool run_memory_open(const RunMemory *memory, uint64_t iova,
                     enum veu_access access, VeuExtent *extent);
/* Returns true if all of this is the user's RAM. */
bool run_memory_has(const RunMemory *memory, uint64_t address, uint64_t bytes);
/* Copies memory, which must exist. */
void run_memory_read(const RunMemory *memory, uint64_t address, void *to,
                     uint64_t bytes);
void run_memory_write(RunMemory *memory, uint64_t address, const void *from,
                      uint64_t bytes);

/* --- Files: veu-run-files.c ---------------------------------------------- */

/*
 * Reads a file. An error names @option and @value, and ends with @advice if
 * that is not NULL.
 */
bool run_file_read(const char *path, uint64_t max_bytes, const char *option,
                   const char *value, const char *advice, RunBytes *content);
bool run_file_write(const char *path, const void *data, uint64_t bytes);

/* --- Values: veu-run-values.c -------------------------------------------- */

/*
 * Appends the values of VALUE,FIRST..LAST,VALUE*COUNT, at most @max elements.
 */
bool run_values_parse(const char *text, uint8_t type, uint32_t max,
                      const char *option, GByteArray *to);
/* An element as a number, and its bits in hexadecimal. Free with g_free(). */
char *run_value_text(uint8_t type, const uint8_t *element);
char *run_value_hex(uint8_t type, const uint8_t *element);
void run_value_json(Json *json, uint8_t type, const uint8_t *element);

/* --- The program: veu-run-program.c -------------------------------------- */

typedef struct RunProgram {
    bool is_message;
    RunBytes code; /* the file, or the message */
    /* The declarations; a malformed file has no variables. */
    VeuProgram *declared;
    bool broken;
    /* The names for printing instructions; no object if there are functions. */
    struct VisaObject *object;
    struct VisaNames *names;
} RunProgram;

bool run_program_load(RunProgram *program, const RunOptions *options,
                      const RunNumbers *numbers);
void run_program_free(RunProgram *program);
/* Adds "program_hash", which `program=` of --capture-rules takes. */
void run_program_hash_json(Json *json, const uint8_t *code, uint32_t bytes);
/* Decodes the program, for --trace, --break and --registers. */
void run_program_decode(RunProgram *program);
/* The routine whose names the instruction's operands use, or NULL. */
const struct VisaRoutine *run_program_routine(const RunProgram *program);
/* Variable "V33", or NULL, with an error that names @option and @value. */
const struct veu_variable *run_program_variable(const RunProgram *program,
                                                const char *name,
                                                const char *option,
                                                const char *value);
/*
 * Parses the number after the letter of "V33" or "P1". Returns false if it is
 * no such name.
 */
bool run_name_parse(const char *name, char letter, uint32_t *number);

/* --- The payload: veu-run-payload.c -------------------------------------- */

/* Makes the payload of --payload or --set; no bytes if neither is given. */
bool run_payload_make(const RunOptions *options, const RunProgram *program,
                      RunBytes *payload);

/* --- Surfaces: veu-run-surfaces.c ---------------------------------------- */

/* Appends the descriptor of --surface to an array of struct veu_surface. */
bool run_surface_add(GArray *surfaces, const char *option);
/* Key of the field at an offset of the descriptor, or NULL. */
const char *run_surface_field(uint32_t offset);

/* --- A run: ring.c, device.c --------------------------------------------- */

typedef struct RunTrace RunTrace;
typedef struct RunCapture RunCapture;
typedef struct RunGdb RunGdb;
/* The state of an EU thread: its place and its registers. */
typedef struct RunState {
    uint64_t thread;
    uint32_t lanes; /* that run next */
    /* offset of the next instruction; UINT32_MAX: it has ended */
    uint32_t offset;
    uint32_t register_bytes;
    uint32_t predicate_count;
    uint32_t address_count; /* elements */
    uint8_t *registers;
    uint32_t *predicates;
    uint16_t *addresses;
} RunState;

typedef struct RunContract {
    const char *name;
    uint64_t message_offset;
    uint64_t thread;
} RunContract;

/* Context 0, as its registers have it. */
typedef struct RunContext {
    uint32_t type; /* 0: identity */
    uint32_t options;
    uint64_t root;    /* DMA address of the top page table */
    uint64_t windows; /* address of the table of windows */
    uint32_t window_count;
} RunContext;

typedef struct Run {
    VeuHost host; /* first member: callbacks cast it to the run */
    RunOptions options;
    RunNumbers numbers;
    RunMemory memory;
    RunProgram program;
    GArray *surfaces; /* elements: struct veu_surface */
    RunBytes payload;
    struct veu_launch launch;
    VeuInjectRules rules;
    RunContext context;
    RunTrace *trace;
    struct VeuProfiler *profile;  /* NULL: nothing is counted */
    RunCapture *capture;          /* NULL: no launch is captured */
    RunGdb *gdb;                  /* NULL: no gdb has connected */
    struct VeuTimeline *timeline; /* NULL: none is written */
    gint64 timeline_start_us;
    struct RunReplay *replay;   /* NULL: the launch is not from a file */
    bool has_tables;            /* its context had page tables */
    VeuDevice *device;          /* while there is one */
    struct RunKernel *kernel;   /* NULL: a program */
    struct RunWorkers *workers; /* NULL: none */
    Json json;                  /* with --json */
    /* Results: the register file of each EU thread that ended normally. */
    uint8_t *stored; /* one byte for each EU thread */
    /* Reports of the run. */
    GArray *faults;    /* elements: struct veu_fault_record */
    GArray *contracts; /* of RunContract */
    uint64_t fault_count;
    uint64_t contract_count;
    uint64_t thread; /* EU thread of the last message */
    uint64_t now_ns; /* moves only while the program is held */
    bool hangs;      /* and only a reset would end it */
    /* The source of the program, if it is known, as in a capture. */
    GArray *lines; /* of VeuCaptureLine */
    GPtrArray *files;
    uint32_t last_line; /* the last one that --trace printed */
    /* --watch */
    bool watch_slm;
    uint64_t watch_first;
    uint64_t watch_last;
    /* --break and --registers */
    bool breaks;
    bool killed; /* by gdb */
    uint32_t break_offset;
    uint64_t break_thread; /* UINT64_MAX: any */
    unsigned awaited;     /* 1: the step ends after the current piece of work */
    RunState *stopped;    /* the EU thread at the break, or NULL */
    GPtrArray *states;    /* elements: RunState of EU threads that have ended */
    uint64_t more_states; /* that were not kept */
} Run;

/* A device whose ring 0 is in veu-run's own memory. */
typedef struct RunRing {
    VeuDevice *device;
    uint64_t slots;
    uint64_t shared;
    uint64_t faults;
    uint32_t fault_head;
    uint32_t tail;
} RunRing;

#define RUN_RING_SLOTS 64

/*
 * Adds own memory with a copy of @from; @address stays 0 if there is nothing.
 */
bool run_place(Run *run, const void *from, uint64_t bytes, uint64_t *address);

/* Makes the device, which the caller closes. */
bool run_ring_open(Run *run, RunRing *ring);
void run_ring_close(Run *run, RunRing *ring);
/* Appends a command; at most RUN_RING_SLOTS may wait. */
void run_ring_submit(Run *run, RunRing *ring, const void *command,
                     uint32_t slots);
/* Enables the ring. */
void run_ring_start(Run *run, RunRing *ring);
/* Disables the ring, which is idle, and enables it in another context. */
void run_ring_restart(Run *run, RunRing *ring, const RunContext *context);
/*
 * Runs commands for @budget units. Returns false once they have ended, or
 * faulted.
 */
bool run_ring_advance(Run *run, RunRing *ring, unsigned budget);

/* The distance between the results of two EU threads, bytes. */
uint64_t run_result_stride(const Run *run);
uint64_t run_thread_count(const Run *run);
/*
 * The registers of EU thread @number. Returns false if it did not end normally.
 */
bool run_registers(const Run *run, uint64_t number, uint32_t offset, void *to,
                   uint32_t bytes);

/* Sets up the device, and runs the program to its end or to a fault. */
bool run_device(Run *run, bool keep_registers);

/* Reports the outcome of the run; if @ran, with results. */
bool run_tell(Run *run, bool ran);
/* Called before the device is set up: begins the trace of --trace. */
void run_trace_begin(Run *run);

/* --- Page tables: tables.c, walk.c --------------------------------------- */

/* The number of bits of a virtual address. */
#define RUN_VIRTUAL_BITS \
    (VEU_TABLE_PAGE_BITS + VEU_TABLE_LEVELS * VEU_TABLE_BITS)

/* log2 of the bytes that an entry of @level covers. */
static inline unsigned run_page_bits(unsigned level)
{
    return VEU_TABLE_PAGE_BITS + (level - 1) * VEU_TABLE_BITS;
}

/* Returns true if --page-table or --map requires a context with page tables. */
bool run_tables_wanted(const RunOptions *options);
/* Adds RAM for --map, after run_memory_place_maps(). */
bool run_tables_add_option(RunMemory *memory, const char *option);
/*
 * Called after all memory was added: makes tables that map it, and sets
 * @run->context.
 */
bool run_tables_make(Run *run);

/* A step of the walk through the tables that run_tables_make() made. */
typedef struct RunStep {
    unsigned level;
    uint32_t index;   /* index of the entry in its table */
    uint64_t address; /* DMA address of the entry */
    uint64_t entry;
} RunStep;

/*
 * Finds the entries that lead to @address, from the top. Returns their number.
 */
unsigned run_walk(const Run *run, uint64_t address,
                  RunStep steps[VEU_TABLE_LEVELS]);
/* Returns true if @record's detail says why an address was not translated. */
bool run_has_reason(const Run *run, const struct veu_fault_record *record);
/* ... and the tables are those of run_tables_make(). */
bool run_has_walk(const Run *run, const struct veu_fault_record *record);
/* The reason and level in such a detail. Free with g_free(). */
char *run_walk_reason(uint32_t detail);
/* Prints the walk to the address of such a record. */
void run_walk_print(const Run *run, GString *out, uint64_t address);
void run_walk_json(Run *run, uint64_t address);

/* --- Injected faults: veu-run-inject.c ----------------------------------- */

/* Parses the rules of --fault-inject; there are none if @text is NULL. */
bool run_inject_parse(const char *text, VeuInjectRules *rules);
/* Takes how often each of the device's rules has matched and fired. */
void run_inject_take(VeuDevice *device, VeuInjectRules *rules);
/* Reports that as text, or as JSON. */
void run_inject_print(const Run *run);
void run_inject_json(Run *run);

/* --- Captures: capture.c, replay.c, state.c ------------------------------ */

/* Starts to watch for the launch that --capture selects. */
bool run_capture_begin(Run *run);
void run_capture_free(RunCapture *capture);
/* Returns true while a launch is being recorded. */
bool run_capture_is_on(const Run *run);
/* Called when the device accesses a byte of an area. */
void run_capture_touch(Run *run, uint64_t iova, enum veu_access access);
void run_capture_event(Run *run, const VeuEvent *event);
/* Reports what was captured. Returns false if nothing was. */
bool run_capture_end(Run *run);

/* --replay FILE: returns the exit status. */
int run_replay(Run *run);
/* --state FILE: returns the exit status. */
int run_state(Run *run);

/* The area of a DMA address, or NULL. */
RunArea *run_memory_find_iova(const RunMemory *memory, uint64_t iova);
/*
 * Adds RAM with a copy of @data at an unused DMA address. Returns false if that
 * fails.
 */
bool run_memory_add_copy(RunMemory *memory, uint64_t iova, const void *data,
                         uint64_t bytes, bool writable);

/* --- Output: veu-run-trace.c, -faults.c, -explain.c, -show.c ------ */

RunTrace *run_trace_new(Run *run);
void run_trace_free(RunTrace *trace);
/*
 * "FILE:LINE" for an offset of the code, or NULL if it is not known. Free with
 * g_free().
 */
char *run_source(const Run *run, uint32_t offset);

/* The same as a member of the JSON, if it is known. */
void run_source_json(Run *run, uint32_t offset);
/* The same for --trace, if it differs from the previous line. */
void run_trace_source(Run *run, uint32_t offset);

/* Checks --watch. */
bool run_watch_parse(Run *run);
VeuObserver *run_trace_observer(RunTrace *trace);
/* Handles the event of an executed message. */
void run_trace_message(RunTrace *trace, const VeuEvent *event);

/* --- Single instructions: step.c ----------------------------------------- */

/* Checks --break, after the program was loaded. */
bool run_break_parse(Run *run);
/* Handle events of EU threads and instructions. */
void run_step_thread(Run *run, const VeuEvent *event);
void run_step_instruction(Run *run, const VeuEvent *event);
/* The instruction at an offset of the code, or NULL. */
const VeuInstruction *run_instruction(const Run *run, uint32_t offset);
/*
 * The text of the instruction at an offset of the code, or NULL. Free with
 * g_free().
 */
char *run_instruction_text(const Run *run, uint32_t offset);
/*
 * Prints registers that are not 0, predicates, addresses, and the variables
 * that the next instruction names.
 */
void run_state_print(const Run *run, const RunState *state);
/* Adds all of them as members to the open row. */
void run_state_json(Run *run, const RunState *state);
/*
 * The variables that the next instruction names, with their values: a line for
 * each, or members of the open row. Free with g_free().
 */
char *run_named_text(const Run *run, const RunState *state);
void run_named_json(Run *run, const RunState *state);
/* A string with two hexadecimal digits for each byte. */
void run_hex_json(Json *json, const char *key, const uint8_t *bytes,
                  uint32_t count);
/* Waits for gdb, with --gdb. Returns false with an error. */
bool run_gdb_begin(Run *run);
/* Lets gdb look before an instruction; @event: THREAD or INSTRUCTION. */
void run_gdb_event(RunGdb *gdb, const VeuEvent *event);
/* For gdb's watchpoints: shows lanes to @next, too, which may be NULL. */
VeuObserver *run_gdb_observer(RunGdb *gdb, VeuObserver *next);
/* Reports to gdb that the run has ended with an exit status. */
void run_gdb_end(Run *run, unsigned status);
/* Show the break of --break, and the registers of --registers. */
void run_states_print(const Run *run);
void run_states_json(Run *run);
void run_states_free(Run *run);
/*
 * The registers of the EU thread that --break stopped. Returns false for
 * another one.
 */
bool run_stopped_registers(const Run *run, uint64_t thread, uint32_t offset,
                           void *to, uint32_t bytes);

/* --- Counts of instructions: profile.c ----------------------------------- */

/* Starts counting, if --profile is given, after the program was loaded. */
bool run_profile_begin(Run *run);
void run_profile_free(Run *run);
/* Implements VeuHost.profile. */
struct VeuProfile *run_profile_open(VeuHost *host, uint32_t ring,
                                    unsigned runner, const VeuProgram *program);
void run_profile_event(Run *run, const VeuEvent *event);
/*
 * Prints a row for each instruction of the program; nothing without --profile.
 */
void run_profile_print(Run *run);
void run_profile_json(Run *run);

void run_faults_print(const Run *run);
void run_faults_json(Run *run);

/* Appends a wrapped line: the text after a label. */
void run_append_field(GString *out, const char *label, const char *text);
/* Prints the text of --explain. Returns false if there is no such fault. */
bool run_explain(const char *name, bool as_json);

/* --show and --save: checked before the run, done after it. */
bool run_shows_check(const Run *run);
/* Returns true if an option needs registers. */
bool run_shows_want_registers(const Run *run);
bool run_shows_do(Run *run);

#endif
