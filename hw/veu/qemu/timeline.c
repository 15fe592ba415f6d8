/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The property timeline: docs/profile.md. The device's work is written as
 * events to a file on the host, in virtual time. The property does not migrate.
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qapi/error.h"
#include "hw/veu/qemu/engine_pause.h"
#include "hw/veu/qemu/timeline.h"

void veu_timeline_stop(VeuState *s)
{
    g_autoptr(GError) error = NULL;

    if (s->timeline && !veu_timeline_free(s->timeline, &error)) {
        warn_report("veu: timeline=%s: %s", s->timeline_file, error->message);
    }
    s->timeline = NULL;
}

static VeuTimeline *open_timeline(const VeuState *s, const char *path,
                                  Error **errp)
{
    g_autoptr(GError) error = NULL;
    const char *id = DEVICE(s)->id;
    VeuTimeline *t = veu_timeline_new(path, id ? id : TYPE_VEU, &error);

    if (!t) {
        error_setg(errp, "veu: timeline: %s", error->message);
        error_append_hint(errp, "Name a file that can be written; an existing "
                                "file is replaced.\n");
    }
    return t;
}

bool veu_timeline_start(VeuState *s, Error **errp)
{
    if (*s->timeline_file) {
        s->timeline = open_timeline(s, s->timeline_file, errp);
    }
    return !*s->timeline_file || s->timeline;
}

/*
 * Called while the engine is paused. A wrong value changes nothing. Both may be
 * the same file, so the old timeline must not be written after it is replaced.
 */
static bool replace_timeline(VeuState *s, const char *text, Error **errp)
{
    VeuTimeline *next = NULL;

    if (s->timeline) {
        veu_timeline_flush(s->timeline);
    }
    if (*text) {
        next = open_timeline(s, text, errp);
        if (!next) {
            return false;
        }
    }
    veu_timeline_stop(s);
    s->timeline = next;
    return true;
}

static void set_timeline(Object *obj, const char *text, Error **errp)
{
    VeuState *s = VEU(obj);
    bool ok = true;

    if (DEVICE(s)->realized) {
        veu_engine_pause(&s->engine);
        ok = replace_timeline(s, text, errp);
        veu_engine_resume(&s->engine);
    }
    if (!ok) {
        return;
    }
    g_free(s->timeline_file);
    s->timeline_file = g_strdup(text);
}

static char *get_timeline(Object *obj, Error **errp)
{
    return g_strdup(VEU(obj)->timeline_file);
}

void veu_timeline_class_init(ObjectClass *klass)
{
    object_class_property_add_str(klass, "timeline", get_timeline,
                                  set_timeline);
    object_class_property_set_description(
        klass, "timeline",
        "file for what rings do when, which ui.perfetto.dev shows; \"\" "
        "completes it; can be set at any time");
}
