/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Checks that the process that loaded the plugin is the QEMU that it was built
 * for.
 *
 * QEMU checks little, and a plugin that was built with other headers would use
 * wrong offsets. So any other package version is refused, and sizes are
 * compared in case the headers did not match the version.
 */
#include "qemu/osdep.h"
#include "qapi/qapi-commands-control.h"
#include "qemu/module.h"
#include "qom/object.h"
#include "plugin/abi_check.h"

/* Absent if the process is not QEMU, or not one that is known. */
#pragma weak qmp_query_version
#pragma weak object_class_by_name
#pragma weak register_module_init

static const char *running_binary(void)
{
    static char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

    return length > 0 ? path : "qemu-system-x86_64";
}

static G_GNUC_PRINTF(1, 2) void refuse(const char *fmt, ...)
{
    const char *binary = running_binary();
    g_autofree char *clone =
        g_strdup_printf("./configure --qemu %s && ninja -C build", binary);
    g_autofree char *difference = NULL;
    va_list ap;

    va_start(ap, fmt);
    difference = g_strdup_vprintf(fmt, ap);
    va_end(ap);
    fprintf(stderr,
            "veu: this plugin was built for QEMU %s (%s), but %s %s; rebuild "
            "it with: %s\n",
            veu_built_for.version,
            *veu_built_for.package ? veu_built_for.package : "no package",
            binary, difference,
            *veu_built_for.rebuild ? veu_built_for.rebuild : clone);
}

bool veu_abi_in_qemu(void)
{
    return qmp_query_version && object_class_by_name && register_module_init;
}

/* "(Debian 1:7.2+dfsg-7+b3)" -> "Debian 1:7.2+dfsg-7": +b3 is a rebuild */
static char *source_package(const char *package)
{
    g_autofree char *s = g_strdup(package);
    char *start = g_strstrip(s);
    char *rebuild;

    if (*start == '(' && g_str_has_suffix(start, ")")) {
        start[strlen(start) - 1] = 0;
        start++;
    }
    rebuild = g_strrstr(start, "+b");
    if (rebuild && rebuild[2] &&
        rebuild[2 + strspn(rebuild + 2, "0123456789")] == 0) {
        *rebuild = 0;
    }
    return g_strdup(start);
}

static bool same_package(const char *a, const char *b)
{
    g_autofree char *source_a = source_package(a);
    g_autofree char *source_b = source_package(b);

    return g_str_equal(source_a, source_b);
}

bool veu_abi_version_matches(void)
{
    VersionInfo *info = qmp_query_version(NULL);
    g_autofree char *version =
        g_strdup_printf("%" PRId64 ".%" PRId64 ".%" PRId64, info->qemu->major,
                        info->qemu->minor, info->qemu->micro);

    if (g_str_equal(version, veu_built_for.version) &&
        same_package(info->package, veu_built_for.package)) {
        return true;
    }
    refuse("is QEMU %s (%s)", version,
           *info->package ? info->package : "no package");
    return false;
}

/*
 * The beginning of QEMU's private struct TypeImpl in 7.2 and in 10.0, which has
 * no function that returns the size any more. The name shows whether the layout
 * still applies.
 */
typedef struct TypeHead {
    const char *name;
    size_t class_size;
    size_t instance_size;
} TypeHead;

static size_t instance_bytes(const char *type)
{
    ObjectClass *klass = object_class_by_name(type);
    const TypeHead *head = klass ? (const TypeHead *)klass->type : NULL;

    return head && g_str_equal(head->name, type) ? head->instance_size : 0;
}

bool veu_abi_sizes_match(void)
{
    const VeuTypeSize *expected;

    for (expected = veu_built_for.sizes; expected->type; expected++) {
        size_t bytes = instance_bytes(expected->type);

        if (bytes != expected->bytes) {
            refuse("has a '%s' of %zu bytes where %zu were expected",
                   expected->type, bytes, expected->bytes);
            return false;
        }
    }
    return true;
}
