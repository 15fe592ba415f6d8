/*
 * veu tests: a host that maps consecutive pages at once.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/lib/wide_host.h"

static uint8_t *wide_map(VeuHost *host, uint64_t iova, uint32_t *bytes,
                         enum veu_access access)
{
    TestMemory *memory = &((TestHost *)host)->memory;
    uint32_t wanted = *bytes;
    uint8_t *at = test_memory_map(memory, iova, bytes, access);

    while (at && *bytes < wanted) {
        uint32_t more = wanted - *bytes;

        if (test_memory_map(memory, iova + *bytes, &more, access) !=
            at + *bytes) {
            break;
        }
        *bytes += more;
    }
    return at;
}

void wide_host_set(Dev *d)
{
    d->host.host.map = wide_map;
    d->host.host.open = NULL;
}
