/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The properties that are fixed when a device is created.
 */
#include "qemu/osdep.h"
#include "qemu/units.h"
#include "qapi/error.h"
#include "hw/veu/qemu/properties.h"
#include "hw/veu/qemu/veu.h"
#include "veu/regs.h"

static VEU_PROPERTY_CONST Property veu_properties[] = {
#define ROW(kind, name, field, value, least, most, text) \
    DEFINE_PROP_##kind(name, VeuState, field, value),
    VEU_PROPERTIES(ROW)
#undef ROW
        DEFINE_PROP_CHR("gdb", VeuState, gdb_chardev),
    VEU_PROPERTIES_END
};

void veu_properties_class_init(ObjectClass *klass)
{
    device_class_set_props(DEVICE_CLASS(klass), veu_properties);
#define ROW(kind, name, field, value, least, most, text) \
    object_class_property_set_description(klass, name, text);
    VEU_PROPERTIES(ROW)
#undef ROW
    object_class_property_set_description(
        klass, "gdb",
        "ID of a chardev for gdb, which stops EU threads of programs of "
        "instructions");
}

void veu_properties_init(Object *obj)
{
    object_property_add_alias(obj, "undefined", obj, "poison");
    object_property_add_alias(obj, "check", obj, "trace-contracts");
}

static bool check_bounds(const VeuState *s, Error **errp)
{
    const struct {
        const char *name;
        int64_t value, least, most;
    } rows[] = {
#define ROW(kind, name, field, value, least, most, text) \
    { name, s->field, least, most },
        VEU_PROPERTIES(ROW)
#undef ROW
    };

    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
        if (rows[i].value < rows[i].least || rows[i].value > rows[i].most) {
            error_setg(errp,
                       "veu: invalid %s=%" PRId64 ": must be between %" PRId64
                       " and %" PRId64,
                       rows[i].name, rows[i].value, rows[i].least,
                       rows[i].most);
            return false;
        }
    }
    return true;
}

bool veu_properties_check(const VeuState *s, Error **errp)
{
    if (s->doorbell_stride != 4 * KiB && s->doorbell_stride != 64 * KiB) {
        error_setg(errp,
                   "veu: invalid doorbell-stride=%" PRIu32
                   ": must be 4096 or 65536",
                   s->doorbell_stride);
        return false;
    }
    return check_bounds(s, errp);
}
