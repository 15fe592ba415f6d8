/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The picture: every pixel goes through SCATTER4_TYPED.
 *
 * An EU thread draws 32 pixels of a row, with one message of 8 lanes for each
 * quarter of its SIMD 32; its payload holds coordinates and colours. A dispatch
 * draws a band of rows, a group for each row. While the device draws one band,
 * the processor computes the next one.
 */
#include "checks.h"
#include "convert.h"
#include "fractal.h"
#include "lettering.h"

#define WIDTH         960
#define HEIGHT        600
#define PITCH         (WIDTH * 4)
#define GRF_BYTES     32
#define THREAD_PIXELS 32
#define LANES         8
#define QUARTERS      (THREAD_PIXELS / LANES)
#define THREADS       (WIDTH / THREAD_PIXELS)
#define BAND_ROWS     40
#define BANDS         (HEIGHT / BAND_ROWS)
#define SLOTS         16

/* Letters: units of lettering.h for a pixel, and their place. */
#define UNITS_PER_PIXEL 48
#define LETTERS_X       60
#define LETTERS_Y       (HEIGHT - 60 - LETTERS_HEIGHT / UNITS_PER_PIXEL)
#define STROKE          (9 * LETTER_UNIT)
#define GLOW            (34 * LETTER_UNIT)

_Static_assert(WIDTH % THREAD_PIXELS == 0 && HEIGHT % BAND_ROWS == 0,
               "threads and bands cover the picture");

/* An EU thread's registers, as the program below declares them. */
struct registers {
    uint32_t u[THREAD_PIXELS];
    uint32_t v[THREAD_PIXELS];
    uint32_t colour[QUARTERS][4][LANES];
};

struct payload {
    struct veu_payload_header header;
    struct registers registers;
};

struct band {
    struct payload *payloads; /* BAND_ROWS * THREADS */
    uint32_t done;            /* ring index after its dispatch */
};

struct drawing {
    struct bench *b;
    struct veu_ring ring;
    struct veu_command_dispatch dispatch;
    struct veu_surface *surface;
    uint8_t *texels;
    uint8_t *expected;
    struct band bands[2];
};

static struct colour mix(struct colour a, struct colour b, int of_b)
{
    int of_a = COLOUR_ONE - of_b;

    return (struct colour){
        .r = (a.r * of_a + b.r * of_b) / COLOUR_ONE,
        .g = (a.g * of_a + b.g * of_b) / COLOUR_ONE,
        .b = (a.b * of_a + b.b * of_b) / COLOUR_ONE,
    };
}

static int clamp(int value, int most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

/* Draws the letters over the background: a dark halo, then white strokes. */
static struct colour letter(int x, int y, struct colour behind)
{
    static const struct colour dark = { 600, 800, 2400 };
    struct colour ink = { COLOUR_ONE, COLOUR_ONE, COLOUR_ONE };
    int ux = (x - LETTERS_X) * UNITS_PER_PIXEL;
    int uy = (y - LETTERS_Y) * UNITS_PER_PIXEL;
    int distance, halo, cover;

    if (ux < -GLOW || ux > LETTERS_WIDTH + GLOW || uy < -GLOW ||
        uy > LETTERS_HEIGHT + GLOW) {
        return behind;
    }
    distance = letters_distance(ux, uy);
    halo = clamp(GLOW - distance, GLOW) * COLOUR_ONE / GLOW;
    behind = mix(behind, dark, halo * 4 / 5);
    /* an edge that is one pixel wide */
    cover = clamp(STROKE + UNITS_PER_PIXEL / 2 - distance, UNITS_PER_PIXEL);
    return mix(behind, ink, cover * COLOUR_ONE / UNITS_PER_PIXEL);
}

static struct colour pixel(int x, int y)
{
    return letter(x, y, fractal_colour(x, y, WIDTH, HEIGHT));
}

/*
 * Returns round(c * 255), ties to even, in integers: c has 15 bits, so it is
 * exact.
 */
static uint8_t texel_channel(uint32_t c)
{
    uint32_t scaled = c * 255, whole = scaled >> 15, rest = scaled & 0x7fff;

    return whole + (rest > 0x4000 || (rest == 0x4000 && (whole & 1)));
}

static void put_pixel(struct drawing *d, struct registers *r, unsigned i, int x,
                      int y)
{
    struct colour c = pixel(x, y);
    uint32_t channels[4] = { c.r, c.g, c.b, COLOUR_ONE };
    uint8_t *expected = d->expected + y * PITCH + x * 4;

    r->u[i] = x;
    r->v[i] = y;
    for (unsigned n = 0; n < 4; n++) {
        r->colour[i / LANES][n][i % LANES] = convert_float(channels[n], 15);
        expected[n] = texel_channel(channels[n]);
    }
}

static void fill_band(struct drawing *d, struct band *band, unsigned first_row)
{
    for (unsigned t = 0; t < BAND_ROWS * THREADS; t++) {
        struct payload *p = &band->payloads[t];
        unsigned y = first_row + t / THREADS;
        unsigned x = t % THREADS * THREAD_PIXELS;

        p->header.exec_mask = ~0u;
        for (unsigned i = 0; i < THREAD_PIXELS; i++) {
            put_pixel(d, &p->registers, i, x + i, y);
        }
    }
}

static uint32_t build_program(struct bench *b)
{
    struct veu_program p;
    uint32_t u, v, colour;

    veu_program_begin(&p, b->program, BENCH_PROGRAM_BYTES, GRF_BYTES);
    u = veu_program_variable(&p, VEU_TYPE_UD, THREAD_PIXELS);
    v = veu_program_variable(&p, VEU_TYPE_UD, THREAD_PIXELS);
    colour = veu_program_variable(&p, VEU_TYPE_F, THREAD_PIXELS * 4);
    for (unsigned q = 0; q < QUARTERS; q++) {
        struct veu_texels texels = {
            .u = { u, q * LANES * sizeof(uint32_t) },
            .v = { v, q * LANES * sizeof(uint32_t) },
        };
        struct veu_raw src = { colour, q * sizeof(uint32_t[4][LANES]) };

        veu_encode_scatter4_typed(&p.code, 0, VEU_CHANNEL_RGBA,
                                  veu_m(1 + 2 * q, LANES), T6, texels, src);
    }
    return p.register_bytes == sizeof(struct registers) ? veu_program_end(&p) :
                                                          0;
}

static bool start(struct drawing *d)
{
    struct bench *b = d->b;
    struct veu_ring_config config = {
        .slots = machine_alloc(SLOTS * VEU_SLOT_BYTES, 4096),
        .slot_count = SLOTS,
        .shared = machine_alloc(sizeof(struct veu_ring_shared), 64),
        .vector = VEU_NO_VECTOR,
    };
    struct veu_launch *launch = &d->dispatch.launch;

    d->texels = machine_alloc(HEIGHT * PITCH, 4096);
    d->expected = machine_alloc(HEIGHT * PITCH, 4096);
    d->surface = machine_alloc(sizeof(*d->surface), 64);
    *d->surface = veu_surface_2d(d->texels, VEU_FORMAT_R8G8B8A8_UNORM, WIDTH,
                                 HEIGHT, PITCH);
    for (unsigned i = 0; i < ARRAY_SIZE(d->bands); i++) {
        d->bands[i].payloads =
            machine_alloc(BAND_ROWS * THREADS * sizeof(struct payload), 64);
    }
    d->dispatch = veu_make_dispatch(0, b->program, build_program(b),
                                    THREAD_PIXELS);
    veu_launch_surfaces(launch, d->surface, 1);
    launch->threads = THREADS;
    launch->groups = BAND_ROWS;
    return veu_ring_start(&d->ring, &b->device, &config) == VEU_OK;
}

static enum veu_status draw(struct drawing *d)
{
    for (unsigned n = 0; n < BANDS; n++) {
        struct band *band = &d->bands[n % ARRAY_SIZE(d->bands)];
        enum veu_status status;

        /* its payloads belong to the device until its last dispatch is done */
        status = veu_ring_wait_head(&d->ring, band->done, BENCH_TIMEOUT_NS);
        if (status != VEU_OK) {
            return status;
        }
        fill_band(d, band, n * BAND_ROWS);
        veu_launch_payload(&d->dispatch.launch, band->payloads,
                           sizeof(struct payload));
        d->dispatch.header.tag = n;
        veu_ring_put(&d->ring, &d->dispatch.header);
        band->done = d->ring.tail;
        veu_ring_submit(&d->ring);
    }
    return veu_ring_wait(&d->ring, BENCH_TIMEOUT_NS);
}

/*
 * CRC-32 as in PNG and zlib, so that a user who copies the picture can compare
 * it.
 */
static uint32_t crc32(const uint8_t *bytes, uint32_t count)
{
    uint32_t crc = ~0u;

    for (uint32_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (unsigned bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
        }
    }
    return ~crc;
}

void picture(struct bench *b)
{
    struct drawing d = { .b = b };
    uint64_t begin = veu_time(&b->device);
    enum veu_status status;
    size_t wrong;

    report_section("picture");
    report_begin("%u x %u pixels drawn by scatter4_typed", WIDTH, HEIGHT);
    status = start(&d) ? draw(&d) : VEU_FAULTED;
    if (!report_result(status == VEU_OK, "%s, fault %s",
                       veu_status_text(status),
                       veu_fault_name(veu_ring_read32(
                           &d.ring, VEU_REG_RING_LAST_FAULT)))) {
        return;
    }
    report_info("messages",
                "%u by %u EU threads in %u dispatches, %lu ms "
                "with the processor's part",
                WIDTH * HEIGHT / LANES, BANDS * BAND_ROWS * THREADS, BANDS,
                (veu_time(&b->device) - begin) / 1000000);
    report_begin("all texels have the expected bytes");
    wrong = bench_difference(d.texels, d.expected, HEIGHT * PITCH);
    if (report_result(wrong == HEIGHT * PITCH, "byte %lu: 0x%02x, not 0x%02x",
                      wrong, d.texels[wrong], d.expected[wrong])) {
        machine_print("picture: %ux%u pitch %u at 0x%lx crc32 %08x\n", WIDTH,
                      HEIGHT, PITCH, veu_port_device_address(d.texels),
                      crc32(d.texels, HEIGHT * PITCH));
    }
}
