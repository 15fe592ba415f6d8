/*
 * veu tools: alignments of variables.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <glib.h>
#include <string.h>
#include "tools/visa/align.h"

/* Indexed by code: the documentation's table; bytes, or registers. */
static const struct {
    const char *name;
    const char *old_name;
    uint8_t bytes;
    uint8_t grfs;
} alignments[] = {
    { "byte", NULL, 1, 0 },         { "word", NULL, 2, 0 },
    { "dword", NULL, 4, 0 },        { "qword", NULL, 8, 0 },
    { "oword", NULL, 16, 0 },       { "GRF", NULL, 0, 1 },
    { "GRFx2", "2GRF", 0, 2 },      { "hword", NULL, 32, 0 },
    { "wordx32", "32word", 64, 0 }, { "wordx64", "64word", 128, 0 },
};

const char *visa_align_name(unsigned code)
{
    return code < G_N_ELEMENTS(alignments) ? alignments[code].name : NULL;
}

static bool is(const char *name, size_t length, const char *other)
{
    return other && strlen(other) == length && !strncmp(name, other, length);
}

bool visa_align_by_name(const char *name, size_t length, uint8_t *code)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(alignments); i++) {
        if (is(name, length, alignments[i].name) ||
            is(name, length, alignments[i].old_name)) {
            *code = i;
            return true;
        }
    }
    return false;
}

bool visa_align_by_bytes(uint64_t bytes, uint8_t *code)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(alignments); i++) {
        if (alignments[i].bytes && alignments[i].bytes == bytes) {
            *code = i;
            return true;
        }
    }
    return false;
}

uint32_t visa_align_bytes(unsigned code, uint32_t grf_bytes)
{
    if (code >= G_N_ELEMENTS(alignments)) {
        return 1;
    }
    return alignments[code].bytes + alignments[code].grfs * grf_bytes;
}
