/*
 * SPDX-License-Identifier: MIT
 *
 * Three compiled kernels: kernels/kernels.cl was compiled ahead to vISA text,
 * which veu-as turns into programs of instructions. Each runs by DISPATCH with
 * a payload that is laid out by hand: the registers with which an EU thread
 * starts, according to the `.input` lines of the text. README.md explains how
 * to compile.
 */
#include "veu_command.h"
#include "veu_guest.h"
#include "veu_image.h"
#include "veu_ring.h"
#include "veu_surfaces.h"
#include "kernels.h"
#include "machine.h"

#define SECOND_NS (1000ull * 1000 * 1000)

/* The programs that veu-as made from kernels/NAME.visaasm, and their sizes. */
extern const uint8_t mandelbrot_program[], modpow_program[],
    insertion_program[];
extern const uint32_t mandelbrot_program_bytes, modpow_program_bytes,
    insertion_program_bytes;

/* The first inputs of all kernels with @lanes lanes: r0, then local ids. */
#define INPUTS(lanes)                                            \
    struct {                                                     \
        uint32_t unused0;                                        \
        uint32_t group_x;                                        \
        uint32_t unused2[4];                                     \
        uint32_t group_y;                                        \
        uint32_t group_z;                                        \
        uint16_t local_x[lanes], local_y[lanes], local_z[lanes]; \
        uint32_t global_offset[3];                               \
        uint32_t local_size[3];                                  \
        uint32_t unused[2];                                      \
        uint64_t buffer_address; /* the kernels use a surface */ \
    }

/* A launch under construction: a group of one EU thread for each payload. */
struct work {
    struct veu_ring *ring;
    struct veu_image image;
    uint32_t groups;
    uint8_t *payloads;
};

static bool begin_work(struct work *w, struct veu_ring *ring,
                       const uint8_t *program, uint32_t bytes, uint32_t groups)
{
    *w = (struct work){ .ring = ring, .groups = groups };
    if (!veu_image_open(&w->image, program, bytes)) {
        return false;
    }
    w->payloads =
        machine_alloc((size_t)groups * veu_image_payload_bytes(&w->image), 64);
    return true;
}

/* The registers of group @group, whose lanes all run. */
static void *start_group(struct work *w, uint32_t group)
{
    uint8_t *payload = w->payloads +
                       (size_t)group * veu_image_payload_bytes(&w->image);

    ((struct veu_payload_header *)payload)->exec_mask = UINT32_MAX;
    return veu_image_registers(&w->image, payload);
}

/* Runs all groups; the kernel's buffer is @bytes at @memory. */
static enum veu_status run(struct work *w, unsigned simd, void *memory,
                           uint32_t bytes)
{
    struct veu_surface *surface = machine_alloc(sizeof(*surface), 64);
    struct veu_command_dispatch command =
        veu_make_dispatch(1, w->image.program, w->image.bytes, simd);

    *surface = veu_surface_raw(memory, bytes);
    command.launch.groups = w->groups;
    veu_launch_surfaces(&command.launch, surface, 1);
    veu_launch_payload(&command.launch, w->payloads,
                       veu_image_payload_bytes(&w->image));
    veu_ring_put(w->ring, &command.header);
    veu_ring_submit(w->ring);
    return veu_ring_wait(w->ring, 60 * SECOND_NS);
}

static bool report(const char *kernel, enum veu_status status, uint32_t wrong,
                   uint32_t count)
{
    if (status) {
        machine_print("%s: %s\n", kernel, veu_status_text(status));
        return false;
    }
    machine_print("%s: %u of %u results are those of C\n", kernel,
                  count - wrong, count);
    return wrong == 0;
}

/* ---- mandelbrot: 16 points of a row in each group ---- */

#define WIDTH  64
#define HEIGHT 28

struct mandelbrot_registers {
    INPUTS(16);
    uint32_t width;
    struct view view;
    uint32_t unused3;
    uint32_t enqueued_local_size[3];
};

static const struct view view = {
    .left = 0xc0000000, /* -2 */
    .top = 0xbf8c0000,  /* -1.09375 */
    .step = 0x3d2aaaab, /* 1 / 24, rounded */
    .limit = 200,
};

static void print_picture(const uint32_t *points)
{
    static const char shades[] = " .:-=+*%@#";

    for (unsigned y = 0; y < HEIGHT; y++) {
        for (unsigned x = 0; x < WIDTH; x++) {
            uint32_t n = points[y * WIDTH + x];

            machine_put_char(shades[n == view.limit ? 9 : n < 9 ? n : 8]);
        }
        machine_put_char('\n');
    }
}

static bool run_mandelbrot(struct veu_ring *ring)
{
    uint32_t *points = machine_alloc(WIDTH * HEIGHT * 4, 64);
    uint32_t wrong = 0;
    enum veu_status status;
    struct work w;

    if (!begin_work(&w, ring, mandelbrot_program, mandelbrot_program_bytes,
                    WIDTH / 16 * HEIGHT)) {
        return false;
    }
    for (uint32_t group = 0; group < w.groups; group++) {
        struct mandelbrot_registers *r = start_group(&w, group);

        r->group_x = group % (WIDTH / 16);
        r->group_y = group / (WIDTH / 16);
        for (unsigned lane = 0; lane < 16; lane++) {
            r->local_x[lane] = lane;
        }
        r->width = WIDTH;
        r->view = view;
        r->enqueued_local_size[0] = 16;
        r->enqueued_local_size[1] = 1;
    }
    status = run(&w, 16, points, WIDTH * HEIGHT * 4);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        wrong += points[i] != reference_mandelbrot(&view, i % WIDTH, i / WIDTH);
    }
    print_picture(points);
    return report("mandelbrot", status, wrong, WIDTH * HEIGHT);
}

/* ---- modpow and insertion: 32 work items in each group ---- */

struct modpow_registers {
    INPUTS(32);
    uint64_t exponent;
    uint64_t modulus;
    uint64_t unused3;
    uint32_t enqueued_local_size[3];
};

struct insertion_registers {
    INPUTS(32);
    uint32_t count;
    uint32_t buffer_offset;
    uint32_t enqueued_local_size[3];
};

/* Numbers that look random. */
static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 3;
}

#define NUMBERS  128
#define EXPONENT 65537
#define MODULUS  4294967291u /* the largest prime below 2^32 */

static bool run_modpow(struct veu_ring *ring)
{
    uint64_t *numbers = machine_alloc(NUMBERS * 8, 64);
    uint64_t given[NUMBERS];
    uint32_t state = 1, wrong = 0;
    enum veu_status status;
    struct work w;

    if (!begin_work(&w, ring, modpow_program, modpow_program_bytes,
                    NUMBERS / 32)) {
        return false;
    }
    for (unsigned i = 0; i < NUMBERS; i++) {
        given[i] = (uint64_t)next_random(&state) << 32 | next_random(&state);
        numbers[i] = given[i];
    }
    for (uint32_t group = 0; group < w.groups; group++) {
        struct modpow_registers *r = start_group(&w, group);

        r->group_x = group;
        for (unsigned lane = 0; lane < 32; lane++) {
            r->local_x[lane] = lane;
        }
        r->exponent = EXPONENT;
        r->modulus = MODULUS;
        r->enqueued_local_size[0] = 32;
    }
    status = run(&w, 32, numbers, NUMBERS * 8);
    for (unsigned i = 0; i < NUMBERS; i++) {
        wrong += numbers[i] != reference_modpow(given[i], EXPONENT, MODULUS);
    }
    return report("modpow", status, wrong, NUMBERS);
}

#define ROWS  64
#define COUNT 24

static bool run_insertion(struct veu_ring *ring)
{
    int32_t *numbers = machine_alloc(ROWS * COUNT * 4, 64);
    int32_t given[ROWS][COUNT];
    uint32_t state = 2, wrong = 0;
    enum veu_status status;
    struct work w;

    if (!begin_work(&w, ring, insertion_program, insertion_program_bytes,
                    ROWS / 32)) {
        return false;
    }
    for (unsigned i = 0; i < ROWS * COUNT; i++) {
        numbers[i] = (int32_t)(next_random(&state) % 2000) - 1000;
        given[i / COUNT][i % COUNT] = numbers[i];
    }
    for (uint32_t group = 0; group < w.groups; group++) {
        struct insertion_registers *r = start_group(&w, group);

        r->group_x = group;
        for (unsigned lane = 0; lane < 32; lane++) {
            r->local_x[lane] = lane;
        }
        r->count = COUNT;
        r->enqueued_local_size[0] = 32;
    }
    status = run(&w, 32, numbers, ROWS * COUNT * 4);
    for (unsigned row = 0; row < ROWS; row++) {
        reference_sort(given[row], COUNT);
        for (unsigned i = 0; i < COUNT; i++) {
            wrong += numbers[row * COUNT + i] != given[row][i];
        }
    }
    return report("insertion", status, wrong, ROWS * COUNT);
}

/* The place of an input in the text. */
#define INPUT_AT(kernel, field, offset)                                    \
    _Static_assert(offsetof(struct kernel##_registers, field) == (offset), \
                   "the place of an input")
INPUT_AT(mandelbrot, local_x, 32);
INPUT_AT(mandelbrot, global_offset, 128);
INPUT_AT(mandelbrot, width, 168);
INPUT_AT(mandelbrot, view, 172);
INPUT_AT(mandelbrot, enqueued_local_size, 192);
INPUT_AT(modpow, global_offset, 224);
INPUT_AT(modpow, exponent, 264);
INPUT_AT(modpow, modulus, 272);
INPUT_AT(modpow, enqueued_local_size, 288);
INPUT_AT(insertion, count, 264);
INPUT_AT(insertion, enqueued_local_size, 272);

/* Makes a ring of 64 slots for the device's ring 0. */
static enum veu_status start_ring(struct veu_ring *ring,
                                  struct veu_device *device)
{
    const struct veu_ring_config config = {
        .vector = VEU_NO_VECTOR,
        .slots = machine_alloc(64 * VEU_SLOT_BYTES, 64),
        .slot_count = 64,
        .shared = machine_alloc(sizeof(struct veu_ring_shared), 64),
    };

    return veu_ring_start(ring, device, &config);
}

int program_main(const char *command_line)
{
    struct veu_device device;
    struct veu_ring ring;
    enum veu_status status = veu_open(&device, &(struct veu_open_options){ 0 });
    bool good;

    (void)command_line;
    if (!status &&
        !(device.limits.program_kinds >> VEU_PROGRAM_INSTRUCTIONS & 1)) {
        machine_print("kernels: this device runs no instructions\n");
        return 1;
    }
    if (!status) {
        status = start_ring(&ring, &device);
    }
    if (status) {
        machine_print("kernels: %s\n", veu_status_text(status));
        return status;
    }
    good = run_mandelbrot(&ring);
    good &= run_modpow(&ring);
    good &= run_insertion(&ring);
    machine_print("kernels: %s\n", good ? "ok" : "wrong");
    return !good;
}
