/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Live state of a device as QOM properties, which can be read only; and the
 * translation of an address.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "qemu/cutils.h"
#include "hw/veu/device/host/inject.h"
#include "hw/veu/qemu/engine_pause.h"
#include "hw/veu/qemu/introspect.h"

/* ---- reports of the device model, for a visitor ---- */

typedef struct QomInspector {
    VeuInspector inspector; /* first */
    Visitor *visitor;
} QomInspector;

static Visitor *visitor_of(VeuInspector *v)
{
    return ((QomInspector *)v)->visitor;
}

/* RING_HEAD: "head"; message_offset: "message-offset". */
static char *qom_name(const char *name)
{
    static const char *const prefixes[] = { "RING_", "CONTEXT_" };

    for (unsigned i = 0; i < ARRAY_SIZE(prefixes); i++) {
        if (g_str_has_prefix(name, prefixes[i])) {
            name += strlen(prefixes[i]);
        }
    }
    return g_strdelimit(g_ascii_strdown(name, -1), "_", '-');
}

/* Visitors that receive values do not fail. */
static void open_group(VeuInspector *v, const char *name)
{
    g_autofree char *qom = qom_name(name);

    visit_start_struct(visitor_of(v), qom, NULL, 0, NULL);
}

static void close_group(VeuInspector *v)
{
    visit_end_struct(visitor_of(v), NULL);
}

static void tell_number(VeuInspector *v, const char *name, uint64_t value)
{
    g_autofree char *qom = qom_name(name);

    visit_type_uint64(visitor_of(v), qom, &value, NULL);
}

static void tell_text(VeuInspector *v, const char *name, const char *value)
{
    g_autofree char *qom = qom_name(name);

    visit_type_str(visitor_of(v), qom, (char **)&value, NULL);
}

static void tell_bits(VeuInspector *v, const char *name, uint64_t value)
{
    g_autofree char *text = g_strdup_printf("0x%" PRIx64, value);

    tell_text(v, name, text);
}

/* ---- properties ---- */

typedef struct LiveProperty {
    const char *name;
    const char *type;
    const char *text;
    void (*inspect)(VeuDevice *device, VeuInspector *inspector);
} LiveProperty;

static const LiveProperty live_properties[] = {
    { "counters", "VeuCounters",
      "performance counters, by name, as they are now (read only)",
      veu_inspect_counters },
    { "last-fault", "VeuFault",
      "the newest fault of all rings since they were enabled (read only)",
      veu_inspect_last_fault },
    { "fault-inject-state", "VeuFaultInject",
      "rules of fault-inject: how often each has matched and fired (read only)",
      veu_inspect_inject },
};

static bool begin(VeuState *s, Visitor *v, const char *name, Error **errp)
{
    if (!DEVICE(s)->realized) {
        error_setg(errp, "veu: cannot read '%s' before the device is realized",
                   name);
        return false;
    }
    return visit_start_struct(v, name, NULL, 0, errp);
}

static QomInspector make_inspector(Visitor *v)
{
    return (QomInspector){
        .inspector = {
            .open = open_group,
            .close = close_group,
            .number = tell_number,
            .bits = tell_bits,
            .text = tell_text,
        },
        .visitor = v,
    };
}

static void get_live(Object *obj, Visitor *v, const char *name, void *opaque,
                     Error **errp)
{
    const LiveProperty *property = opaque;
    VeuState *s = VEU(obj);
    QomInspector q = make_inspector(v);

    if (!begin(s, v, name, errp)) {
        return;
    }
    veu_engine_pause(&s->engine);
    property->inspect(s->device, &q.inspector);
    veu_engine_resume(&s->engine);
    visit_end_struct(v, NULL);
}

/* ---- the walk of an address ---- */

#define WALK "walk"

/* "CONTEXT:ADDRESS": the address that is walked when the property is read. */
static void set_walk(Object *obj, Visitor *v, const char *name, void *opaque,
                     Error **errp)
{
    VeuState *s = VEU(obj);
    g_autofree char *text = NULL;
    const char *rest;
    unsigned context;
    uint64_t address;

    if (!visit_type_str(v, name, &text, errp)) {
        return;
    }
    /* These functions accept a minus as part of a number. */
    if (strchr(text, '-') || qemu_strtoui(text, &rest, 0, &context) < 0 ||
        *rest != ':' || qemu_strtou64(rest + 1, NULL, 0, &address) < 0) {
        error_setg(errp, "veu: invalid " WALK "=%s", text);
        error_append_hint(errp, "Write CONTEXT:ADDRESS, as in "
                                "1:0x7f0000001000.\n");
        return;
    }
    s->walk_context = context;
    s->walk_address = address;
}

static void get_walk(Object *obj, Visitor *v, const char *name, void *opaque,
                     Error **errp)
{
    VeuState *s = VEU(obj);
    QomInspector q = make_inspector(v);
    bool has_tables;

    if (!begin(s, v, name, errp)) {
        return;
    }
    veu_engine_enter(s);
    has_tables = veu_inspect_walk(s->device, s->walk_context, s->walk_address,
                                  &q.inspector);
    veu_engine_leave(s);
    if (!has_tables) {
        error_setg(errp, "veu: context %u has no page tables", s->walk_context);
        error_append_hint(errp, "Set '" WALK "' to CONTEXT:ADDRESS for a "
                                "context whose CONTEXT_TYPE is 3.\n");
    }
    visit_end_struct(v, NULL);
}

void veu_introspect_class_init(ObjectClass *klass)
{
    for (unsigned i = 0; i < ARRAY_SIZE(live_properties); i++) {
        const LiveProperty *p = &live_properties[i];

        object_class_property_add(klass, p->name, p->type, get_live, NULL, NULL,
                                  (void *)p);
        object_class_property_set_description(klass, p->name, p->text);
    }
    object_class_property_add(klass, WALK, "VeuWalk", get_walk, set_walk, NULL,
                              NULL);
    object_class_property_set_description(
        klass, WALK,
        "how page tables translate an address: set it to CONTEXT:ADDRESS, "
        "then read it");
}

/* ---- one for each ring and each context ---- */

typedef struct NumberedProperty {
    const char *name;
    const char *type;
    void (*inspect)(VeuDevice *device, uint32_t number,
                    VeuInspector *inspector);
} NumberedProperty;

/*
 * They have no descriptions: QEMU shows only those of properties that exist
 * before a device is realized.
 */
static const NumberedProperty numbered_properties[] = {
    { "ring", "VeuRing", veu_inspect_ring },
    { "context", "VeuContext", veu_inspect_context },
};

/* "ring[3]", ...; @opaque is its row. */
static void get_numbered(Object *obj, Visitor *v, const char *name,
                         void *opaque, Error **errp)
{
    const NumberedProperty *property = opaque;
    VeuState *s = VEU(obj);
    QomInspector q = make_inspector(v);
    uint32_t number = strtoul(strchr(name, '[') + 1, NULL, 10);

    if (!begin(s, v, name, errp)) {
        return;
    }
    veu_engine_pause(&s->engine);
    property->inspect(s->device, number, &q.inspector);
    veu_engine_resume(&s->engine);
    visit_end_struct(v, NULL);
}

static char *name_of(const NumberedProperty *p, unsigned number)
{
    return g_strdup_printf("%s[%u]", p->name, number);
}

static void add_numbered(VeuState *s, const NumberedProperty *p)
{
    for (unsigned i = 0; i < s->rings; i++) {
        g_autofree char *name = name_of(p, i);

        object_property_add(OBJECT(s), name, p->type, get_numbered, NULL, NULL,
                            (void *)p);
    }
}

/* There are as many contexts as rings. */
void veu_introspect_add_numbered(VeuState *s)
{
    for (unsigned i = 0; i < ARRAY_SIZE(numbered_properties); i++) {
        add_numbered(s, &numbered_properties[i]);
    }
}

void veu_introspect_remove_numbered(VeuState *s)
{
    for (unsigned i = 0; i < ARRAY_SIZE(numbered_properties); i++) {
        for (unsigned n = 0; n < s->rings; n++) {
            g_autofree char *name = name_of(&numbered_properties[i], n);

            object_property_del(OBJECT(s), name);
        }
    }
}
