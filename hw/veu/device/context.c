/*
 * veu device model: contexts, which translate all addresses of a ring.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include <string.h>
#include <sys/param.h>
#include "hw/veu/device/context.h"
#include "hw/veu/device/host/registers.h"
#include "hw/veu/device/context_tables.h"
#include "hw/veu/device/request.h"
#include "hw/veu/device/stream.h"
#include "hw/veu/eu/array.h"
#include "hw/veu/eu/range.h"
#include "hw/veu/eu/rule.h"

/* All options that contexts have. */
#define OPTIONS (VEU_CONTEXT_REQUESTS | VEU_CONTEXT_ACCESSED)

/* Identity: an address is the device's DMA address. */
static uint8_t *map_identity(VeuMem *mem, uint64_t iova, uint32_t *bytes,
                             enum veu_access access)
{
    VeuContext *context = (VeuContext *)mem;

    return context->host->map(context->host, iova, bytes, access);
}

bool veu_context_is_identity(const VeuContext *context)
{
    return context->mem.map == map_identity;
}

/* The window that contains @iova, or NULL. */
static const struct veu_window *find_window(const VeuContext *context,
                                            uint64_t iova)
{
    uint32_t low = 0;
    uint32_t high = context->window_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct veu_window *window = &context->windows[middle];

        if (iova < window->address) {
            high = middle;
        } else if (iova - window->address >= window->bytes) {
            low = middle + 1;
        } else {
            return window;
        }
    }
    return NULL;
}

/* The window that contains @iova, if it permits @access, or NULL. */
static const struct veu_window *permitted_window(const VeuContext *context,
                                                 uint64_t iova,
                                                 enum veu_access access)
{
    const struct veu_window *window = find_window(context, iova);
    uint32_t needed = access == VEU_ACCESS_WRITE ? VEU_WINDOW_WRITE :
                                                   VEU_WINDOW_READ;

    return window && (window->permissions & needed) ? window : NULL;
}

/* Like map_identity(), but within the window and its permissions. */
static uint8_t *map_in_window(const VeuContext *context, VeuHost *host,
                              uint64_t iova, uint32_t *bytes,
                              enum veu_access access)
{
    const struct veu_window *window = permitted_window(context, iova, access);
    uint64_t left;

    if (!window) {
        return NULL;
    }
    left = window->bytes - (iova - window->address);
    *bytes = *bytes < left ? *bytes : left;
    return host->map(host, iova, bytes, access);
}

static uint8_t *map_windows(VeuMem *mem, uint64_t iova, uint32_t *bytes,
                            enum veu_access access)
{
    VeuContext *context = (VeuContext *)mem;

    return map_in_window(context, context->host, iova, bytes, access);
}

static bool open_identity(VeuMem *mem, uint64_t iova, enum veu_access access,
                          VeuExtent *extent)
{
    VeuContext *context = (VeuContext *)mem;

    return context->host->open(context->host, iova, access, extent);
}

/* The part of an extent that lies in @window. */
static void clip_extent(const struct veu_window *window, VeuExtent *extent)
{
    uint64_t skip = extent->iova < window->address ?
                        window->address - extent->iova :
                        0;
    uint64_t left;

    extent->iova += skip;
    extent->host += skip;
    extent->bytes -= skip;
    left = window->bytes - (extent->iova - window->address);
    extent->bytes = MIN(extent->bytes, left);
}

static bool open_in_window(const VeuContext *context, VeuHost *host,
                           uint64_t iova, enum veu_access access,
                           VeuExtent *extent)
{
    const struct veu_window *window = permitted_window(context, iova, access);

    if (!window || !host->open(host, iova, access, extent)) {
        return false;
    }
    clip_extent(window, extent);
    extent->write_only |= !(window->permissions & VEU_WINDOW_READ);
    return true;
}

static bool open_windows(VeuMem *mem, uint64_t iova, enum veu_access access,
                         VeuExtent *extent)
{
    VeuContext *context = (VeuContext *)mem;

    return open_in_window(context, context->host, iova, access, extent);
}

static uint8_t *map_tables(VeuMem *mem, uint64_t iova, uint32_t *bytes,
                           enum veu_access access)
{
    VeuContext *context = (VeuContext *)mem;

    return veu_tables_map(context, context->host, mem, iova, bytes, access);
}

static bool open_tables(VeuMem *mem, uint64_t iova, enum veu_access access,
                        VeuExtent *extent)
{
    VeuContext *context = (VeuContext *)mem;

    return veu_tables_open(context, context->host, mem, iova, access, extent);
}

/* The ring's own memory, past the page tables. */
static uint8_t *map_own(VeuMem *mem, uint64_t iova, uint32_t *bytes,
                        enum veu_access access)
{
    size_t at = offsetof(VeuContext, own);
    VeuContext *context = (VeuContext *)((uint8_t *)mem - at);

    return context->host->map(context->host, iova, bytes, access);
}

VeuMem *veu_context_own(VeuContext *context)
{
    return veu_context_has_tables(context) ? &context->own : &context->mem;
}

static void note_page(VeuMem *mem, uint8_t *at)
{
    VeuContext *context = (VeuContext *)mem;

    context->host->note(context->host, at);
}

/* Applies the value of CONTEXT_OPTIONS. */
static void set_options(VeuContext *context, uint32_t options)
{
    context->asks = options & VEU_CONTEXT_REQUESTS;
    context->marks = options & VEU_CONTEXT_ACCESSED;
}

uint32_t veu_context_options(const VeuContext *context)
{
    return (context->asks ? VEU_CONTEXT_REQUESTS : 0) |
           (context->marks ? VEU_CONTEXT_ACCESSED : 0);
}

/* Sets up the gate of a context whose type @map and @open implement. */
static void set_gate(VeuContext *context, VeuHost *host,
                     uint8_t *(*map)(VeuMem *mem, uint64_t iova,
                                     uint32_t *bytes, enum veu_access access),
                     bool (*open)(VeuMem *mem, uint64_t iova,
                                  enum veu_access access, VeuExtent *extent))
{
    context->host = host;
    context->mem.map = map;
    context->mem.open = host->open ? open : NULL;
    context->mem.note = note_page;
    context->mem.host_pages = NULL;
    context->root = VEU_NO_ROOT;
    set_options(context, 0);
    context->mem.asks = false;
    veu_mem_forget(&context->mem);
}

static void set_tables(VeuContext *context, VeuHost *host, uint64_t root)
{
    set_gate(context, host, map_tables, open_tables);
    context->own.map = map_own;
    context->root = root;
}

static uint8_t *map_gate(VeuMem *mem, uint64_t iova, uint32_t *bytes,
                         enum veu_access access)
{
    VeuGate *gate = (VeuGate *)mem;
    const VeuContext *context = gate->context;

    if (veu_context_has_tables(context)) {
        return veu_tables_map(context, gate->host, mem, iova, bytes, access);
    }
    return context->mem.map == map_windows ?
               map_in_window(context, gate->host, iova, bytes, access) :
               gate->host->map(gate->host, iova, bytes, access);
}

static bool open_gate(VeuMem *mem, uint64_t iova, enum veu_access access,
                      VeuExtent *extent)
{
    VeuGate *gate = (VeuGate *)mem;
    const VeuContext *context = gate->context;

    if (veu_context_has_tables(context)) {
        return veu_tables_open(context, gate->host, mem, iova, access, extent);
    }
    return context->mem.map == map_windows ?
               open_in_window(context, gate->host, iova, access, extent) :
               gate->host->open(gate->host, iova, access, extent);
}

static void note_in_gate(VeuMem *mem, uint8_t *at)
{
    VeuGate *gate = (VeuGate *)mem;

    gate->host->note(gate->host, at);
}

VeuMem *veu_gate_open(VeuGate *gate, const VeuContext *context, VeuHost *host)
{
    gate->context = context;
    gate->host = host;
    gate->mem.map = map_gate;
    gate->mem.open = host->open ? open_gate : NULL;
    gate->mem.note = note_in_gate;
    gate->mem.host_pages = context->mem.host_pages;
    gate->mem.asks = context->asks;
    veu_mem_forget(&gate->mem);
    return &gate->mem;
}

/* @from: the end of the previous window. */
static bool bad_window(const struct veu_window *w, uint64_t from, uint32_t *at)
{
    VEU_RULE(struct veu_window, address,
             w->address % VEU_WINDOW_ALIGN || w->address < from);
    VEU_RULE(struct veu_window, bytes,
             w->bytes == 0 || w->bytes % VEU_WINDOW_ALIGN ||
                 veu_range_wraps(w->address, w->bytes));
    VEU_RULE(struct veu_window, permissions,
             w->permissions == 0 ||
                 (w->permissions & ~(VEU_WINDOW_READ | VEU_WINDOW_WRITE)));
    VEU_RULE(struct veu_window, reserved, w->reserved);
    return false;
}

static bool check_windows(const VeuContext *context, VeuFault *fault)
{
    uint64_t from = 0;

    for (uint32_t i = 0; i < context->window_count; i++) {
        const struct veu_window *window = &context->windows[i];
        uint32_t at;

        if (bad_window(window, from, &at)) {
            return veu_fault_form(fault, VEU_FAULT_CONTEXT_WINDOW,
                                  i * sizeof(*window) + at);
        }
        from = window->address + window->bytes;
    }
    return true;
}

/*
 * The table belongs to the operating system, so its address is a DMA address.
 */
static bool bind_windows(VeuContext *context, const uint64_t *regs,
                         VeuFault *fault)
{
    uint64_t count = veu_register_get(regs, VEU_ROW_CONTEXT_WINDOW_COUNT);
    uint64_t table = veu_register_get(regs, VEU_ROW_CONTEXT_WINDOWS);
    uint64_t failed;

    if (count > VEU_LIMIT_WINDOWS) {
        return veu_fault_form(fault, VEU_FAULT_RING_CONFIG,
                              VEU_REG_RING_CONTEXT);
    }
    context->window_count = count;
    if (!veu_mem_read(&context->mem, table, context->windows,
                      count * sizeof(context->windows[0]), &failed)) {
        return veu_fault_address(fault, VEU_FAULT_CONTEXT_TABLE, failed,
                                 count * sizeof(context->windows[0]),
                                 VEU_ACCESS_READ);
    }
    set_gate(context, context->host, map_windows, open_windows);
    return check_windows(context, fault);
}

static void close_gate(VeuContext *context)
{
    context->mem.map = NULL;
    context->mem.open = NULL;
    context->mem.host_pages = NULL;
    context->root = VEU_NO_ROOT;
    set_options(context, 0);
    veu_mem_forget(&context->mem);
}

void veu_context_unbind(VeuContext *context)
{
    close_gate(context);
    context->window_count = 0;
}

static bool bind_identity(VeuContext *context, const uint64_t *regs,
                          VeuFault *fault)
{
    return true;
}

static void clear_tlb(VeuContext *context)
{
    VeuTlb *tlb = &context->tlbs[context->number];

    veu_tlb_forget_all(tlb);
    tlb->root = context->root;
    tlb->marks = context->marks;
}

/*
 * The driver may have built other tables in the same place, so nothing cached
 * is trusted. A ring that is still bound to an older root walks its tables.
 */
static bool bind_tables(VeuContext *context, const uint64_t *regs,
                        VeuFault *fault)
{
    uint64_t options = veu_register_get(regs, VEU_ROW_CONTEXT_OPTIONS);

    if (options & ~(uint64_t)OPTIONS ||
        (options & VEU_CONTEXT_REQUESTS && !veu_context_queue_is_legal(regs))) {
        return veu_fault_form(fault, VEU_FAULT_RING_CONFIG,
                              VEU_REG_RING_CONTEXT);
    }
    set_tables(context, context->host,
               veu_register_get(regs, VEU_ROW_CONTEXT_ROOT));
    set_options(context, options);
    clear_tlb(context);
    return true;
}

/* Indexed by type. All start as identity. */
static bool (*const binders[])(VeuContext *, const uint64_t *, VeuFault *) = {
    [VEU_CONTEXT_IDENTITY] = bind_identity,
    [VEU_CONTEXT_WINDOWS] = bind_windows,
    [VEU_CONTEXT_TABLES] = bind_tables,
};

bool veu_context_bind(VeuContext *context, VeuHost *host, uint32_t number,
                      const uint64_t *regs, VeuFault *fault)
{
    uint64_t type = veu_register_get(regs, VEU_ROW_CONTEXT_TYPE);

    if (type >= VEU_ARRAY_SIZE(binders) || !binders[type]) {
        veu_context_unbind(context);
        return veu_fault_form(fault, VEU_FAULT_RING_CONFIG,
                              VEU_REG_RING_CONTEXT);
    }
    set_gate(context, host, map_identity, open_identity);
    context->number = number;
    if (!binders[type](context, regs, fault)) {
        veu_context_unbind(context);
        return false;
    }
    return true;
}

uint32_t veu_context_type(const VeuContext *context)
{
    return context->mem.map == map_identity ? VEU_CONTEXT_IDENTITY :
           context->mem.map == map_windows  ? VEU_CONTEXT_WINDOWS :
           context->mem.map == map_tables   ? VEU_CONTEXT_TABLES :
                                              VEU_CONTEXT_UNBOUND;
}

/*
 * Binds the context as @type, with its windows or its top table; unknown types
 * unbind it.
 */
static void set_type(VeuContext *context, VeuHost *host, uint32_t type)
{
    uint32_t options = veu_context_options(context);

    if (type == VEU_CONTEXT_TABLES) {
        set_tables(context, host, context->root);
        set_options(context, options);
    } else if (type == VEU_CONTEXT_IDENTITY) {
        set_gate(context, host, map_identity, open_identity);
    } else if (type == VEU_CONTEXT_WINDOWS) {
        set_gate(context, host, map_windows, open_windows);
    } else {
        close_gate(context);
    }
}

static bool restore(VeuContext *context, VeuHost *host, uint32_t type)
{
    VeuFault fault;

    set_type(context, host, type);
    if (type == VEU_CONTEXT_TABLES) {
        clear_tlb(context);
    }
    return (context->mem.map || type == VEU_CONTEXT_UNBOUND) &&
           (context->mem.map == map_windows || !context->window_count) &&
           check_windows(context, &fault);
}

static bool move_windows(VeuContext *context, VeuStream *s)
{
    return veu_stream_upto(s, &context->window_count, VEU_LIMIT_WINDOWS,
                           "a context has too many windows") &&
           veu_stream_bytes(s, context->windows,
                            context->window_count *
                                sizeof(context->windows[0]));
}

/* Older versions of the stream have no page tables. */
static bool move_tables(VeuContext *context, VeuStream *s, uint32_t type)
{
    uint32_t options = veu_context_options(context);

    if (type != VEU_CONTEXT_TABLES) {
        return true;
    }
    if (s->version < VEU_STATE_TABLES) {
        return veu_stream_refuse(s, "a context is illegal");
    }
    if (!veu_stream_u64(s, &context->root) ||
        (context->root % VEU_PAGE_BYTES &&
         !veu_stream_refuse(s, "a context's tables are not aligned")) ||
        !veu_stream_upto(s, &context->number, s->contexts - 1,
                         "a context does not exist") ||
        !veu_stream_upto(s, &options, OPTIONS,
                         "a context's options do not exist")) {
        return false;
    }
    set_options(context, options);
    return true;
}

bool veu_context_move(VeuContext *context, VeuHost *host, VeuStream *s)
{
    uint32_t type = veu_context_type(context);

    if (!veu_stream_u32(s, &type) || !move_windows(context, s) ||
        !move_tables(context, s, type)) {
        return false;
    }
    return !s->loading || restore(context, host, type) ||
           veu_stream_refuse(s, "a context is illegal");
}

void veu_context_copy(VeuContext *to, const VeuContext *from)
{
    to->window_count = from->window_count;
    memcpy(to->windows, from->windows,
           from->window_count * sizeof(from->windows[0]));
    to->number = from->number;
    to->root = from->root;
    set_options(to, veu_context_options(from));
    set_type(to, from->host, veu_context_type(from));
}
