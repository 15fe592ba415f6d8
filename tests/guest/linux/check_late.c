/*
 * A device whose rules delay a page, lose an interrupt, and withhold a page
 * indefinitely, each once.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include "guest.h"

#define LATE_NS  (50 * VEU_CLIENT_SECOND / 1000)
#define SHORT_NS (VEU_CLIENT_SECOND / 5)

static void check_late_page(Client *c)
{
    uint64_t begin = now_ns();

    check("a command waits for a late page, and does what it should",
          fills(c, 1) && now_ns() - begin >= LATE_NS);
}

static int copy(Client *c)
{
    const struct veu_command_copy copy = {
        .header = { VEU_COMMAND_COPY, 1, VEU_COMMAND_INTERRUPT },
        .source = c->buffer.address,
        .destination = c->buffer.address + 8,
        .bytes = 8,
    };

    veu_client_put(c->veu, &copy.header);
    veu_client_submit(c->veu);
    return wait_all(c);
}

static int fence(Client *c, uint64_t timeout_ns)
{
    struct veu_command_fence fence = {
        .header = { VEU_COMMAND_FENCE, 1 },
        .address = c->buffer.address,
        .value = 42,
    };

    return veu_client_run(c->veu, &fence.header, timeout_ns);
}

void check_late(void)
{
    Client c, neighbour;

    check("two processes", !open_svm(&c) && !open_client(&neighbour));
    check_late_page(&c);
    check("a wait ends without its interrupt", copy(&c) == 0);
    check("a page that never comes holds up its command",
          fence(&c, SHORT_NS) == -ETIME && c.memory[0] != 42);
    check("... and no other process", fills(&neighbour, 2));
    check("... until the ring is reset", !veu_client_reset(c.veu) &&
                                             !fence(&c, TIMEOUT_NS) &&
                                             c.memory[0] == 42);
    close_client(&c);
    close_client(&neighbour);
}
