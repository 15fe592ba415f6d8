/*
 * veu device model: the scanout, which a display shows.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include <string.h>
#include "hw/veu/eu/array.h"
#include "hw/veu/eu/surface/texel.h"
#include "hw/veu/eu/surface/descriptor.h"
#include "hw/veu/device/counters.h"

static uint64_t flip_get(const VeuScanout *s, unsigned row)
{
    return s->flip[row];
}

static bool bad_register(VeuFault *fault, enum veu_reg offset)
{
    return veu_fault_form(fault, VEU_FAULT_SCANOUT_CONFIG, offset);
}

/* Copies the scanout's context: registers and table, as they are now. */
static bool bind_context(VeuDevice *d, VeuFault *fault)
{
    uint64_t number = flip_get(&d->scanout, VEU_ROW_SCANOUT_CONTEXT);

    if (number >= d->config.rings) {
        return bad_register(fault, VEU_REG_SCANOUT_CONTEXT);
    }
    if (veu_context_bind(&d->scanout.context, d->host, number,
                         d->context_reg[number], fault)) {
        return true;
    }
    /* Converts the fault of a ring for a type that does not exist. */
    return fault->code == VEU_FAULT_RING_CONFIG ?
               bad_register(fault, VEU_REG_SCANOUT_CONTEXT) :
               false;
}

static bool has_vector(const VeuDevice *d)
{
    return flip_get(&d->scanout, VEU_ROW_SCANOUT_VECTOR) < d->config.vectors;
}

static bool check_registers(const VeuDevice *d, VeuFault *fault)
{
    if (!has_vector(d) &&
        flip_get(&d->scanout, VEU_ROW_SCANOUT_VECTOR) != VEU_NO_VECTOR) {
        return bad_register(fault, VEU_REG_SCANOUT_VECTOR);
    }
    return true;
}

static bool is_shown_format(const VeuFormat *format)
{
#define CODE(name, pixman) VEU_FORMAT_##name,
    static const uint16_t codes[] = { VEU_SCANOUT_FORMATS(CODE) };
#undef CODE

    for (size_t i = 0; i < VEU_ARRAY_SIZE(codes); i++) {
        if (codes[i] == format->code) {
            return true;
        }
    }
    return false;
}

/* Checks whether a legal surface can be shown. */
static bool check_surface(const VeuSurface *s, VeuFault *fault)
{
#define NEED(field, condition)                                      \
    if (!(condition)) {                                             \
        return veu_fault_form(fault, VEU_FAULT_SCANOUT_SURFACE,     \
                              offsetof(struct veu_surface, field)); \
    }
    NEED(type, s->type == VEU_SURFACE_2D);
    NEED(format, is_shown_format(s->format));
    NEED(width, s->level[0].width <= VEU_LIMIT_SCANOUT_SIDE);
    NEED(height, s->level[0].height <= VEU_LIMIT_SCANOUT_SIDE);
#undef NEED
    return true;
}

static bool memory_fault(const VeuScanout *s, VeuFault *fault, uint64_t address,
                         uint32_t bytes)
{
    veu_fault_address(fault, VEU_FAULT_SCANOUT_MEMORY, address, bytes,
                      VEU_ACCESS_READ);
    fault->detail = veu_mem_why(&s->context.mem, address);
    return false;
}

/* Copies the descriptor, once, and checks it. */
static bool read_surface(VeuScanout *s, VeuFault *fault)
{
    struct veu_surface descriptor;
    uint64_t failed;
    uint32_t detail;

    if (!veu_mem_read(&s->context.mem, flip_get(s, VEU_ROW_SCANOUT_SURFACE),
                      &descriptor, sizeof(descriptor), &failed)) {
        return memory_fault(s, fault, failed, sizeof(descriptor));
    }
    if (!veu_surface_decode(&descriptor, &s->surface, &detail)) {
        return veu_fault_form(fault, VEU_FAULT_SCANOUT_FIELD, detail);
    }
    return check_surface(&s->surface, fault);
}

static bool check_flip(VeuDevice *d, VeuFault *fault)
{
    return check_registers(d, fault) && bind_context(d, fault);
}

/* Flips loaded from an old state have no context yet. */
static bool begin(VeuDevice *d, VeuFault *fault)
{
    VeuScanout *s = &d->scanout;
    VeuFrame frame;

    if ((!s->context.mem.map && !check_flip(d, fault)) ||
        !read_surface(s, fault)) {
        return false;
    }
    frame = (VeuFrame){
        .format = s->surface.format,
        .width = s->surface.level[0].width,
        .height = s->surface.level[0].height,
    };
    s->row = 0;
    s->begun = d->host->screen->begin(d->host, &frame);
    return s->begun || veu_fault_form(fault, VEU_FAULT_SCANOUT_HOST, 0);
}

/* Reads a row in pieces, as the tiling requires. */
static bool read_row(VeuScanout *s, VeuFault *fault)
{
    uint64_t address, failed;
    uint32_t x = 0, run;

    while ((run = veu_surface_byte(&s->surface, x, s->row, &address))) {
        if (!veu_mem_read(&s->context.mem, address, s->texels + x, run,
                          &failed)) {
            return memory_fault(s, fault, failed, run);
        }
        x += run;
    }
    return true;
}

static bool copy_row(VeuDevice *d, VeuFault *fault)
{
    VeuScanout *s = &d->scanout;

    if (!read_row(s, fault)) {
        return false;
    }
    d->host->screen->row(d->host, s->row, s->texels);
    s->row++;
    return true;
}

static void stop(VeuScanout *s)
{
    s->busy = false;
    s->begun = false;
    veu_context_unbind(&s->context);
}

/* The newest flip is drawn again after the device has been moved. */
static void keep_flip(VeuScanout *s)
{
    s->shown = true;
    memcpy(s->last, s->flip, sizeof(s->last));
    veu_context_copy(&s->last_context, &s->context);
}

/* DONE is stored last: a driver that sees it also sees the rest. */
static void end(VeuDevice *d, const VeuFault *fault)
{
    VeuScanout *s = &d->scanout;

    if (!s->again && !fault->code) {
        keep_flip(s);
    }
    stop(s);
    if (s->again) {
        return;
    }
    veu_register_set(s->reg, VEU_ROW_SCANOUT_FAULT, fault->code);
    veu_register_set(s->reg, VEU_ROW_SCANOUT_DETAIL, fault->detail);
    veu_register_set(s->reg, VEU_ROW_SCANOUT_ADDRESS, fault->address);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    veu_register_set(s->reg, VEU_ROW_SCANOUT_DONE,
                     flip_get(s, VEU_ROW_SCANOUT_FLIP));
    if (has_vector(d)) {
        d->host->interrupt(d->host, flip_get(s, VEU_ROW_SCANOUT_VECTOR));
    }
}

static void refuse(VeuDevice *d, const VeuFault *fault)
{
    d->counter[VEU_COUNTER_FAULTS]++;
    veu_emit(d, &(VeuEvent){ .kind = VEU_EVENT_FAULT,
                             .ring = VEU_EVENT_NO_RING,
                             .name = veu_fault_info(fault->code)->name,
                             .at = fault->address,
                             .value = fault->detail });
    end(d, fault);
}

static void show(VeuDevice *d)
{
    VeuScanout *s = &d->scanout;

    d->host->screen->show(d->host);
    veu_emit(d, &(VeuEvent){ .kind = VEU_EVENT_FLIP,
                             .ring = VEU_EVENT_NO_RING,
                             .name = s->surface.format->name,
                             .at = flip_get(s, VEU_ROW_SCANOUT_FLIP) });
    end(d, &(VeuFault){ 0 });
}

static void work(VeuDevice *d)
{
    VeuScanout *s = &d->scanout;
    VeuFault fault;

    if (!(s->begun ? copy_row(d, &fault) : begin(d, &fault))) {
        refuse(d, &fault);
    } else if (s->row == s->surface.level[0].height) {
        show(d);
    }
}

VeuStep veu_scanout_step(VeuDevice *d, unsigned budget)
{
    if (d->scanout.busy) {
        veu_counters_idle(d, false);
        veu_mem_forget(&d->scanout.context.mem);
    }
    veu_device_begin_use(d, &d->scanout.context);
    while (d->scanout.busy && budget-- && !veu_is_awaited(d->host->awaited)) {
        work(d);
    }
    veu_device_end_use(d);
    return d->scanout.busy ? VEU_STEP_MORE : VEU_STEP_STOPPED;
}

bool veu_scanout_is_enabled(const VeuScanout *s)
{
    return veu_register_get(s->reg, VEU_ROW_SCANOUT_CONTROL) &
           VEU_SCANOUT_ENABLE;
}

/*
 * The flip uses the current registers and context, whatever is written later:
 * docs/spec.md, section 14.
 */
void veu_scanout_begin_flip(VeuDevice *d)
{
    VeuScanout *s = &d->scanout;
    VeuFault fault;

    stop(s);
    for (unsigned i = 0; i < VEU_SCANOUT_ROWS; i++) {
        s->flip[i] = veu_register_get(s->reg, i);
    }
    s->busy = true;
    s->again = false;
    if (!check_flip(d, &fault)) {
        refuse(d, &fault);
    }
}

void veu_scanout_control(VeuDevice *d)
{
    VeuScanout *s = &d->scanout;

    if (!veu_scanout_is_enabled(s)) {
        stop(s);
        veu_context_unbind(&s->last_context);
        s->shown = false;
        d->host->screen->blank(d->host);
    }
}

void veu_scanout_reset(VeuDevice *d)
{
    veu_registers_reset(veu_scanout_registers, VEU_SCANOUT_ROWS,
                        d->scanout.reg);
    stop(&d->scanout);
    veu_context_unbind(&d->scanout.last_context);
    d->scanout.shown = false;
    if (d->host->screen) {
        d->host->screen->blank(d->host);
    }
}

/*
 * Saves or loads all registers except the capabilities, which begin the block.
 */
static bool move_registers(VeuStream *s, uint64_t *values)
{
    const unsigned first = VEU_ROW_SCANOUT_CONTROL;

    return veu_stream_registers(s, veu_scanout_registers + first,
                                VEU_SCANOUT_ROWS - first, values + first);
}

/* Before version 7, the device copied a flip's context when it began it. */
static bool move_contexts(VeuDevice *d, VeuStream *s)
{
    return s->version < VEU_STATE_FLIPS ||
           (veu_context_move(&d->scanout.context, d->host, s) &&
            veu_context_move(&d->scanout.last_context, d->host, s));
}

/*
 * The host has lost the image: draws it again, from the current contents of the
 * surface.
 */
static void draw_again(VeuScanout *s)
{
    memcpy(s->flip, s->last, sizeof(s->flip));
    veu_context_copy(&s->context, &s->last_context);
    s->busy = true;
    s->again = true;
}

bool veu_scanout_move(VeuDevice *d, VeuStream *s)
{
    VeuScanout *scanout = &d->scanout;

    if (!d->host->screen) {
        return true;
    }
    if (!move_registers(s, scanout->reg) || !move_registers(s, scanout->flip) ||
        !move_registers(s, scanout->last) ||
        !veu_stream_bool(s, &scanout->busy) ||
        !veu_stream_bool(s, &scanout->again) ||
        !veu_stream_bool(s, &scanout->shown) || !move_contexts(d, s)) {
        return false;
    }
    if (s->loading && !scanout->busy && scanout->shown) {
        draw_again(scanout);
    }
    return true;
}
