/*
 * The five messages that this project began with, from user space. The expected
 * effects are computed here with the loops of the vendor's pages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "guest.h"
#include "veu_command.h"
#include "veu_encode_buffer.h"
#include "veu_port.h"
#include "veu_surfaces.h"

#define DATA_BYTES     4096
#define REGISTER_BYTES 1024
/* Offsets in the client's buffer, in bytes. */
#define SURFACE_AT     4096
#define PAYLOAD_AT     8192
#define RESULT_AT      12288

typedef struct Trial {
    Client client;
    struct veu_program program;
    uint8_t code[256];
    struct veu_surface surface;
    uint8_t *live; /* the data that the device accesses */
    /* The expected values of the data and the registers. */
    uint8_t data[DATA_BYTES];
    uint8_t before[REGISTER_BYTES];
    uint8_t after[REGISTER_BYTES];
} Trial;

static bool begin(Trial *t)
{
    memset(t, 0, sizeof(*t));
    if (open_client(&t->client)) {
        return false;
    }
    t->live = t->client.buffer.memory;
    for (unsigned i = 0; i < DATA_BYTES; i++) {
        t->live[i] = t->data[i] = i * 2654435761u >> 24;
    }
    for (unsigned i = 0; i < REGISTER_BYTES; i++) {
        t->before[i] = ~i;
    }
    veu_program_begin(&t->program, t->code, sizeof(t->code), 32);
    return true;
}

/* Declares a variable with these elements of 4 bytes. */
static uint32_t declare(Trial *t, enum veu_type type, const uint32_t *elements,
                        unsigned count)
{
    uint32_t id = veu_program_variable(&t->program, type, count);

    memcpy(t->before + veu_program_offset(&t->program, id), elements,
           count * 4);
    return id;
}

static uint32_t declare_output(Trial *t, enum veu_type type, unsigned count)
{
    return veu_program_variable(&t->program, type, count);
}

/* Returns the expected bytes of output @id. */
static uint8_t *expect(Trial *t, uint32_t id)
{
    memcpy(t->after, t->before, REGISTER_BYTES);
    return t->after + veu_program_offset(&t->program, id);
}

/* Runs the message with all registers in its payload and result. */
static bool execute(Trial *t, unsigned simd)
{
    uint8_t *payload = t->live + PAYLOAD_AT, *result = t->live + RESULT_AT;
    struct veu_surface *table = (void *)(t->live + SURFACE_AT);
    struct veu_command_message message;

    if (!veu_make_message(&message, 1, &t->program, simd)) {
        return false;
    }
    *table = t->surface;
    *(uint32_t *)payload = ~0u; /* all lanes run */
    memcpy(veu_payload_registers(payload, &t->program), t->before,
           t->program.register_bytes);
    veu_launch_surfaces(&message.launch, table, 1);
    veu_launch_payload(&message.launch, payload,
                       veu_payload_bytes(&t->program));
    veu_launch_result(&message.launch, result, 0, t->program.register_bytes);
    return !veu_client_run(t->client.veu, &message.header, TIMEOUT_NS);
}

/* Runs it, and compares all memory and all registers. */
static void finish(Trial *t, const char *name, unsigned simd)
{
    check(name, execute(t, simd) && !memcmp(t->live, t->data, DATA_BYTES) &&
                    !memcmp(t->live + RESULT_AT, t->after,
                            t->program.register_bytes));
    close_client(&t->client);
}

/* Elements of 2 bytes; lane 15 is past the surface, and reads 0. */
static void gather(Trial *t)
{
    uint32_t offsets[16], dst[16], global = 3, v, d;

    for (unsigned i = 0; i < 16; i++) {
        offsets[i] = i == 15 ? 497 : (i * 37 + 5) % 490;
        dst[i] = 0;
        if (i != 15) {
            memcpy(&dst[i], t->data + (global + offsets[i]) * 2, 2);
        }
    }
    t->surface = veu_surface_raw(t->live, 1000);
    v = declare(t, VEU_TYPE_UD, offsets, 16);
    d = declare_output(t, VEU_TYPE_UD, 16);
    memcpy(expect(t, d), dst, sizeof(dst));
    veu_encode_gather(&t->program.code, 2, veu_m(1, 16), VEU_FIRST_SURFACE,
                      veu_ud(global), veu_v(v), veu_v(d));
    finish(t, "gather.2: 16 lanes, one of them past the surface", 16);
}

/* Any byte address is legal. */
static void gather_scaled(Trial *t)
{
    uint32_t offsets[16], dst[16], global = 100, v, d;

    for (unsigned i = 0; i < 16; i++) {
        offsets[i] = i == 3 ? 898 : i * 53 % 890;
        dst[i] = 0;
        if (i != 3) {
            memcpy(&dst[i], t->data + global + offsets[i], 4);
        }
    }
    t->surface = veu_surface_raw(t->live, 1000);
    v = declare(t, VEU_TYPE_UD, offsets, 16);
    d = declare_output(t, VEU_TYPE_UD, 16);
    memcpy(expect(t, d), dst, sizeof(dst));
    veu_encode_gather_scaled(&t->program.code, 0, 4, veu_m(1, 16),
                             VEU_FIRST_SURFACE, veu_ud(global), veu_v(v),
                             veu_v(d));
    finish(t, "gather_scaled.4: 16 lanes, one of them past the surface", 16);
}

/* Stores the low 2 bytes of each lane; lane 7 is outside, and is dropped. */
static void scatter_scaled(Trial *t)
{
    uint32_t offsets[16], src[16], global = 10, v, s;

    for (unsigned i = 0; i < 16; i++) {
        offsets[i] = i == 7 ? 0x7ffffff0 : i * 61 % 900;
        src[i] = 0xabcd0000 + i * 1001;
        if (i != 7) {
            memcpy(t->data + global + offsets[i], &src[i], 2);
        }
    }
    t->surface = veu_surface_raw(t->live, 1000);
    v = declare(t, VEU_TYPE_UD, offsets, 16);
    s = declare(t, VEU_TYPE_UD, src, 16);
    expect(t, s);
    veu_encode_scatter_scaled(&t->program.code, 0, 2, veu_m(1, 16),
                              VEU_FIRST_SURFACE, veu_ud(global), veu_v(v),
                              veu_v(s));
    finish(t, "scatter_scaled.2: 16 lanes, one of them outside", 16);
}

/* 8 lanes each write one of 20 x 6 texels; lane 4 is outside. */
static void scatter4_typed(Trial *t)
{
    uint32_t u[8], v[8], src[4][8];
    struct veu_texels at = { 0 };
    uint32_t s;

    for (unsigned i = 0; i < 8; i++) {
        u[i] = i == 4 ? 20 : (i * 7 + 1) % 20;
        v[i] = i * 5 % 6;
        for (unsigned c = 0; c < 4; c++) {
            src[c][i] = c * 50 + i;
            if (i != 4) {
                t->data[v[i] * 96 + u[i] * 4 + c] = src[c][i];
            }
        }
    }
    t->surface = veu_surface_2d(t->live, VEU_FORMAT_R8G8B8A8_UINT, 20, 6, 96);
    at.u = veu_v(declare(t, VEU_TYPE_UD, u, 8));
    at.v = veu_v(declare(t, VEU_TYPE_UD, v, 8));
    s = declare(t, VEU_TYPE_UD, src[0], 32);
    expect(t, s);
    veu_encode_scatter4_typed(&t->program.code, 0, VEU_CHANNEL_RGBA,
                              veu_m(1, 8), VEU_FIRST_SURFACE, at, veu_v(s));
    finish(t, "scatter4_typed.RGBA: 8 lanes, one of them outside", 8);
}

/* Loads two blocks of 4 bytes from each lane's address. */
static void svm_gather(Trial *t)
{
    uint32_t dst[2][8], v, d;
    uint64_t addresses[8];

    for (unsigned i = 0; i < 8; i++) {
        uint32_t byte = i * 404 % 2000 * 2;

        addresses[i] = veu_port_device_address(t->live + byte);
        for (unsigned j = 0; j < 2; j++) {
            memcpy(&dst[j][i], t->data + byte + j * 4, 4);
        }
    }
    v = veu_program_variable(&t->program, VEU_TYPE_UQ, 8);
    memcpy(t->before + veu_program_offset(&t->program, v), addresses,
           sizeof(addresses));
    d = declare_output(t, VEU_TYPE_UD, 16);
    memcpy(expect(t, d), dst, sizeof(dst));
    t->surface = veu_surface_raw(t->live, 1);
    veu_encode_svm_gather(&t->program.code, 0, 4, 2, veu_m(1, 8), veu_v(v),
                          veu_v(d));
    finish(t, "svm_gather.4.2: 8 lanes", 8);
}

void check_messages(void)
{
    static void (*const messages[])(Trial * t) = {
        gather, gather_scaled, scatter_scaled, scatter4_typed, svm_gather,
    };
    Trial t;

    for (unsigned i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
        if (begin(&t)) {
            messages[i](&t);
        } else {
            check("a client for a message", false);
        }
    }
}
