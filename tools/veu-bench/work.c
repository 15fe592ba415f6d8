/*
 * veu-bench: guest memory of a case.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * There are payloads for several dispatches, so that together they cover the
 * whole footprint and no branch predictor learns them.
 */
#include <string.h>
#include "tools/veu-bench/bench.h"

#define LINE_BYTES   64
#define MAX_SETS     64
/* In all sets together. */
#define MIN_MESSAGES 4096
/* An offset or a coordinate that is out of bounds of every surface. */
#define OUTSIDE      0x3fffff00

#define HEADER_BYTES sizeof(struct veu_payload_header)

static bool is_typed(const BenchWork *w)
{
    return w->c->kind->operands == BENCH_TEXELS ||
           w->c->kind->operands == BENCH_CORNER;
}

static uint32_t operand_bytes(const BenchCase *c)
{
    static const uint32_t of_lane[] = {
        [BENCH_OFFSETS] = 4, [BENCH_ADDRESSES] = 8, [BENCH_TEXELS] = 8,
        [BENCH_OFFSET] = 4,  [BENCH_ADDRESS] = 8,   [BENCH_CORNER] = 8,
    };

    return of_lane[c->kind->operands] * c->lanes;
}

static unsigned count_sets(const BenchWork *w)
{
    uint64_t lines = (uint64_t)bench_message_count(w->c) * w->c->lanes;

    unsigned least = CLAMP(MIN_MESSAGES / bench_message_count(w->c), 1, 64);

    return CLAMP(w->c->footprint / LINE_BYTES / lines, least, MAX_SETS);
}

static uint32_t payload_count(const BenchCase *c)
{
    return c->one_payload ? 1 : c->threads;
}

static void measure_payload(BenchWork *w)
{
    const BenchCase *c = w->c;

    w->operand_bytes = operand_bytes(c);
    w->data_bytes = c->kind->data_bytes * c->lanes;
    w->operands_bytes = (w->operand_bytes * c->messages + 31) & ~31u;
    w->payload_bytes = HEADER_BYTES + w->operands_bytes +
                       (c->kind->takes ? w->data_bytes : 0);
    w->payload_stride = (w->payload_bytes + LINE_BYTES - 1) & -LINE_BYTES;
    w->set_bytes = w->payload_stride * payload_count(c);
    if (c->one_payload) {
        w->payload_stride = 0;
    }
    w->sets = count_sets(w);
}

/* --- Accesses ------------------------------------------------------------ */

/* A typed surface is as close to square as possible. */
static void measure_surface(BenchWork *w)
{
    unsigned texel_bytes = w->c->kind->operands == BENCH_CORNER ? 1 : 4;
    uint64_t texels = w->c->footprint / texel_bytes;

    w->height = 1;
    while ((uint64_t)w->height * w->height * 4 <= texels) {
        w->height *= 2;
    }
    w->width = texels / w->height;
    w->surface.height = w->height;
    w->surface.width = w->width;
    w->surface.pitch = w->width * texel_bytes;
}

static void make_surface(BenchWork *w)
{
    bool typed = is_typed(w);

    w->surface = (struct veu_surface){
        .base = w->memory,
        .format = typed ? w->c->kind->format : VEU_FORMAT_RAW,
        .type = typed ? VEU_SURFACE_2D : VEU_SURFACE_BUFFER,
        .width = w->memory_bytes,
        .levels = typed,
    };
    if (typed) {
        measure_surface(w);
    }
}

static uint64_t memory_bytes(const BenchCase *c)
{
    return c->spread ? c->footprint / BENCH_PAGE_BYTES * c->spread :
                       c->footprint;
}

/* --- Operands ------------------------------------------------------------ */

/* A generator that is fast and good enough: xorshift64*. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717) >> 16;
}

/* Which of the @places lane @lane of message @message accesses. */
static uint64_t pick_place(const BenchWork *w, uint64_t message, unsigned lane,
                           uint64_t places, uint64_t *random)
{
    uint64_t set_messages = bench_message_count(w->c);
    uint64_t apart = places / w->sets;

    if (w->c->pattern != BENCH_CONSECUTIVE) {
        return next_random(random) % places;
    }
    /* Sets begin at places that are as far apart as possible. */
    return (message / set_messages * apart +
            message % set_messages * w->c->lanes + lane) %
           places;
}

static bool is_outside(const BenchWork *w, uint64_t *random)
{
    return w->c->pattern == BENCH_OUTSIDE && next_random(random) % 4 == 0;
}

/* Pages have the distance that the case gives. */
static uint64_t place_byte(const BenchWork *w, uint64_t place)
{
    uint64_t byte = place * w->c->kind->access_bytes;

    if (!w->c->spread) {
        return byte;
    }
    return byte / BENCH_PAGE_BYTES * w->c->spread + byte % BENCH_PAGE_BYTES;
}

static void put_linear(const BenchWork *w, uint8_t *operands, unsigned lane,
                       uint64_t place, bool outside)
{
    uint64_t byte = place_byte(w, place);
    uint64_t address = w->memory + byte;
    uint32_t offset = outside ? OUTSIDE : byte / w->c->kind->unit_bytes;

    if (w->c->kind->operands == BENCH_ADDRESSES ||
        w->c->kind->operands == BENCH_ADDRESS) {
        memcpy(operands + lane * 8, &address, 8);
    } else {
        memcpy(operands + lane * 4, &offset, 4);
    }
}

/* Lanes outside are beyond one side or the other. */
static void put_texel(const BenchWork *w, uint8_t *operands, unsigned lane,
                      uint64_t place, bool outside)
{
    uint32_t columns = w->width;
    uint32_t x_scale = 1;
    uint32_t y_scale = 1;
    uint32_t x;
    uint32_t y;

    if (w->c->kind->operands == BENCH_CORNER) {
        columns /= 32;
        x_scale = 32;
        y_scale = 8;
    }
    x = place % columns * x_scale;
    y = place / columns * y_scale;
    if (outside) {
        *(place % 2 ? &x : &y) = OUTSIDE;
    }
    memcpy(operands + lane * 4, &x, 4);
    memcpy(operands + (w->c->lanes + lane) * 4, &y, 4);
}

static void put_operands(const BenchWork *w, uint8_t *operands,
                         uint64_t message, uint64_t *random)
{
    uint64_t places = w->c->footprint / w->c->kind->access_bytes;

    for (unsigned lane = 0; lane < w->c->lanes; lane++) {
        uint64_t place = pick_place(w, message, lane, places, random);
        bool outside = is_outside(w, random);

        if (is_typed(w)) {
            put_texel(w, operands, lane, place, outside);
        } else {
            put_linear(w, operands, lane, place, outside);
        }
    }
}

/* Numbers, or floats from -0.5 to 1.5. */
static void put_data(const BenchWork *w, uint8_t *data, uint64_t *random)
{
    for (uint32_t i = 0; i < w->data_bytes; i += 4) {
        uint32_t number = next_random(random);
        float value = number / 2147483648.0f - 0.5f;

        memcpy(data + i, w->c->kind->is_float ? (void *)&value : &number, 4);
    }
}

static void put_payload(const BenchWork *w, uint8_t *payload, uint64_t message,
                        uint64_t *random)
{
    struct veu_payload_header header = { .exec_mask = UINT32_MAX };

    memcpy(payload, &header, sizeof(header));
    payload += sizeof(header);
    for (uint32_t i = 0; i < w->c->messages; i++) {
        put_operands(w, payload + i * w->operand_bytes, message + i, random);
    }
    if (w->c->kind->takes) {
        put_data(w, payload + w->operands_bytes, random);
    }
}

static void put_payloads(const BenchWork *w, const BenchRam *ram)
{
    uint64_t random = 88172645463325252;

    uint32_t count = payload_count(w->c);
    uint32_t bytes = w->set_bytes / count;

    for (uint64_t i = 0; i < (uint64_t)w->sets * count; i++) {
        put_payload(w, bench_ram_at(ram, w->payloads + i * bytes),
                    i * w->c->messages, &random);
    }
}

/* --- Memory -------------------------------------------------------------- */

/* Arbitrary bytes: zeroes that were never written would all share one page. */
void bench_work_fill(const BenchWork *w, const BenchRam *ram)
{
    uint64_t pages = w->c->footprint / BENCH_PAGE_BYTES;
    uint64_t apart = w->c->spread ? w->c->spread : BENCH_PAGE_BYTES;

    for (uint64_t page = 0; page < pages; page++) {
        memset(bench_ram_at(ram, w->memory + page * apart), page + 1,
               BENCH_PAGE_BYTES);
    }
}

static bool take_memory(BenchWork *w, BenchRam *ram)
{
    uint32_t results = w->data_bytes * w->c->threads;

    w->payloads = bench_ram_take(ram, (uint64_t)w->sets * w->set_bytes,
                                 BENCH_PAGE_BYTES);
    w->results = bench_ram_take(ram, results, BENCH_PAGE_BYTES);
    w->surface_table = bench_ram_take(
        ram, w->c->surfaces * sizeof(struct veu_surface), BENCH_PAGE_BYTES);
    w->memory_bytes = memory_bytes(w->c);
    w->memory = bench_ram_take(ram, w->memory_bytes,
                               MAX(w->c->page_bytes, BENCH_PAGE_BYTES));
    return w->payloads && w->results && w->surface_table && w->memory;
}

static bool put_program(BenchWork *w, BenchRam *ram)
{
    GByteArray *program = bench_program(w, w->c->messages);

    if (!program) {
        return false;
    }
    w->code = bench_program_code(program);
    w->program_bytes = program->len;
    w->program = bench_ram_take(ram, program->len, BENCH_PAGE_BYTES);
    if (w->program) {
        memcpy(bench_ram_at(ram, w->program), program->data, program->len);
    }
    g_byte_array_unref(program);
    return w->program;
}

/* All entries of the table are legal; messages use the first. */
static void put_surfaces(const BenchWork *w, const BenchRam *ram)
{
    struct veu_surface *table = bench_ram_at(ram, w->surface_table);

    for (uint32_t i = 0; i < w->c->surfaces; i++) {
        table[i] = w->surface;
    }
}

bool bench_work_init(BenchWork *w, const BenchCase *c, BenchRam *ram)
{
    *w = (BenchWork){ .c = c };
    measure_payload(w);
    if (!take_memory(w, ram) || !put_program(w, ram)) {
        return false;
    }
    make_surface(w);
    if (c->page_bytes) {
        bench_partners_make(w);
    }
    put_surfaces(w, ram);
    put_payloads(w, ram);
    bench_work_fill(w, ram);
    return true;
}

void bench_work_free(BenchWork *w)
{
    if (w->code) {
        g_byte_array_unref(w->code);
    }
    g_free(w->partners);
}
