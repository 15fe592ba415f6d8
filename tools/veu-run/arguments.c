/*
 * veu-run: the command line.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tools/lib/number.h"
#include "tools/veu-run/veu-run.h"

static const char summary[] =
    "Runs a program, or one message, on the device model: no QEMU, no guest.\n"
    "Numbers are decimal or hexadecimal (0x10); K, M and G multiply by 2^10,\n"
    "2^20, 2^30. The manual page veu-run(1) has examples.";

static const char statuses[] = "Exit status: 0 it ran, 1 the device reported "
                               "a fault, 2 wrong usage.";

#define STRING(name, field, text, what)                        \
    {                                                          \
        name, 0, 0, G_OPTION_ARG_STRING, &o->field, text, what \
    }
#define FILES(name, field, text, what)                                 \
    {                                                                  \
        name, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->field, text, what \
    }
#define FLAG(name, field, text)                              \
    {                                                        \
        name, 0, 0, G_OPTION_ARG_NONE, &o->field, text, NULL \
    }

/* Options whose values may be file names are declared as such. */
bool run_options_parse(RunOptions *o, int argc, char **argv)
{
    const GOptionEntry entries[] = {
        STRING("message", message, "Run this encoded message", "HEX"),
        FILES("var", vars, "Declare V32, V33, ... for the message",
              "TYPE:ELEMENTS[@OFFSET]"),
        FILES("memory", memory, "RAM with a file's bytes, or zeroes",
              "ADDRESS:FILE|BYTES[:ro]"),
        FLAG("page-table", page_table,
             "Give the program virtual addresses: page tables map all memory"),
        FILES("map", maps, "RAM at virtual addresses; implies --page-table",
              "ADDRESS=FILE[@OFFSET]|BYTES[:ro|:wo]"),
        FILES("surface", surfaces, "Describe surface T6, T7, ...",
              "KEY=VALUE,...|FILE"),
        FILES("set", sets, "Initial value of what the program declares",
              "V32=0..15|P1=0xff|A0=32"),
        { "payload", 0, 0, G_OPTION_ARG_FILENAME, &o->payload,
          "Payload of the EU threads", "FILE" },
        STRING("payload-stride", payload_stride,
               "From one EU thread's payload to the next [0]", "BYTES"),
        STRING("exec-mask", exec_mask, "Lanes that may run [all]", "MASK"),
        STRING("simd", simd, "Lanes of an EU thread: 8, 16 or 32 [16]", "N"),
        STRING("grf", grf, "Bytes of a register: 32 or 64 [32]", "BYTES"),
        STRING("threads", threads, "EU threads of a group [1]", "N"),
        STRING("groups", groups, "Groups [1]", "N"),
        STRING("slm", slm, "Shared local memory of a group [0]", "BYTES"),
        STRING("stateless", stateless, "Memory of surface 5 [none]",
               "BASE:BYTES"),
        STRING("undefined", undefined,
               "Byte that undefined results are made of [0]", "BYTE"),
        FLAG("strict-types", strict_types,
             "A data register of another type is a fault"),
        FLAG("check", check, "Report rules that are broken without a fault"),
        STRING("policy", policy,
               "What a fault stops: halt, skip-message or skip-command [halt]",
               "POLICY"),
        STRING("fault-inject", fault_inject,
               "Faults, delays and such, as rules say", "RULES"),
        FILES("show", shows, "Print a variable or memory",
              "V33|ADDRESS:BYTES|ADDRESS:TYPE:COUNT"),
        FILES("save", saves, "Write a variable or memory to a file",
              "V33:FILE|ADDRESS:BYTES:FILE"),
        FLAG("trace", trace,
             "Print each message and instruction, and what its lanes do"),
        FLAG("profile", profile,
             "Count how often instructions are executed, and for what lanes"),
        STRING("break", break_at, "Stop before the instruction at this offset",
               "OFFSET[@THREAD]"),
        STRING("gdb", gdb, "Wait for gdb on this port of TCP", "PORT"),
        FLAG("registers", registers,
             "Print all registers at the end, or where --break stops"),
        FLAG("json", json, "Print results and faults as JSON"),
        STRING("explain", explain, "Explain a fault, by name or code; no run",
               "FAULT"),
        { "kernel", 0, 0, G_OPTION_ARG_FILENAME, &o->kernel,
          "Run kernel NAME of a compiled file: NAME ARG... follow", "ZEBIN" },
        STRING("global", global, "Work-items in each dimension", "X[,Y[,Z]]"),
        STRING("local", local, "Work-items of a group", "X[,Y[,Z]]"),
        { "dump", 0, 0, G_OPTION_ARG_FILENAME, &o->dump,
          "Write buffer N of the kernel to PREFIX.N.out", "PREFIX" },
        STRING("repeat", repeat, "Runs of the kernel [1]", "N"),
        STRING("budget", budget, "Units that a launch may cost [0: no limit]",
               "N"),
        FLAG("time", time, "Tell how long the runs took"),
        STRING("workers", workers, "Threads that run the kernel [1]", "N"),
        FLAG("list", list, "List the kernels of --kernel and their arguments"),
        FLAG("one-place", one_place,
             "Give each variable of the kernel a place of its own"),
        { "compile", 0, 0, G_OPTION_ARG_FILENAME, &o->compile,
          "Compile OpenCL C with ocloc, to FILE.zebin", "FILE.cl" },
        STRING("device", device, "What to compile for: skl or tgllp", "NAME"),
        { "capture", 0, 0, G_OPTION_ARG_FILENAME, &o->capture,
          "Store a launch in a file that --replay reads", "FILE" },
        STRING("capture-rules", capture_rules,
               "Which launch: the first that they select [launch=1]", "RULES"),
        { "timeline", 0, 0, G_OPTION_ARG_FILENAME, &o->timeline,
          "Store when commands began and ended, for ui.perfetto.dev", "FILE" },
        { "replay", 0, 0, G_OPTION_ARG_FILENAME, &o->replay,
          "Run a captured launch again", "FILE" },
        { "state", 0, 0, G_OPTION_ARG_FILENAME, &o->state,
          "Show a captured launch and its EU threads; no run", "FILE" },
        STRING("watch", watch,
               "Print each access of lanes to these bytes of memory",
               "ADDRESS[:BYTES]"),
        { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->files,
          NULL, "[PROGRAM]" },
        { 0 }
    };
    GOptionContext *context = g_option_context_new(NULL);

    g_option_context_set_summary(context, summary);
    g_option_context_set_description(context, statuses);
    return tool_parse_options(context, entries, &argc, &argv);
}

void run_options_free(RunOptions *o)
{
    char **const lists[] = { o->files, o->vars,  o->memory, o->surfaces,
                             o->sets,  o->shows, o->saves,  o->maps };
    char *const texts[] = { o->message,   o->payload,       o->payload_stride,
                            o->exec_mask, o->simd,          o->grf,
                            o->threads,   o->groups,        o->slm,
                            o->stateless, o->undefined,     o->policy,
                            o->explain,   o->fault_inject,  o->kernel,
                            o->global,    o->local,         o->dump,
                            o->repeat,    o->workers,       o->compile,
                            o->device,    o->break_at,      o->budget,
                            o->capture,   o->capture_rules, o->replay,
                            o->state,     o->watch,         o->timeline,
                            o->gdb };

    for (unsigned i = 0; i < G_N_ELEMENTS(lists); i++) {
        g_strfreev(lists[i]);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_free(texts[i]);
    }
}

/*
 * Parses a number from @min to @max; *value is unchanged if the option is
 * missing.
 */
static bool take_number(const char *option, const char *text, uint64_t min,
                        uint64_t max, uint32_t *value)
{
    uint64_t number;

    if (!text) {
        return true;
    }
    if (!number_parse(text, &number) || number < min || number > max) {
        return tool_error("--%s %s: write a number from %" G_GUINT64_FORMAT
                          " to %" G_GUINT64_FORMAT,
                          option, text, min, max);
    }
    *value = number;
    return true;
}

/* Parses one of up to three numbers, which @choices has separated by blanks. */
static bool take_choice(const char *option, const char *text,
                        const char *choices, uint32_t *value)
{
    g_auto(GStrv) each = g_strsplit(choices, " ", -1);
    g_autofree char *list = g_strjoinv(" or ", each);
    uint64_t number;
    uint64_t choice;

    if (!text) {
        return true;
    }
    for (char **c = each; *c && number_parse(text, &number); c++) {
        if (number_parse(*c, &choice) && choice == number) {
            *value = number;
            return true;
        }
    }
    return tool_error("--%s %s: write %s", option, text, list);
}

static bool take_stateless(const char *text, struct veu_launch *launch)
{
    g_auto(GStrv) parts = g_strsplit(text ? text : "", ":", 2);
    uint64_t bytes;

    if (!text) {
        return true;
    }
    if (g_strv_length(parts) != 2 ||
        !number_parse(parts[0], &launch->stateless_base) ||
        !number_parse(parts[1], &bytes)) {
        return tool_error("--stateless %s: write BASE:BYTES, two numbers",
                          text);
    }
    if (bytes > UINT64_C(1) << 32 ||
        launch->stateless_base + bytes < launch->stateless_base) {
        return tool_error("--stateless %s: at most 4G bytes, and below 2^64",
                          text);
    }
    launch->stateless_bytes = bytes;
    return true;
}

static bool take_policy(const char *text, enum veu_policy *policy)
{
    static const char *const names[] = {
        [VEU_POLICY_HALT] = "halt",
        [VEU_POLICY_SKIP_MESSAGE] = "skip-message",
        [VEU_POLICY_SKIP_COMMAND] = "skip-command",
    };

    if (!text) {
        return true;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        if (g_str_equal(text, names[i])) {
            *policy = i;
            return true;
        }
    }
    return tool_error("--policy %s: write halt, skip-message or skip-command",
                      text);
}

bool run_options_numbers(const RunOptions *o, RunNumbers *n,
                         struct veu_launch *l)
{
    uint32_t undefined = 0;

    *n = (RunNumbers){
        .simd = 16,
        .workers = 1,
        .policy = VEU_POLICY_HALT,
        .eu = { .strict_types = o->strict_types, .check = o->check },
    };
    l->exec_mask = UINT32_MAX;
    l->threads = 1;
    l->groups = 1;
    if (!take_choice("simd", o->simd, "8 16 32", &n->simd) ||
        !take_choice("grf", o->grf, "32 64", &n->grf_bytes) ||
        !take_number("payload-stride", o->payload_stride, 0, UINT32_MAX,
                     &n->payload_stride) ||
        !take_number("exec-mask", o->exec_mask, 0, UINT32_MAX, &l->exec_mask) ||
        !take_number("threads", o->threads, 1, VEU_LIMIT_THREADS,
                     &l->threads) ||
        !take_number("groups", o->groups, 1, VEU_LIMIT_GROUPS, &l->groups) ||
        !take_number("slm", o->slm, 0, VEU_LIMIT_SLM_BYTES, &l->slm_bytes) ||
        !take_number("workers", o->workers, 1, VEU_MAX_SLICES, &n->workers) ||
        !take_number("undefined", o->undefined, 0, 255, &undefined)) {
        return false;
    }
    n->eu.undefined = undefined;
    return take_stateless(o->stateless, l) &&
           take_policy(o->policy, &n->policy);
}
