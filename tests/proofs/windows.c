/*
 * veu proofs: the windows of a context.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/context.c"
#include "hw/veu/eu/fault.c"
#include "hw/veu/eu/memory/mem.c"
#include "tests/proofs/proof.h"

#define WINDOWS VEU_LIMIT_WINDOWS /* reduced: the table of proofs */

static VeuContext context;
static uint8_t ram[1];
/* The access that the host was asked for. */
static unsigned asked;
static uint64_t asked_iova;
static uint32_t asked_bytes;

static uint8_t *host_map(VeuHost *host, uint64_t iova, uint32_t *bytes,
                         enum veu_access access)
{
    asked++;
    asked_iova = iova;
    asked_bytes = *bytes;
    return ram;
}

/*
 * Returns true if all of [iova, iova + bytes) is in window @n, which permits
 * @access.
 */
static bool lies_in(unsigned n, uint64_t iova, uint64_t bytes,
                    enum veu_access access)
{
    const struct veu_window *w = &context.windows[n];

    return iova >= w->address &&
           (VeuWide)iova + bytes <= (VeuWide)w->address + w->bytes &&
           (w->permissions & (access == VEU_ACCESS_WRITE ? 2 : 1));
}

static unsigned count_windows(uint64_t iova, uint64_t bytes,
                              enum veu_access access)
{
    unsigned count = 0;

    for (unsigned n = 0; n < context.window_count; n++) {
        count += lies_in(n, iova, bytes, access);
    }
    return count;
}

/* Any table that is accepted. */
static void take_windows(void)
{
    VeuFault fault;

    context.window_count = nondet_u32();
    ASSUME(context.window_count <= WINDOWS);
    for (unsigned n = 0; n < WINDOWS; n++) {
        struct veu_window any;

        context.windows[n] = any;
    }
    ASSUME(check_windows(&context, &fault));
}

/*
 * docs/spec.md: windows ascend, do not overlap, are multiples of 4096, and are
 * not empty.
 */
void windows_that_are_taken_are_legal(void)
{
    unsigned a = nondet_u32();
    unsigned b = nondet_u32();

    take_windows();
    ASSUME(a < b && b < context.window_count);
    const struct veu_window *low = &context.windows[a];
    const struct veu_window *high = &context.windows[b];

    REACHED(b == WINDOWS - 1);
    PROVE((VeuWide)low->address + low->bytes <= high->address,
          "windows ascend and do not overlap");
    PROVE((VeuWide)high->address + high->bytes <= UINT64_MAX,
          "a window does not reach beyond 2^64");
    PROVE(high->bytes && high->bytes % 4096 == 0 && high->address % 4096 == 0,
          "windows are made of pages");
    PROVE(high->permissions >= 1 && high->permissions <= 3,
          "a window has a permission, and none that does not exist");
}

void the_window_around_an_address_is_found(void)
{
    uint64_t iova = nondet_u64();
    unsigned n = nondet_u32();
    const struct veu_window *found;
    const struct veu_window *w;

    take_windows();
    found = find_window(&context, iova);
    REACHED(found == &context.windows[WINDOWS - 1]);
    REACHED(!found && context.window_count == WINDOWS);
    PROVE(!found || iova - found->address < found->bytes,
          "a window that is found has the address");
    ASSUME(n < context.window_count);
    w = &context.windows[n];
    ASSUME(iova >= w->address && iova - w->address < w->bytes);
    PROVE(found == w, "a window that has the address is found");
}

void a_hit_lies_in_one_window(void)
{
    VeuHost host = { .map = host_map };
    uint64_t iova = nondet_u64();
    uint32_t wanted = nondet_u32();
    uint32_t bytes = wanted;
    bool is_write = nondet_bool();
    enum veu_access access = is_write ? VEU_ACCESS_WRITE : VEU_ACCESS_READ;
    uint8_t *found;

    take_windows();
    ASSUME(wanted >= 1);
    found = map_in_window(&context, &host, iova, &bytes, access);
    REACHED(found && bytes == wanted && wanted > 4096);
    REACHED(found && bytes < wanted);
    REACHED(!found && count_windows(iova, 1, VEU_ACCESS_READ));
    PROVE(!!found == (count_windows(iova, 1, access) == 1),
          "a hit iff there is a window with the permission");
    PROVE(!found || count_windows(iova, bytes, access) == 1,
          "all that a hit gives lies in one window");
    PROVE(!found || (bytes >= 1 && bytes <= wanted),
          "a hit gives something, and not more than was wanted");
    PROVE(!found || bytes == wanted ||
              count_windows(iova, (uint64_t)bytes + 1, access) == 0,
          "less than was wanted is given only where the window ends");
    PROVE(asked == !!found &&
              (!found || (asked_iova == iova && asked_bytes == bytes)),
          "the host is asked for what lies in the window, and nothing else");
}
