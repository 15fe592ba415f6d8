/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Two ways to load the device into a stock QEMU binary.
 *
 * -plugin: QEMU opens this file when the machine exists, too late for "-device
 * help", and calls qemu_plugin_install(), which registers the device.
 *
 * LD_PRELOAD: the constructor runs before main() and registers a function that
 * QEMU calls when it registers its own devices. In both cases the constructor
 * runs first, so it compares the versions.
 */
#include "qemu/osdep.h"
#include "qemu/module.h"
#include "trace/control.h"
#include "hw/veu/qemu/compat.h"
#include VEU_PLUGIN_HEADER
#include "hw/veu/qemu/veu.h"
#include "plugin/abi_check.h"
#include "plugin/trace.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

static bool version_matches;

static bool register_device(void)
{
    static bool done;

    if (!done && veu_abi_sizes_match()) {
        veu_register_types();
        done = true;
    }
    return done;
}

static void register_device_late(void)
{
    register_device();
}

/*
 * QEMU calls this function before its own, because it was registered first. The
 * types whose sizes are compared all exist only at the end of the list.
 */
static void append_device(void)
{
    register_module_init(register_device_late, MODULE_INIT_QOM);
}

static __attribute__((constructor)) void loaded(void)
{
    if (!veu_abi_in_qemu()) {
        return;
    }
    version_matches = veu_abi_version_matches();
    if (version_matches) {
        /* These have no effect in a QEMU that has registered everything. */
        register_module_init(veu_trace_register, MODULE_INIT_TRACE);
        register_module_init(append_device, MODULE_INIT_QOM);
    }
}

static bool apply_argument(const char *argument)
{
    const char *pattern;

    if (g_str_has_prefix(argument, "trace=")) {
        pattern = argument + strlen("trace=");
        trace_enable_events(pattern);
        return true;
    }
    fprintf(stderr,
            "veu: unknown plugin argument '%s'; known are: trace=PATTERN\n",
            argument);
    return false;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id,
                                           const qemu_info_t *info, int argc,
                                           char **argv)
{
    if (!version_matches) {
        return -1; /* loaded() has reported the reason */
    }
    veu_trace_register();
    for (int i = 0; i < argc; i++) {
        if (!apply_argument(argv[i])) {
            return -1;
        }
    }
    return register_device() ? 0 : -1;
}
