/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The property profile: docs/profile.md. The work of the instructions in a
 * guest's programs is counted and written to a file on the host. The property
 * does not migrate.
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "hw/veu/qemu/engine_pause.h"
#include "hw/veu/qemu/profile.h"

static VeuProfile *open_profile(VeuHost *host, uint32_t ring, unsigned runner,
                                const VeuProgram *program)
{
    return veu_profiler_open(container_of(host, VeuState, host)->profiler, ring,
                             runner, program);
}

void veu_profile_start(VeuState *s)
{
    if (*s->profile_file) {
        s->profiler = veu_profiler_new();
        s->host.profile = open_profile;
    }
}

void veu_profile_stop(VeuState *s)
{
    g_autoptr(GError) error = NULL;

    if (!s->profiler) {
        return;
    }
    if (!veu_profiler_write(s->profiler, s->profile_file, &error)) {
        warn_report("veu: profile: %s", error->message);
    }
    veu_profiler_free(s->profiler);
    s->profiler = NULL;
    s->host.profile = NULL;
}

static void set_profile(Object *obj, const char *text, Error **errp)
{
    VeuState *s = VEU(obj);
    bool realized = DEVICE(s)->realized;

    if (realized) {
        veu_engine_pause(&s->engine);
        veu_profile_stop(s);
    }
    g_free(s->profile_file);
    s->profile_file = g_strdup(text);
    if (realized) {
        veu_profile_start(s);
        veu_engine_resume(&s->engine);
    }
}

static char *get_profile(Object *obj, Error **errp)
{
    return g_strdup(VEU(obj)->profile_file);
}

void veu_profile_class_init(ObjectClass *klass)
{
    object_class_property_add_str(klass, "profile", get_profile, set_profile);
    object_class_property_set_description(
        klass, "profile",
        "file for how often each instruction of kernels is executed, and "
        "what messages touch; \"\" completes it; can be set at any time");
}
