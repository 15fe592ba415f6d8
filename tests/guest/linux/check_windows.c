/*
 * Buffers that are created and destroyed while the device works in others, or
 * in them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include "guest.h"

#define ROUNDS     100
#define LONG_BYTES (2u << 20)

/* The command that lost its buffer is skipped, unless it had already ended. */
static bool goes_on(Client *c)
{
    struct veu_linux_faults faults;
    int error = wait_all(c);

    if (error != -EIO) {
        return error == 0;
    }
    return !veu_client_faults(c->veu, &faults) && faults.count == 1 &&
           faults.records[0].code == VEU_FAULT_COMMAND_MEMORY &&
           !veu_client_skip(c->veu, &faults.records[0]);
}

/* Pages that are freed while the device uses them are reallocated at once. */
static bool take_away(Client *c, Client *other, unsigned round)
{
    struct veu_client_buffer b;

    if (veu_client_buffer_create(c->veu, LONG_BYTES, &b)) {
        return false;
    }
    submit_fill(c, b.address, ~0ull, LONG_BYTES);
    return !veu_client_buffer_destroy(c->veu, &b) &&
           !veu_client_buffer_create(other->veu, LONG_BYTES, &b) &&
           goes_on(c) && *(volatile uint64_t *)b.memory == 0 &&
           fills(c, round) && !veu_client_buffer_destroy(other->veu, &b);
}

/* The ring's current work does not notice that its file gets a buffer. */
static bool add(Client *c, unsigned round)
{
    struct veu_client_buffer b;
    bool good;

    submit_fill(c, c->buffer.address, round, BUFFER_BYTES);
    good = !veu_client_buffer_create(c->veu, 4096, &b);
    submit_fill(c, b.address, round, 4096);
    return good && wait_all(c) == 0 && c->memory[0] == round &&
           *(volatile uint64_t *)b.memory == round &&
           !veu_client_buffer_destroy(c->veu, &b);
}

void check_windows(void)
{
    bool taken = true, added = true;
    Client c, other;

    open_client(&c);
    open_client(&other);
    for (unsigned i = 1; i <= ROUNDS; i++) {
        taken = taken && take_away(&c, &other, i);
        added = added && add(&c, i);
    }
    check("a buffer is freed while the device writes to it", taken);
    check("a buffer is made while the device works", added);
    close_client(&c);
    close_client(&other);
}
