/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: words for faults.
 */
#include "veu_fault.h"

#include "veu/fault.h"

struct words {
    unsigned code;
    const char *name, *cause, *advice;
};

static const struct words *find(unsigned code)
{
    static const struct words table[] = { { VEU_FAULT_NONE, "none", "", "" },
#define FAULT_WORDS(name, code, effect, cause, advice) \
    { (code), #name, (cause), (advice) },
                                          VEU_FAULTS(FAULT_WORDS)
#undef FAULT_WORDS
    };
    static const struct words unknown = { 0, "unknown", "", "" };

    for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (table[i].code == code) {
            return &table[i];
        }
    }
    return &unknown;
}

const char *veu_fault_name(unsigned code)
{
    return find(code)->name;
}

const char *veu_fault_cause(unsigned code)
{
    return find(code)->cause;
}

const char *veu_fault_advice(unsigned code)
{
    return find(code)->advice;
}
