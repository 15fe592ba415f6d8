/*
 * libveu-kernel: errors.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tools/kernel/kernel_internal.h"

GQuark veu_kernel_error_quark(void)
{
    return g_quark_from_static_string("veu-kernel");
}

bool veu_kernel_error(GError **error, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    g_propagate_error(error,
                      g_error_new_valist(VEU_KERNEL_ERROR, 0, format, args));
    va_end(args);
    return false;
}
