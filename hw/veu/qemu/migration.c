/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Migration and snapshots: the device model's stream in QEMU's.
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "migration/qemu-file-types.h"
#include "migration/vmstate.h"
#include "hw/veu/device/host/state.h"
#include "hw/veu/qemu/engine_pause.h"
#include "hw/veu/qemu/migration.h"
#include "hw/veu/qemu/power.h"
#include "hw/veu/qemu/veu.h"

typedef struct VeuFile {
    VeuStream stream; /* first */
    QEMUFile *file;
} VeuFile;

static bool put_bytes(VeuStream *stream, void *data, uint32_t bytes)
{
    qemu_put_buffer(((VeuFile *)stream)->file, data, bytes);
    return true;
}

static bool get_bytes(VeuStream *stream, void *data, uint32_t bytes)
{
    return qemu_get_buffer(((VeuFile *)stream)->file, data, bytes) == bytes;
}

static bool move(VeuState *s, VeuFile *f)
{
    bool ok;

    veu_engine_pause(&s->engine);
    ok = veu_device_move(s->device, &f->stream);
    veu_engine_resume(&s->engine);
    return ok;
}

static int report(const VeuFile *f, const char *verb)
{
    error_report("veu: cannot %s the device's state: %s", verb,
                 f->stream.error);
    if (f->stream.ring != VEU_EVENT_NO_RING) {
        error_printf("It is ring %" PRIu32 "'s.\n", f->stream.ring);
    }
    return -EINVAL;
}

static int put_model(QEMUFile *file, void *opaque, size_t size,
                     const VMStateField *field, JSONWriter *description)
{
    VeuFile f = { .stream.move = put_bytes, .file = file };

    return move(opaque, &f) ? 0 : report(&f, "save");
}

static int get_model(QEMUFile *file, void *opaque, size_t size,
                     const VMStateField *field)
{
    VeuFile f = {
        .stream = { .loading = true, .move = get_bytes },
        .file = file,
    };

    return move(opaque, &f) ? 0 : report(&f, "load");
}

static const VMStateInfo veu_model_vmstate = {
    .name = "veu model",
    .get = get_model,
    .put = put_model,
};

/* The loaded state is that of a stopped VM, even if it never ran here. */
static int veu_post_load(void *opaque, int version)
{
    VeuState *s = opaque;
    int vectors = PCI_DEVICE(s)->msix_entries_nr;

    s->causes &= vectors ? MAKE_64BIT_MASK(0, vectors) : 0;
    veu_engine_pause(&s->engine);
    s->engine.vm_stopped = !runstate_is_running();
    veu_engine_resume(&s->engine);
    veu_power_loaded(s);
    return 0;
}

static bool has_beat(void *opaque)
{
    return ((VeuState *)opaque)->engine.beat;
}

/* A stream may contain the subsection for a device that has none. */
static bool may_load_beat(void *opaque, int version)
{
    return has_beat(opaque);
}

/* The time at which the next batch of a deterministic device is due. */
static const VMStateDescription veu_beat_vmstate = {
    .name = TYPE_VEU "/beat",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = has_beat,
    .fields =
        (VMStateField[]){
            VMSTATE_TIMER_PTR_TEST(engine.beat, VeuState, may_load_beat),
            VMSTATE_END_OF_LIST(),
        },
};

const VMStateDescription veu_vmstate = {
    .name = TYPE_VEU,
    .version_id = 2,
    .minimum_version_id = 2,
    .post_load = veu_post_load,
    .fields =
        (VMStateField[]){
            VMSTATE_PCI_DEVICE(parent_obj, VeuState),
            VMSTATE_MSIX(parent_obj, VeuState),
            {
                .name = "model",
                .info = &veu_model_vmstate,
                .flags = VMS_SINGLE,
            },
            /* After the model, which is reset when it is loaded. */
            VMSTATE_UINT64(causes, VeuState),
            VMSTATE_INT64_ARRAY(not_before_ns, VeuState, VEU_MAX_VECTORS),
            VMSTATE_END_OF_LIST(),
        },
    .subsections =
        (const VMStateDescription *[]){
            &veu_beat_vmstate,
            NULL,
        },
};
