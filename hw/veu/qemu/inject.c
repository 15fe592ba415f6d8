/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The property fault-inject: docs/fault-inject.md. Rules belong to the host:
 * they do not migrate, and resets do not affect them.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "hw/veu/device/host/inject.h"
#include "hw/veu/qemu/engine_pause.h"
#include "hw/veu/qemu/inject.h"
#include "veu/regs.h"

#define NAME "fault-inject"

static bool parse(const char *text, unsigned rings, VeuInjectRules *rules,
                  Error **errp)
{
    VeuInjectError error = { 0 };

    if (!veu_inject_parse(text, rings, rules, &error)) {
        error_setg(errp, "veu: " NAME ": %s", error.text);
        error_append_hint(errp, "%s\n", error.hint);
        return false;
    }
    return true;
}

bool veu_inject_start(VeuState *s, Error **errp)
{
    g_autofree VeuInjectRules *rules = g_new0(VeuInjectRules, 1);

    if (!parse(s->inject, s->rings, rules, errp)) {
        return false;
    }
    veu_device_inject(s->device, rules);
    return true;
}

/* If the rules are wrong, the previous ones stay. */
static void set_rules(Object *obj, const char *text, Error **errp)
{
    VeuState *s = VEU(obj);
    bool realized = DEVICE(s)->realized;
    g_autofree VeuInjectRules *rules = g_new0(VeuInjectRules, 1);

    if (!parse(text, realized ? s->rings : VEU_MAX_RINGS, rules, errp)) {
        return;
    }
    g_free(s->inject);
    s->inject = g_strdup(text);
    if (realized) {
        veu_engine_pause(&s->engine);
        veu_device_inject(s->device, rules);
        veu_engine_resume(&s->engine);
    }
}

static char *get_rules(Object *obj, Error **errp)
{
    return g_strdup(VEU(obj)->inject);
}

void veu_inject_class_init(ObjectClass *klass)
{
    object_class_property_add_str(klass, NAME, get_rules, set_rules);
    object_class_property_set_description(
        klass, NAME,
        "rules that make commands and messages fail, \"opcode=gather nth=3 "
        "action=fault:ADDRESS\", say; can be set at any time");
}
