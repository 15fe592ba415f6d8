/* SPDX-License-Identifier: MIT */
/*
 * picture FILE: a picture of 256 x 256 pixels, each written by a lane of
 * scatter4_typed into an R8G8B8A8_UINT surface, as a PPM file.
 *
 * An EU thread draws 32 pixels of a row: four messages of 8 lanes. Eight
 * threads are a row, a group of the dispatch.
 */
#include <stdio.h>
#include <veu/client.h>
#include "veu_command.h"
#include "veu_surfaces.h"

#define SIDE          256
#define PITCH         (SIDE * 4)
#define THREAD_PIXELS 32
#define LANES         8
#define THREADS       (SIDE / THREAD_PIXELS)

/* The initial registers of a thread, in the order of the variables. */
struct payload {
    struct veu_payload_header header;
    uint32_t x[THREAD_PIXELS];
    uint32_t y[THREAD_PIXELS];
    /* The data of each message: red for all lanes, then green, blue, alpha. */
    uint32_t colour[THREAD_PIXELS / LANES][4][LANES];
};

/* Everything that the device accesses, in one buffer. */
struct memory {
    uint8_t texels[SIDE][SIDE][4];
    struct veu_surface surface;
    _Alignas(64) uint8_t program[1024];
    struct payload payloads[SIDE][THREADS];
};

static uint32_t make_program(uint8_t *memory)
{
    struct veu_program p;
    uint32_t x, y, colour;

    veu_program_begin(&p, memory, sizeof(((struct memory *)0)->program), 32);
    x = veu_program_variable(&p, VEU_TYPE_UD, THREAD_PIXELS);
    y = veu_program_variable(&p, VEU_TYPE_UD, THREAD_PIXELS);
    colour = veu_program_variable(&p, VEU_TYPE_UD, 4 * THREAD_PIXELS);
    for (unsigned q = 0; q < THREAD_PIXELS / LANES; q++) {
        struct veu_texels at = { .u = { x, q * 32 }, .v = { y, q * 32 } };

        veu_encode_scatter4_typed(&p.code, 0, VEU_CHANNEL_RGBA,
                                  veu_m(1 + 2 * q, LANES), VEU_FIRST_SURFACE,
                                  at, (struct veu_raw){ colour, q * 128 });
    }
    return veu_program_end(&p);
}

static void fill_payload(struct payload *p, uint32_t first_x, uint32_t y)
{
    p->header.exec_mask = ~0u;
    for (unsigned i = 0; i < THREAD_PIXELS; i++) {
        uint32_t x = first_x + i;
        uint32_t rgba[4] = { x, y, x ^ y, 255 };

        p->x[i] = x;
        p->y[i] = y;
        for (unsigned c = 0; c < 4; c++) {
            p->colour[i / LANES][c][i % LANES] = rgba[c];
        }
    }
}

static int draw(struct veu_client *client, struct memory *memory)
{
    uint32_t bytes = make_program(memory->program);
    struct veu_command_dispatch dispatch;

    memory->surface = veu_surface_2d(memory->texels, VEU_FORMAT_R8G8B8A8_UINT,
                                     SIDE, SIDE, PITCH);
    for (unsigned i = 0; i < SIDE * THREADS; i++) {
        fill_payload(&memory->payloads[i / THREADS][i % THREADS],
                     i % THREADS * THREAD_PIXELS, i / THREADS);
    }
    dispatch = veu_make_dispatch(1, memory->program, bytes, THREAD_PIXELS);
    dispatch.launch.threads = THREADS;
    dispatch.launch.groups = SIDE;
    veu_launch_surfaces(&dispatch.launch, &memory->surface, 1);
    veu_launch_payload(&dispatch.launch, memory->payloads,
                       sizeof(struct payload));
    return veu_client_run(client, &dispatch.header, 60 * VEU_CLIENT_SECOND);
}

static bool save(const char *path, const struct memory *memory)
{
    FILE *file = fopen(path, "wb");

    if (!file) {
        return false;
    }
    fprintf(file, "P6 %u %u 255\n", SIDE, SIDE);
    for (unsigned i = 0; i < SIDE * SIDE; i++) {
        fwrite(memory->texels[i / SIDE][i % SIDE], 3, 1, file);
    }
    bool good = !ferror(file);

    return fclose(file) == 0 && good;
}

int main(int argc, char **argv)
{
    struct veu_client_buffer buffer;
    struct veu_client *client;
    int error = veu_client_open(&client, NULL);

    if (!error) {
        error = veu_client_ring_create(client, NULL);
    }
    if (!error) {
        error = veu_client_buffer_create(client, sizeof(struct memory),
                                         &buffer);
    }
    if (!error) {
        error = draw(client, buffer.memory);
    }
    if (error) {
        puts(veu_client_error(error));
    } else if (argc == 2 && !save(argv[1], buffer.memory)) {
        perror(argv[1]);
        error = 1;
    }
    veu_client_close(client);
    return error != 0;
}
