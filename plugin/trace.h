/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The device's trace events, in a QEMU that was not built with them.
 */
#ifndef PLUGIN_TRACE_H
#define PLUGIN_TRACE_H

/* Makes the events known to QEMU; may be called repeatedly. */
void veu_trace_register(void);

#endif /* PLUGIN_TRACE_H */
