/*
 * veu-run: --state: shows a capture: the launch, its faults, and its EU threads
 * at the first fault.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "hw/veu/capture/hash.h"
#include "hw/veu/device/host/commands.h"
#include "tools/veu-run/replay.h"

static const char *command_name(const VeuCaptureLaunch *l)
{
    const VeuCommandInfo *info = veu_command_find(l->command[0]);

    return info ? info->name : "unknown command";
}

/* The device's number of an EU thread in events: groups come first. */
static uint64_t number_of(const VeuCapture *c, const VeuCaptureThread *t)
{
    const struct veu_command_kernel *k = (const void *)c->launch.command;
    const struct veu_command_dispatch *d = (const void *)c->launch.command;
    uint32_t threads = k->header.opcode == VEU_COMMAND_KERNEL ?
                           k->threads :
                           d->launch.threads;

    return (uint64_t)t->group * threads + t->thread;
}

static uint64_t bytes_of(const GArray *pieces)
{
    uint64_t bytes = 0;

    for (unsigned i = 0; i < pieces->len; i++) {
        bytes += g_array_index(pieces, VeuCapturePiece, i).bytes;
    }
    return bytes;
}

/* --- Text ---------------------------------------------------------------- */

static void print_launch(const VeuCapture *c)
{
    const VeuCaptureLaunch *l = &c->launch;
    g_autofree char *kernel = printable(l->kernel, "");

    printf("launch %" PRIu64 " of the device: %s%s%s, ring %" PRIu32
           ", slot %" PRIu32 "\n",
           l->number, command_name(l), kernel[0] ? " of kernel " : "", kernel,
           l->ring, l->slot);
    printf("program of %" PRIu32 " bytes with hash 0x%016" PRIx64 "\n",
           c->code_bytes, veu_capture_hash(c->code, c->code_bytes));
    printf("%" PRIu64 " bytes of memory, of which %" PRIu64 " are in pages "
           "that the launch has changed\n",
           bytes_of(c->before), bytes_of(c->after));
}

/* Prints "0x3 at +0x40" for each place where lanes wait. */
static void print_places(const VeuCaptureThread *t)
{
    uint32_t left = ~t->running;

    for (unsigned i = 0; i < VEU_MAX_LANES; i++) {
        uint32_t lanes = 0;

        for (unsigned n = i; n < VEU_MAX_LANES; n++) {
            lanes |= (left >> n & 1 && t->place[n] == t->place[i]) ? 1u << n :
                                                                     0;
        }
        if (lanes >> i & 1 && t->place[i] != VEU_CAPTURE_NOWHERE) {
            printf("lanes 0x%" PRIx32 " wait at +0x%" PRIx32 "\n", lanes,
                   t->place[i]);
        }
        left &= ~lanes;
    }
}

static void print_frames(const VeuCaptureThread *t)
{
    for (uint32_t i = t->depth; i-- > 0;) {
        printf("called from before +0x%" PRIx32 ", lanes 0x%" PRIx32 "\n",
               t->frames[i].returns_to, t->frames[i].lanes);
    }
}

static void print_slm(const VeuCaptureThread *t)
{
    static const uint8_t zeros[32];

    if (t->slm_bytes) {
        printf("local memory of group %" PRIu32 "; the rest is 0\n", t->group);
    }
    for (uint32_t at = 0; at < t->slm_bytes; at += sizeof(zeros)) {
        uint32_t bytes = MIN(sizeof(zeros), t->slm_bytes - at);

        if (memcmp(t->slm + at, zeros, bytes)) {
            printf("slm+0x%04" PRIx32, at);
            for (uint32_t i = 0; i + 4 <= bytes; i += 4) {
                uint32_t dword;

                memcpy(&dword, t->slm + at + i, sizeof(dword));
                printf(" %08" PRIx32, dword);
            }
            printf("\n");
        }
    }
}

/* The arrays are not aligned in the file. */
static RunState make_state(const VeuCapture *c, const VeuCaptureThread *t)
{
    return (RunState){
        .thread = number_of(c, t),
        .lanes = t->running,
        .offset = t->offset,
        .register_bytes = t->register_bytes,
        .predicate_count = t->predicate_count,
        .address_count = t->address_count,
        .registers = g_memdup2(t->registers, t->register_bytes),
        .predicates = g_memdup2(t->predicates, t->predicate_count * 4),
        .addresses = g_memdup2(t->addresses, t->address_count * 2),
    };
}

static void clear_state(RunState *s)
{
    g_free(s->registers);
    g_free(s->predicates);
    g_free(s->addresses);
}

static void print_thread(const Run *run, const VeuCapture *c,
                         const VeuCaptureThread *t)
{
    g_autofree char *text = run_instruction_text(run, t->offset);
    g_autofree char *source = t->offset == VEU_CAPTURE_NOWHERE ?
                                  NULL :
                                  run_source(run, t->offset);
    RunState state = make_state(c, t);

    printf("\nthread %" PRIu32 " of group %" PRIu32, t->thread, t->group);
    if (t->offset != VEU_CAPTURE_NOWHERE) {
        printf(" %s +0x%" PRIx32 " %s, lanes 0x%" PRIx32,
               t->barrier ? "waits at a barrier before" : "at", t->offset,
               text ? text : "", t->running);
    }
    printf("%s%s\n", source ? ", " : "", source ? source : "");
    print_places(t);
    print_frames(t);
    run_state_print(run, &state);
    print_slm(t);
    clear_state(&state);
}

static void print_capture(const Run *run, const VeuCapture *c)
{
    print_launch(c);
    fflush(stdout);
    run_faults_print(run);
    for (unsigned i = 0; i < c->threads->len; i++) {
        print_thread(run, c, &g_array_index(c->threads, VeuCaptureThread, i));
    }
}

/* --- JSON ---------------------------------------------------------------- */

static void json_launch(Json *json, const VeuCapture *c)
{
    const VeuCaptureLaunch *l = &c->launch;

    json_uint(json, "launch", l->number);
    json_string(json, "command", command_name(l));
    json_string(json, "kernel", l->kernel);
    json_uint(json, "ring", l->ring);
    json_uint(json, "slot", l->slot);
    json_uint(json, "time_ns", l->time_ns);
    json_uint(json, "policy", l->policy);
    json_uint(json, "budget", l->budget);
    json_uint(json, "context_type", l->context_type);
    json_uint(json, "program_bytes", c->code_bytes);
    run_program_hash_json(json, c->code, c->code_bytes);
    run_hex_json(json, "command_bytes", l->command, l->command_bytes);
}

static void json_pieces(Json *json, const char *key, const GArray *pieces)
{
    json_array(json, key);
    for (unsigned i = 0; i < pieces->len; i++) {
        const VeuCapturePiece *p = &g_array_index(pieces, VeuCapturePiece, i);

        json_row(json, NULL);
        json_uint(json, "address", p->address);
        json_uint(json, "bytes", p->bytes);
        json_uint(json, "permissions", p->permissions);
        json_end(json);
    }
    json_end(json);
}

/* For each lane, the offset of its next instruction; -1: it has ended. */
static void json_places(Json *json, const VeuCaptureThread *t)
{
    json_list(json, "places");
    for (unsigned i = 0; i < VEU_MAX_LANES; i++) {
        json_int(json, NULL,
                 t->place[i] == VEU_CAPTURE_NOWHERE ? -1 :
                                                      (int64_t)t->place[i]);
    }
    json_end(json);
    json_list(json, "frames");
    for (unsigned i = 0; i < t->depth; i++) {
        json_row(json, NULL);
        json_uint(json, "lanes", t->frames[i].lanes);
        json_uint(json, "returns_to", t->frames[i].returns_to);
        json_end(json);
    }
    json_end(json);
}

static void json_thread(Run *run, const VeuCapture *c,
                        const VeuCaptureThread *t)
{
    g_autofree char *text = run_instruction_text(run, t->offset);
    RunState state = make_state(c, t);
    Json *json = &run->json;

    json_row(json, NULL);
    json_uint(json, "group", t->group);
    json_uint(json, "thread", t->thread);
    json_raw(json, "at_barrier", t->barrier ? "true" : "false");
    if (t->offset != VEU_CAPTURE_NOWHERE) {
        json_uint(json, "offset", t->offset);
    }
    json_string(json, "instruction", text ? text : "");
    if (t->offset != VEU_CAPTURE_NOWHERE) {
        run_source_json(run, t->offset);
    }
    json_uint(json, "lanes", t->running);
    json_places(json, t);
    run_state_json(run, &state);
    if (t->slm_bytes) {
        run_hex_json(json, "slm", t->slm, t->slm_bytes);
    }
    json_end(json);
    clear_state(&state);
}

static void json_capture(Run *run, const VeuCapture *c)
{
    g_autofree char *text = NULL;

    json_init(&run->json);
    json_object(&run->json, NULL);
    json_launch(&run->json, c);
    json_pieces(&run->json, "before", c->before);
    json_pieces(&run->json, "after", c->after);
    run_faults_json(run);
    json_array(&run->json, "threads");
    for (unsigned i = 0; i < c->threads->len; i++) {
        json_thread(run, c, &g_array_index(c->threads, VeuCaptureThread, i));
    }
    json_end(&run->json);
    json_end(&run->json);
    text = json_finish(&run->json);
    fputs(text, stdout);
}

/* The faults are shown like those of a run. */
static void take_faults(Run *run, const VeuCapture *c)
{
    g_array_append_vals(run->faults, c->faults->data, c->faults->len);
    run->fault_count = c->faults->len;
}

int run_state(Run *run)
{
    VeuCapture *c = run_capture_read("--state ", run->options.state);
    RunReplay replay = { .capture = c };
    bool good;

    if (!c) {
        return RUN_ERROR;
    }
    run->replay = &replay;
    good = run_replay_program(run, c);
    if (good) {
        take_faults(run, c);
        if (run->options.json) {
            json_capture(run, c);
        } else {
            print_capture(run, c);
        }
    }
    veu_capture_free(c);
    run->replay = NULL;
    return good ? RUN_OK : RUN_ERROR;
}
