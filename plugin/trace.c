/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The device's trace events, in a QEMU that was not built with them.
 *
 * QEMU's generated code registers itself from a constructor, which is too late
 * for a plugin and fatal in a child process that is not QEMU. So the function
 * that it would register is given a name here instead.
 */
#include "qemu/osdep.h"
#include "qemu/module.h"
#include "plugin/trace.h"

#undef trace_init
#define trace_init(function)          \
    static void register_events(void) \
    {                                 \
        function();                   \
    }

#include "trace/trace-hw_veu_qemu-c.h"

void veu_trace_register(void)
{
    static bool done;

    if (!done) {
        register_events();
        done = true;
    }
}
