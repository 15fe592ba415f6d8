/*
 * SPDX-License-Identifier: MIT
 *
 * An animation on the display of a veu-display: every pixel of every frame is
 * written by SCATTER4_TYPED.
 *
 * An EU thread draws 32 pixels of a row, with a message of 16 lanes for each
 * half of its SIMD 32; a dispatch draws a frame, a group for each row.
 * Everything that a frame needs exists twice: while the device draws one frame
 * and copies it to the display, the processor computes the next.
 */
#include "plasma.h"
#include "veu_command.h"
#include "veu_guest.h"
#include "veu_ring.h"
#include "veu_scanout.h"
#include "veu_surfaces.h"
#include "machine.h"

#define FRAMES        PLASMA_FRAMES
#define WIDTH         PLASMA_WIDTH
#define HEIGHT        PLASMA_HEIGHT
#define PITCH         (WIDTH * 4)
#define SLOTS         64
#define THREAD_PIXELS 32
#define LANES         16
#define HALVES        (THREAD_PIXELS / LANES)
#define THREADS       (WIDTH / THREAD_PIXELS)
#define TIMEOUT_NS    (20ull * 1000 * 1000 * 1000)

/* An EU thread's registers, as the program declares them. */
struct registers {
    uint32_t u[THREAD_PIXELS];
    uint32_t v[THREAD_PIXELS];
    uint32_t colour[HALVES][4][LANES];
};

struct payload {
    struct veu_payload_header header;
    struct registers registers;
};

struct frame {
    struct payload *payloads; /* HEIGHT * THREADS */
    struct veu_surface *surface;
    struct veu_command_dispatch dispatch;
};

struct animation {
    struct veu_device device;
    struct veu_ring ring;
    struct veu_scanout scanout;
    struct frame frames[2];
    uint32_t floats[PLASMA_ONE + 1]; /* n / PLASMA_ONE, as a float's bits */
};

/* n / 256: a power of two, so the leading 1 determines the exponent. */
static uint32_t fraction(uint32_t n)
{
    unsigned bit = 31 - (n ? __builtin_clz(n) : 31);

    return n ? (127 - 8 + bit) << 23 | ((n << (23 - bit)) & 0x7fffff) : 0;
}

static void fill_thread(struct animation *a, struct payload *payload,
                        uint16_t (*pixels)[3])
{
    for (unsigned i = 0; i < THREAD_PIXELS; i++) {
        uint32_t(*colour)[LANES] = payload->registers.colour[i / LANES];

        for (unsigned channel = 0; channel < 3; channel++) {
            colour[channel][i % LANES] = a->floats[pixels[i][channel]];
        }
    }
}

static void fill(struct animation *a, struct frame *frame, unsigned number)
{
    static uint16_t pixels[WIDTH][3];

    plasma_begin(number);
    for (unsigned y = 0; y < HEIGHT; y++) {
        plasma_row(y, pixels);
        for (unsigned t = 0; t < THREADS; t++) {
            fill_thread(a, &frame->payloads[y * THREADS + t],
                        &pixels[t * THREAD_PIXELS]);
        }
    }
}

/* Prepares what is the same in all frames: coordinates, alpha, all lanes on. */
static void prepare_payloads(struct payload *payloads, uint32_t one)
{
    for (unsigned n = 0; n < HEIGHT * THREADS; n++) {
        struct registers *r = &payloads[n].registers;

        payloads[n].header.exec_mask = UINT32_MAX;
        for (unsigned i = 0; i < THREAD_PIXELS; i++) {
            r->u[i] = n % THREADS * THREAD_PIXELS + i;
            r->v[i] = n / THREADS;
            r->colour[i / LANES][3][i % LANES] = one;
        }
    }
}

static uint32_t build_program(uint8_t *memory, uint32_t bytes)
{
    struct veu_program p;
    uint32_t u, v, colour;

    veu_program_begin(&p, memory, bytes, 32);
    u = veu_program_variable(&p, VEU_TYPE_UD, THREAD_PIXELS);
    v = veu_program_variable(&p, VEU_TYPE_UD, THREAD_PIXELS);
    colour = veu_program_variable(&p, VEU_TYPE_F, THREAD_PIXELS * 4);
    for (unsigned half = 0; half < HALVES; half++) {
        struct veu_texels texels = {
            .u = { u, half * LANES * sizeof(uint32_t) },
            .v = { v, half * LANES * sizeof(uint32_t) },
        };
        struct veu_raw data = { colour, half * sizeof(uint32_t[4][LANES]) };

        veu_encode_scatter4_typed(&p.code, 0, VEU_CHANNEL_RGBA,
                                  veu_m(1 + 4 * half, LANES), VEU_FIRST_SURFACE,
                                  texels, data);
    }
    return veu_program_end(&p);
}

static void prepare(struct animation *a)
{
    static uint8_t program[1024] __attribute__((aligned(64)));
    uint32_t bytes = build_program(program, sizeof(program));

    for (unsigned n = 0; n <= PLASMA_ONE; n++) {
        a->floats[n] = fraction(n);
    }
    for (unsigned i = 0; i < 2; i++) {
        struct frame *f = &a->frames[i];
        struct veu_launch *launch = &f->dispatch.launch;

        f->payloads = machine_alloc(HEIGHT * THREADS * sizeof(struct payload),
                                    64);
        prepare_payloads(f->payloads, a->floats[PLASMA_ONE]);
        f->surface = machine_alloc(sizeof(*f->surface), 64);
        *f->surface = veu_surface_2d(machine_alloc(HEIGHT * PITCH, 4096),
                                     VEU_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT,
                                     PITCH);
        f->dispatch = veu_make_dispatch(i, program, bytes, THREAD_PIXELS);
        veu_launch_surfaces(launch, f->surface, 1);
        veu_launch_payload(launch, f->payloads, sizeof(struct payload));
        launch->threads = THREADS;
        launch->groups = HEIGHT;
    }
}

static enum veu_status start(struct animation *a)
{
    const struct veu_ring_config config = {
        .vector = VEU_NO_VECTOR,
        .slots = machine_alloc(SLOTS * VEU_SLOT_BYTES, 64),
        .slot_count = SLOTS,
        .shared = machine_alloc(sizeof(struct veu_ring_shared), 64),
    };
    enum veu_status status = veu_open(&a->device,
                                      &(struct veu_open_options){ 0 });

    if (!status) {
        status = veu_scanout_start(&a->scanout, &a->device, 0, VEU_NO_VECTOR);
    }
    if (!status) {
        status = veu_ring_start(&a->ring, &a->device, &config);
    }
    return status;
}

/*
 * Shows the previous frame once it is drawn. Its flip may still be under way
 * afterwards.
 */
static enum veu_status show(struct animation *a, struct frame *frame)
{
    enum veu_status status = veu_ring_wait(&a->ring, TIMEOUT_NS);

    if (!status) {
        status = veu_scanout_wait(&a->scanout, TIMEOUT_NS);
    }
    if (!status) {
        veu_scanout_flip(&a->scanout, frame->surface);
    }
    return status;
}

static enum veu_status play(struct animation *a, unsigned frames)
{
    enum veu_status status = VEU_OK;

    for (unsigned n = 0; n <= frames && !status; n++) {
        struct frame *frame = &a->frames[n % 2];

        if (n < frames) {
            fill(a, frame, n);
        }
        if (n > 0) {
            status = show(a, &a->frames[(n - 1) % 2]);
        }
        if (n < frames && !status) {
            veu_ring_put(&a->ring, &frame->dispatch.header);
            veu_ring_submit(&a->ring);
        }
    }
    return status ? status : veu_scanout_wait(&a->scanout, TIMEOUT_NS);
}

/* "... loop": repeats the animation for about a year, for viewers. */
static bool is_loop(const char *command_line)
{
    static const char word[] = " loop";
    unsigned at = 0;

    for (; *command_line && at + 1 < sizeof(word); command_line++) {
        at = *command_line == word[at] ? at + 1 : *command_line == word[0];
    }
    return at + 1 == sizeof(word);
}

int program_main(const char *command_line)
{
    static struct animation a;
    enum veu_status status = start(&a);
    uint64_t begin, ms;

    if (!status) {
        prepare(&a);
        begin = veu_time(&a.device);
        status = play(&a, is_loop(command_line) ? UINT32_MAX - 1 : FRAMES);
        ms = (veu_time(&a.device) - begin) / 1000000 + 1;
        machine_print("animation: %u frames of %u x %u pixels in %lu ms: %lu a "
                      "second\n",
                      FRAMES, WIDTH, HEIGHT, ms, FRAMES * 1000 / ms);
    }
    machine_print("animation: %s\n", veu_status_text(status));
    /* The last frame stays on the display. */
    while (!status) {
        machine_wait();
    }
    return status;
}
