/*
 * veu captures: recording launches.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/capture/hash.h"
#include "hw/veu/capture/record.h"
#include "hw/veu/capture/tables.h"
#include "hw/veu/device/host/capture.h"
#include "hw/veu/eu/instruction/flow.h"
#include "hw/veu/eu/program/program.h"
#include "veu/page.h"

struct VeuRecorder {
    VeuCaptureRules *rules;
    VeuRecorderHost host;
    char kernel[VEU_CAPTURE_NAME_BYTES];
    GArray *lines; /* elements: VeuCaptureLine */
    GPtrArray *files;
    uint64_t launches; /* that have begun */
    /* The launch that is being recorded, or NULL. */
    VeuCapture *capture;
    GHashTable *pieces; /* index in capture->before + 1, by address */
    GPtrArray *blobs;   /* what the capture points at */
    bool is_full;       /* it accesses more than a capture has */
    unsigned refreshed; /* the work that refresh_tables() has had so far */
    VeuCaptureHashes hashes;
};

VeuRecorder *veu_recorder_new(VeuCaptureRules *rules,
                              const VeuRecorderHost *host)
{
    VeuRecorder *r = g_new0(VeuRecorder, 1);

    r->rules = rules;
    r->host = *host;
    r->pieces = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
                                      NULL);
    r->blobs = g_ptr_array_new_with_free_func(g_free);
    r->lines = g_array_new(FALSE, FALSE, sizeof(VeuCaptureLine));
    r->files = g_ptr_array_new_with_free_func(g_free);
    return r;
}

static void stop(VeuRecorder *r)
{
    g_clear_pointer(&r->capture, veu_capture_free);
    g_hash_table_remove_all(r->pieces);
    g_ptr_array_set_size(r->blobs, 0);
}

void veu_recorder_free(VeuRecorder *r)
{
    stop(r);
    g_hash_table_unref(r->pieces);
    g_ptr_array_unref(r->blobs);
    g_array_unref(r->lines);
    g_ptr_array_unref(r->files);
    veu_capture_rules_free(r->rules);
    g_free(r);
}

void veu_recorder_set_kernel(VeuRecorder *r, const char *name)
{
    g_strlcpy(r->kernel, name ? name : "", sizeof(r->kernel));
}

static void copy_names(GPtrArray *to, const GPtrArray *from)
{
    for (unsigned i = 0; i < from->len; i++) {
        g_ptr_array_add(to, g_strdup(g_ptr_array_index(from, i)));
    }
}

void veu_recorder_set_source(VeuRecorder *r, const GArray *lines,
                             const GPtrArray *files)
{
    g_array_set_size(r->lines, 0);
    g_ptr_array_set_size(r->files, 0);
    if (lines->len > VEU_CAPTURE_MAX_LINES ||
        files->len > VEU_CAPTURE_MAX_FILES) {
        return;
    }
    g_array_append_vals(r->lines, lines->data, lines->len);
    copy_names(r->files, files);
}

bool veu_recorder_is_on(const VeuRecorder *r)
{
    return r->capture;
}

/* A copy with the lifetime of the capture; NULL for zero bytes. */
static const uint8_t *keep(VeuRecorder *r, const void *from, size_t bytes)
{
    uint8_t *copy = g_memdup2(from, bytes);

    if (copy) {
        g_ptr_array_add(r->blobs, copy);
    }
    return copy;
}

/* --- Memory -------------------------------------------------------------- */

static void add_piece(VeuRecorder *r, uint64_t address, const uint8_t *data,
                      uint32_t bytes, uint32_t permission)
{
    VeuCapturePiece piece = {
        .address = address,
        .bytes = bytes,
        .permissions = permission,
    };
    GArray *before = r->capture->before;

    if (before->len >= VEU_CAPTURE_MAX_PIECES) {
        r->is_full = true;
        return;
    }
    piece.data = keep(r, data, bytes);
    g_array_append_val(before, piece);
    g_hash_table_insert(r->pieces, g_memdup2(&address, sizeof(address)),
                        GUINT_TO_POINTER(before->len));
}

static VeuCapturePiece *find_piece(const VeuRecorder *r, uint64_t address)
{
    unsigned known = GPOINTER_TO_UINT(g_hash_table_lookup(r->pieces, &address));

    return known ?
               &g_array_index(r->capture->before, VeuCapturePiece, known - 1) :
               NULL;
}

void veu_recorder_touch(VeuRecorder *r, uint64_t address, const uint8_t *data,
                        uint32_t bytes, enum veu_access access)
{
    uint32_t permission = access == VEU_ACCESS_WRITE ? VEU_CAPTURE_WRITE :
                                                       VEU_CAPTURE_READ;
    VeuCapturePiece *known = find_piece(r, address);

    if (known) {
        known->permissions |= permission;
    } else {
        add_piece(r, address, data, bytes, permission);
    }
}

/* --- Page tables --------------------------------------------------------- */

/* Returns true if the launch has accessed a part of these @bytes. */
static bool has_accessed(VeuRecorder *r, uint64_t first, uint64_t bytes)
{
    const GArray *before = r->capture->before;

    r->refreshed += before->len;
    for (unsigned i = 0; i < before->len; i++) {
        if (g_array_index(before, VeuCapturePiece, i).address - first < bytes) {
            return true;
        }
    }
    return false;
}

/*
 * Returns true if a replay can have entry @now instead of @then from its
 * beginning: no access was made through @then, or it names the same memory.
 */
static bool may_replace(VeuRecorder *r, uint64_t then, uint64_t now,
                        unsigned level)
{
    uint64_t bytes = UINT64_C(4096) << 9 * (level - 1);
    uint64_t address = then & VEU_PAGE_ADDRESS;

    if (!(then & VEU_PAGE_VALID) ||
        (now & VEU_PAGE_VALID && !((then ^ now) & VEU_PAGE_ADDRESS))) {
        return true;
    }
    return level > 1 && then & VEU_PAGE_LARGE ?
               !has_accessed(r, address & -bytes, bytes) :
               !find_piece(r, address);
}

/* A replay has the entry that the launch accessed memory through first. */
static void refresh_entry(VeuRecorder *r, uint64_t *then, uint64_t now,
                          unsigned level)
{
    if (!may_replace(r, *then, now, level)) {
        r->capture->launch.pages_moved = 1;
    } else if (now & VEU_PAGE_VALID) {
        *then = now;
    }
}

/* A driver may respond any number of times; a response stops the device. */
#define REFRESH_TABLE 128 /* to refresh a table, in lookups of an address */
#define MAX_REFRESHED (131072 * REFRESH_TABLE)

static const uint64_t *refresh_table(void *opaque, uint64_t address,
                                     unsigned level)
{
    VeuRecorder *r = opaque;
    const VeuCapturePiece *p = find_piece(r, address);
    const uint8_t *now = p && p->bytes == VEU_CAPTURE_PAGE_BYTES ?
                             r->host.look(r->host.opaque, address, p->bytes) :
                             NULL;
    uint64_t *entries, entry;

    r->refreshed++;
    if (!now || r->refreshed >= MAX_REFRESHED) {
        return NULL;
    }
    r->refreshed += REFRESH_TABLE;
    entries = (uint64_t *)p->data;
    for (unsigned i = 0; i < VEU_TABLE_ENTRIES; i++) {
        memcpy(&entry, now + i * sizeof(entry), sizeof(entry));
        refresh_entry(r, &entries[i], entry, level);
    }
    return entries;
}

/*
 * The driver changed page tables while the launch waited. A replay has no
 * driver, so its tables have the later contents from the beginning.
 */
static void refresh_tables(VeuRecorder *r)
{
    if (r->refreshed < MAX_REFRESHED &&
        veu_capture_has_requests(&r->capture->launch)) {
        veu_capture_walk(r->capture->launch.root, refresh_table, r);
    }
}

/* --- Changes ------------------------------------------------------------- */

/* Memory that drivers share with the ring counts as unchanged. */
static void leave_out_own(const VeuLaunchView *view, const VeuCapturePiece *p,
                          uint8_t *now)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(view->own); i++) {
        uint64_t first = MAX(p->address, view->own[i].address);
        uint64_t end = MIN(p->address + p->bytes,
                           view->own[i].address + view->own[i].bytes);

        if (first < end) {
            memcpy(now + (first - p->address), p->data + (first - p->address),
                   end - first);
        }
    }
}

/* Records the memory that the launch may have written. */
static void take_after(VeuRecorder *r, const VeuLaunchView *view)
{
    VeuCapture *c = r->capture;

    g_array_sort(c->before, veu_capture_compare_pieces);
    for (unsigned i = 0; i < c->before->len; i++) {
        VeuCapturePiece p = g_array_index(c->before, VeuCapturePiece, i);
        g_autofree uint8_t *now = NULL;

        if (p.permissions & VEU_CAPTURE_WRITE) {
            now = g_memdup2(r->host.look(r->host.opaque, p.address, p.bytes),
                            p.bytes);
        }
        if (now) {
            leave_out_own(view, &p, now);
        }
        if (now && memcmp(now, p.data, p.bytes)) {
            p.data = keep(r, now, p.bytes);
            g_array_append_val(c->after, p);
        }
    }
}

/* --- EU threads ---------------------------------------------------------- */

static uint32_t offset_of(const VeuProgram *p, uint32_t place)
{
    return place < p->instruction_count ? p->instructions[place].offset :
                                          VEU_CAPTURE_NOWHERE;
}

static void put_places(VeuCaptureThread *t, uint32_t lanes, uint32_t offset)
{
    for (unsigned i = 0; i < VEU_MAX_LANES; i++) {
        if (lanes >> i & 1) {
            t->place[i] = offset;
        }
    }
}

/* Lanes of the callers' frames, and those that have returned, wait. */
static void take_callers(VeuCaptureThread *t, const VeuThread *eu)
{
    const VeuFlow *flow = eu->flow;
    uint32_t lanes = flow->depth ? flow->frames[0].lanes & ~flow->lanes : 0;

    for (unsigned i = 0; i < VEU_MAX_LANES; i++) {
        if (lanes >> i & 1) {
            t->place[i] = offset_of(eu->program, flow->place[i]);
        }
    }
}

/* Running lanes are at the thread's own place. */
static void take_flow(VeuCaptureThread *t, const VeuThread *eu)
{
    const VeuFlow *flow = eu->flow;

    take_callers(t, eu);
    t->running = flow->running;
    t->depth = flow->depth;
    put_places(t, flow->running, t->offset);
    for (unsigned i = 0; i < flow->group_count; i++) {
        put_places(t, flow->group[i].lanes,
                   offset_of(eu->program, flow->group[i].at));
    }
    for (unsigned i = 0; i < flow->depth; i++) {
        t->frames[i].lanes = flow->frames[i].lanes;
        t->frames[i].returns_to = offset_of(eu->program,
                                            flow->frames[i].returns_to);
    }
}

/* The memory of a group is recorded with its first EU thread only. */
static bool is_first_of_group(const GArray *threads, uint32_t group)
{
    return !threads->len ||
           g_array_index(threads, VeuCaptureThread, threads->len - 1).group !=
               group;
}

static void take_thread(void *opaque, const VeuThreadView *view)
{
    VeuRecorder *r = opaque;
    GArray *threads = r->capture->threads;
    const VeuThread *eu = view->eu;
    const VeuProgram *p = eu->program;
    VeuCaptureThread t = {
        .group = view->group,
        .thread = view->thread,
        .barrier = view->state == VEU_THREAD_BARRIER,
        .offset = view->offset,
        .running = eu->exec_mask,
        .register_bytes = p->register_bytes,
        .predicate_count = p->predicate_count,
        .address_count = p->address_element_count,
        .slm_bytes = is_first_of_group(threads, view->group) ? eu->slm_bytes :
                                                               0,
    };

    if (threads->len >= VEU_CAPTURE_MAX_THREADS) {
        return;
    }
    memset(t.place, 0xff, sizeof(t.place));
    if (p->kind == VEU_PROGRAM_INSTRUCTIONS) {
        take_flow(&t, eu);
    }
    t.registers = keep(r, eu->registers, t.register_bytes);
    t.predicates = keep(r, eu->predicates, t.predicate_count * 4);
    t.addresses = keep(r, eu->addresses, t.address_count * 2);
    t.slm = keep(r, eu->slm, t.slm_bytes);
    g_array_append_val(threads, t);
}

/* --- A launch ------------------------------------------------------------ */

static void lose(VeuRecorder *r, const char *why)
{
    r->host.lost(r->host.opaque, why);
    stop(r);
}

static void take_code(VeuRecorder *r, const VeuLaunchView *view)
{
    VeuCapture *c = r->capture;

    if (view->code && !c->code) {
        c->code = keep(r, view->code, view->code_bytes);
        c->code_bytes = c->code ? view->code_bytes : 0;
    }
    /* The handle is resolved when the command runs. */
    if (view->handle && view->code) {
        c->launch.simd = view->simd;
    }
}

static VeuCaptureLaunch make_launch(const VeuRecorder *r,
                                    const VeuLaunchView *v,
                                    const VeuEvent *event, uint64_t now_ns)
{
    VeuCaptureLaunch launch = {
        .number = r->launches,
        .time_ns = now_ns,
        .root = v->root,
        .ring = event->ring,
        .policy = v->policy,
        .budget = v->budget,
        .context_type = v->context_type,
        .context_options = v->context_options,
        .handle = v->handle,
        .slot = event->at,
        .command_bytes = v->command_bytes,
        .poison = v->eu.undefined,
        .strict_types = v->eu.strict_types,
        .trace_contracts = v->eu.check,
    };

    memcpy(launch.kernel, r->kernel, sizeof(launch.kernel));
    memcpy(launch.command, v->command, v->command_bytes);
    return launch;
}

/* NULL: no rule asks for it, or there is no program yet. */
static const uint64_t *find_hash(VeuRecorder *r, const VeuLaunchView *view,
                                 uint64_t *hash)
{
    if (!view->code || !veu_capture_rules_need_hash(r->rules)) {
        return NULL;
    }
    *hash = veu_capture_hash_launch(&r->hashes, view);
    return hash;
}

static void begin(VeuRecorder *r, VeuDevice *device, const VeuEvent *event,
                  uint64_t now_ns)
{
    VeuCaptureLaunch launch;
    VeuLaunchView view;
    uint64_t hash;

    if (!veu_device_view_launch(device, event->ring, &view)) {
        return;
    }
    r->launches++;
    if (r->capture && r->capture->launch.ring == event->ring) {
        stop(r); /* the launch ended with its ring */
    }
    launch = make_launch(r, &view, event, now_ns);
    if (!veu_capture_rules_may(r->rules, &launch, find_hash(r, &view, &hash))) {
        return;
    }
    if (r->capture) {
        r->host.lost(r->host.opaque,
                     "another launch was being recorded at the same time");
        return;
    }
    r->capture = veu_capture_new();
    r->capture->launch = launch;
    r->is_full = false;
    r->refreshed = 0;
    g_array_append_vals(r->capture->lines, r->lines->data, r->lines->len);
    copy_names(r->capture->files, r->files);
    if (view.context_type == VEU_CONTEXT_WINDOWS) {
        g_array_append_vals(r->capture->windows, view.windows,
                            view.window_count);
    }
    take_code(r, &view);
    veu_device_forget_memory(device, event->ring);
}

static void end(VeuRecorder *r, VeuDevice *device, uint32_t ring)
{
    VeuLaunchView view = { 0 };
    uint64_t hash;

    if (veu_device_view_launch(device, ring, &view)) {
        take_code(r, &view);
    }
    if (!veu_capture_rules_match(r->rules, r->capture,
                                 find_hash(r, &view, &hash))) {
        stop(r);
    } else if (r->is_full) {
        lose(r, "it accesses more than 256M of memory");
    } else {
        take_after(r, &view);
        r->host.done(r->host.opaque, r->capture);
        stop(r);
    }
}

static void take_fault(VeuRecorder *r, VeuDevice *device, const VeuEvent *event)
{
    GArray *faults = r->capture->faults;

    if (!faults->len) {
        veu_device_view_threads(device, event->ring, take_thread, r);
    }
    if (event->record && faults->len < VEU_CAPTURE_MAX_FAULTS) {
        g_array_append_val(faults, *event->record);
    }
}

void veu_recorder_event(VeuRecorder *r, VeuDevice *device,
                        const VeuEvent *event, uint64_t now_ns)
{
    bool is_ours = r->capture && (event->ring == r->capture->launch.ring ||
                                  event->ring == VEU_EVENT_NO_RING);
    VeuLaunchView view;

    if (event->kind == VEU_EVENT_COMMAND) {
        begin(r, device, event, now_ns);
    } else if (is_ours && event->kind == VEU_EVENT_RESET) {
        lose(r, "its ring was reset");
    } else if (is_ours && event->kind == VEU_EVENT_STATE &&
               !veu_device_view_launch(device, event->ring, &view)) {
        lose(r, "its ring halted");
    } else if (is_ours && event->kind == VEU_EVENT_FAULT && event->record) {
        take_fault(r, device, event);
    } else if (is_ours && event->kind == VEU_EVENT_RESPONSE) {
        refresh_tables(r);
    } else if (is_ours && event->kind == VEU_EVENT_COMMAND_END) {
        end(r, device, event->ring);
    }
}
