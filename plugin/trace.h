/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The device's trace events, in a QEMU that was not built with them.
 */
#ifndef PLUGIN_TRACE_H
#define PLUGIN_TRACE_H

/* Make the events known to QEMU; more than once is fine. */
void veu_trace_register(void);

#endif /* PLUGIN_TRACE_H */
