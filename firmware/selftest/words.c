/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One number in words of eight pages.
 */
#include "words.h"

#define PAGE 4096

static uint32_t *word_at(const struct words *w, unsigned n)
{
    return (uint32_t *)(w->pages + n * PAGE + WORD_AT);
}

uint32_t word_load(const struct words *w, unsigned n)
{
    return __atomic_load_n(word_at(w, n), __ATOMIC_RELAXED);
}

uint32_t words_lowest(const struct words *w)
{
    uint32_t lowest = ~0u;

    for (unsigned n = 0; n < WORDS; n++) {
        uint32_t value = word_load(w, n);

        lowest = value < lowest ? value : lowest;
    }
    return lowest;
}

/* The offsets of the words; words_put() adds their values. */
static void make_payloads(struct words *w, const struct veu_program *program,
                          uint32_t data)
{
    __builtin_memset(w->b->payload, 0, WORDS_DEEP * w->payload_bytes);
    for (unsigned i = 0; i < WORDS_DEEP; i++) {
        uint8_t *payload = w->b->payload + i * w->payload_bytes;
        struct veu_payload_header *header = (void *)payload;
        uint32_t *offsets = (uint32_t *)veu_payload_registers(header, program);

        header->exec_mask = 0xff;
        for (unsigned n = 0; n < WORDS; n++) {
            offsets[n] = n * PAGE + WORD_AT;
        }
    }
    w->registers = veu_payload_registers((void *)w->b->payload, program) +
                   veu_program_offset(program, data);
}

void words_init(struct words *w, struct bench *b)
{
    struct veu_program program;
    uint32_t offsets, data;

    w->b = b;
    w->pages = machine_alloc(WORDS * PAGE, PAGE);
    veu_program_begin(&program, b->program, BENCH_PROGRAM_BYTES, 32);
    offsets = veu_program_variable(&program, VEU_TYPE_UD, WORDS);
    data = veu_program_variable(&program, VEU_TYPE_UD, WORDS);
    veu_encode_scatter_scaled(&program.code, 0, WORD_BYTES, veu_m(1, WORDS), T6,
                              veu_ud(0), veu_v(offsets), veu_v(data));
    w->command = veu_make_dispatch(0, b->program, veu_program_end(&program), 8);
    w->payload_bytes = veu_payload_bytes(&program);
    make_payloads(w, &program, data);
    b->surfaces[0] = veu_surface_raw(w->pages, WORDS * PAGE);
    veu_launch_surfaces(&w->command.launch, b->surfaces, 1);
}

void words_put(struct words *w, uint32_t value)
{
    uint32_t at = value % WORDS_DEEP * w->payload_bytes;
    uint32_t *values = (uint32_t *)(w->registers + at);

    for (unsigned n = 0; n < WORDS; n++) {
        values[n] = value;
    }
    w->command.header.tag = value;
    veu_launch_payload(&w->command.launch, w->b->payload + at,
                       w->payload_bytes);
    bench_put(w->b, &w->command.header);
}
