/*
 * veu execution unit: running instructions with handlers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_RUN_H
#define VEU_EU_INSTRUCTION_HANDLER_RUN_H

#include "hw/veu/eu/message/execute.h"

/*
 * Returns true if the host's thread has the default floating-point environment,
 * which handlers need. Reading it takes longer than most handlers, so it is
 * asked once for many instructions.
 */
bool veu_host_has_handlers(void);

/*
 * Executes instructions that have handlers, gotos, returns, and messages that
 * have fast paths if the thread has a message_sum, while its cost is less than
 * @limit and no other thread waits. Stops after a barrier, and before any other
 * instruction. Returns false if the next one is such. The thread has not ended,
 * and the host has handlers.
 */
bool veu_run_handlers(VeuThread *thread, uint32_t limit);

#endif
