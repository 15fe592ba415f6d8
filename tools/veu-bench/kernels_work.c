/*
 * veu-bench: compiled kernels with arguments, on the device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gio/gio.h>
#include <string.h>
#include "hw/veu/eu/limits.h"
#include "tools/lib/number.h"
#include "tools/veu-bench/kernels_work.h"

#define HANDLE       1
#define SCRATCH_UNIT 1024u
/* Launches in the ring at the same time. */
#define TOGETHER     1000

GBytes *kernel_work_file(const char *kernel, const char *suffix)
{
    g_autofree char *path = g_strdup_printf("/veu/%s.%s", kernel, suffix);

    return g_resources_lookup_data(path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
}

static bool fail(const KernelWork *w, GError *error)
{
    tool_error("%s: %s", w->s->kernel, error->message);
    g_error_free(error);
    return false;
}

/* --- Arguments ----------------------------------------------------------- */

static void fill(const char *pattern, uint8_t *to, uint64_t bytes)
{
    uint32_t random = 12345;

    for (uint64_t i = 0; i + 4 <= bytes; i += 4) {
        uint32_t value = 0;
        float real;

        random = random * 1664525 + 1013904223;
        if (!strcmp(pattern, "idx")) {
            value = i / 4;
        } else if (!strcmp(pattern, "rand")) {
            value = random ^ random >> 16;
        } else if (!strcmp(pattern, "randf")) {
            real = (random >> 8) * (1.0f / 16777216);
            memcpy(&value, &real, sizeof(value));
        }
        memcpy(to + i, &value, sizeof(value));
    }
}

static bool add_buffer(KernelWork *w, KernelArgument *a, const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, ":", 2);

    number_parse(parts[0], &a->bytes);
    a->data = g_malloc0(a->bytes);
    fill(parts[1], a->data, a->bytes);
    a->address = kernel_guest_put(&w->guest, a->data, a->bytes);
    return a->address;
}

static void set_value(KernelArgument *a, const void *from, uint64_t bytes)
{
    a->data = g_memdup2(from, bytes);
    a->bytes = bytes;
}

static bool add_argument(KernelWork *w, KernelArgument *a, const char *text)
{
    const char *value = strchr(text, ':') + 1;
    uint64_t integer = g_ascii_strtoull(value, NULL, 0);
    float real = g_ascii_strtod(value, NULL);

    switch (text[0]) {
    case 'b':
        return add_buffer(w, a, value);
    case 'l':
        a->bytes = integer;
        break;
    case 'i':
        set_value(a, &integer, 4);
        break;
    case 'u':
        set_value(a, &integer, 8);
        break;
    default:
        set_value(a, &real, 4);
        break;
    }
    return true;
}

static bool add_arguments(KernelWork *w)
{
    g_auto(GStrv) texts = g_strsplit(w->s->arguments, " ", 0);

    for (unsigned i = 0; texts[i]; i++) {
        KernelArgument *a = &w->argument[w->arguments++];

        if (!add_argument(w, a, texts[i])) {
            return false;
        }
        w->value[i] = (VeuKernelValue){
            .data = a->data,
            .bytes = a->bytes,
            .address = a->address,
        };
    }
    return true;
}

bool kernel_work_init(KernelWork *w, const KernelSuite *s, unsigned workers)
{
    *w = (KernelWork){ .s = s };
    return kernel_guest_init(&w->guest, workers, true) &&
           kernel_guest_set_pages(&w->guest, s->page_bytes) && add_arguments(w);
}

void kernel_work_free(KernelWork *w)
{
    kernel_work_unload(w);
    for (unsigned i = 0; i < w->arguments; i++) {
        g_free(w->argument[i].data);
    }
    kernel_guest_free(&w->guest);
}

/* --- Loading ------------------------------------------------------------- */

static bool open_zebin(KernelWork *w)
{
    g_autoptr(GBytes) file = kernel_work_file(w->s->kernel, "zebin");
    GError *error = NULL;
    size_t bytes;
    const uint8_t *data = g_bytes_get_data(file, &bytes);

    w->zebin = veu_zebin_new(data, bytes, &error);
    w->kernel = w->zebin ? veu_zebin_kernel(w->zebin, w->s->kernel, &error) :
                           NULL;
    return w->kernel || fail(w, error);
}

static bool place_sections(KernelWork *w)
{
    GArray *sections = veu_zebin_sections(w->zebin);
    GError *error = NULL;

    for (unsigned i = 0; i < sections->len; i++) {
        VeuKernelSection *s = &g_array_index(sections, VeuKernelSection, i);

        s->address = kernel_guest_put(&w->guest, NULL, s->bytes);
        if (!s->address) {
            return false;
        }
    }
    if (!veu_zebin_relocate(w->zebin, &error)) {
        return fail(w, error);
    }
    for (unsigned i = 0; i < sections->len; i++) {
        VeuKernelSection *s = &g_array_index(sections, VeuKernelSection, i);

        memcpy(bench_ram_at(&w->guest.ram, s->address), s->data, s->bytes);
    }
    return true;
}

static bool load_program(KernelWork *w)
{
    GError *error = NULL;

    w->program = veu_kernel_program(w->kernel, false, &error);
    return w->program ? kernel_guest_load(&w->guest, w->program,
                                          w->kernel->simd, HANDLE) :
                        fail(w, error);
}

static uint32_t groups_in_flight(const KernelWork *w, const VeuKernelLaunch *l)
{
    return veu_kernel_groups_in_flight(w->program, l->threads, l->slm_bytes,
                                       VEU_LIMIT_LAUNCH_BYTES);
}

static GArray *launches_with(KernelWork *w, uint64_t private_address)
{
    VeuKernelRange range = {
        .dimensions = 3,
        .values = w->value,
        .private_address = private_address,
    };
    GError *error = NULL;
    GArray *launches;

    memcpy(range.global, w->s->global, sizeof(range.global));
    memcpy(range.local, w->s->local, sizeof(range.local));
    launches = veu_kernel_launch(w->kernel, &range, &error);
    if (!launches) {
        fail(w, error);
    }
    return launches;
}

static uint32_t scratch_bytes(const KernelWork *w)
{
    return (w->kernel->scratch_bytes + SCRATCH_UNIT - 1) / SCRATCH_UNIT *
           SCRATCH_UNIT;
}

static void count_slots(KernelWork *w)
{
    w->slots = 0;
    for (unsigned i = 0; i < w->launches->len; i++) {
        const VeuKernelLaunch *l = &g_array_index(w->launches, VeuKernelLaunch,
                                                  i);

        w->slots = MAX(w->slots, groups_in_flight(w, l) * l->threads);
    }
}

/* The launches determine how many slots need memory, and then use it. */
static bool make_launches(KernelWork *w)
{
    uint64_t private_address;

    w->launches = launches_with(w, 0);
    if (!w->launches) {
        return false;
    }
    count_slots(w);
    w->scratch = kernel_guest_put(&w->guest, NULL,
                                  (uint64_t)w->slots * scratch_bytes(w));
    private_address = kernel_guest_put(
        &w->guest, NULL, (uint64_t)w->slots * w->kernel->private_bytes);
    g_array_unref(w->launches);
    w->launches = w->scratch && private_address ?
                      launches_with(w, private_address) :
                      NULL;
    return w->launches;
}

static bool make_command(KernelWork *w, const VeuKernelLaunch *l,
                         struct veu_command_kernel *command)
{
    KernelGuest *g = &w->guest;

    *command = (struct veu_command_kernel){
        .header = { .opcode = VEU_COMMAND_KERNEL, .slots = 3 },
        .program = HANDLE,
        .surface_table = kernel_guest_put(g, l->surfaces->data,
                                          l->surfaces->len *
                                              sizeof(struct veu_surface)),
        .surface_count = l->surfaces->len,
        .slm_bytes = l->slm_bytes,
        .cross_thread_address = kernel_guest_put(g, l->cross_thread->data,
                                                 l->cross_thread->len),
        .cross_thread_bytes = l->cross_thread->len,
        .local_id_address = kernel_guest_put(g, l->local_ids->data,
                                             l->local_ids->len),
        .local_id_bytes = l->local_id_bytes,
        .threads = l->threads,
        .last_exec_mask = l->last_exec_mask,
        .stateless_base = w->scratch,
        .stateless_bytes = (uint64_t)w->slots * scratch_bytes(w),
        .scratch_bytes = scratch_bytes(w),
        .groups_in_flight = groups_in_flight(w, l),
        .simd = w->kernel->simd,
    };
    memcpy(command->first_group, l->first_group, sizeof(l->first_group));
    memcpy(command->group_count, l->group_count, sizeof(l->group_count));
    return command->surface_table && command->cross_thread_address &&
           command->local_id_address;
}

bool kernel_work_load(KernelWork *w)
{
    if (!open_zebin(w) || !place_sections(w) || !load_program(w) ||
        !make_launches(w)) {
        return false;
    }
    for (unsigned i = 0; i < w->launches->len; i++) {
        if (!make_command(w, &g_array_index(w->launches, VeuKernelLaunch, i),
                          &w->command[i])) {
            return false;
        }
    }
    return true;
}

void kernel_work_unload(KernelWork *w)
{
    struct veu_command_unload unload = {
        .header = { .opcode = VEU_COMMAND_UNLOAD, .slots = 1 },
    };

    if (w->program) {
        kernel_guest_push(&w->guest, &unload, 1);
        kernel_guest_run(&w->guest, "unloading a program");
    }
    g_clear_pointer(&w->launches, g_array_unref);
    g_clear_pointer(&w->program, g_byte_array_unref);
    g_clear_pointer(&w->zebin, veu_zebin_free);
}

/* --- Running ------------------------------------------------------------- */

void kernel_work_fill(KernelWork *w)
{
    for (unsigned i = 0; i < w->arguments; i++) {
        KernelArgument *a = &w->argument[i];

        if (a->address) {
            memcpy(bench_ram_at(&w->guest.ram, a->address), a->data, a->bytes);
        }
    }
}

bool kernel_work_run(KernelWork *w, unsigned times)
{
    for (unsigned n = 1; n <= times; n++) {
        for (unsigned i = 0; i < w->launches->len; i++) {
            kernel_guest_push(&w->guest, &w->command[i], 3);
        }
        if ((n % TOGETHER == 0 || n == times) &&
            !kernel_guest_run(&w->guest, w->s->kernel)) {
            return false;
        }
    }
    return true;
}
