/*
 * veu unit tests: what the tests of packed kernels share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "packed_world.h"
#include "firmware/lib/veu_port.h"

GArray *commands;
bool ring_is_full;

uint64_t veu_port_device_address(const volatile void *memory)
{
    return (uintptr_t)memory;
}

enum veu_status veu_ring_reserve(const struct veu_ring *ring, uint32_t slots)
{
    return ring_is_full ? VEU_FULL : VEU_OK;
}

enum veu_status veu_ring_put(struct veu_ring *ring,
                             const struct veu_command_header *command)
{
    g_assert_cmpint(command->opcode, ==, VEU_COMMAND_KERNEL);
    g_array_append_vals(commands, command, 1);
    return VEU_OK;
}

void open_world(World *w, const char *file, const char *kernel)
{
    g_autofree char *path = g_strdup_printf("%s/tests/data/kernels/%s.zebin",
                                            g_getenv("VEU_TEST_SOURCE"), file);
    g_autofree char *data = NULL;
    GError *error = NULL;
    gsize bytes;

    g_file_get_contents(path, &data, &bytes, &error);
    g_assert_no_error(error);
    w->zebin = veu_zebin_new((uint8_t *)data, bytes, &error);
    g_assert_no_error(error);
    w->kernel = veu_zebin_kernel(w->zebin, kernel, &error);
    g_assert_no_error(error);
    w->file = veu_kernel_pack(w->zebin, w->kernel, &error);
    g_assert_no_error(error);
    g_assert_true(veu_kernel_open(&w->packed, w->file->data, w->file->len));
    w->place = g_malloc0(w->packed.place_bytes + 64);
    veu_kernel_place(&w->packed, w->place + 64 - (uintptr_t)w->place % 64);
}

void close_world(World *w)
{
    g_byte_array_unref(w->file);
    veu_zebin_free(w->zebin);
    g_free(w->place);
}
