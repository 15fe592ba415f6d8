/*
 * veu tools: the sections that only programs of instructions have.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include "tools/visa/predefined.h"
#include "tools/visa/program_sections.h"
#include "veu/program.h"

GByteArray *visa_labels_section(const VisaLinked *linked)
{
    const GArray *labels = linked->routine->symbols[VISA_LABEL];
    GByteArray *out = g_byte_array_new();

    for (uint32_t i = 0; i < labels->len; i++) {
        struct veu_label label = {
            .offset = g_array_index(linked->labels, uint32_t, i),
            .kind = g_array_index(labels, VisaSymbol, i).label_kind ==
                            VISA_LABEL_SUBROUTINE ?
                        VEU_LABEL_SUBROUTINE :
                        VEU_LABEL_BLOCK,
        };

        g_byte_array_append(out, (uint8_t *)&label, sizeof(label));
    }
    return out;
}

GByteArray *visa_predefined_section(const VisaLayout *layout)
{
    GByteArray *out = g_byte_array_new();

    for (uint32_t id = 1; id < VEU_FIRST_VARIABLE; id++) {
        const VisaPredefined *p = visa_predefined(VISA_VARIABLE, id);
        struct veu_predefined entry = {
            .offset = layout->predefined_byte[id],
            .elements = p ? p->elements : 0,
            .type = p ? p->type : 0,
            .id = id,
        };

        if (p && layout->predefined[id]) {
            g_byte_array_append(out, (uint8_t *)&entry, sizeof(entry));
        }
    }
    return out;
}

GByteArray *visa_states_section(const VisaLinked *linked)
{
    static const struct {
        VisaKind kind;
        uint8_t state_kind;
    } kinds[] = {
        { VISA_SURFACE, VEU_STATE_SURFACE },
        { VISA_SAMPLER, VEU_STATE_SAMPLER },
    };
    GByteArray *out = g_byte_array_new();

    for (unsigned k = 0; k < G_N_ELEMENTS(kinds); k++) {
        for (uint32_t i = 0; i < linked->routine->symbols[kinds[k].kind]->len;
             i++) {
            struct veu_state state = { .value = i,
                                       .kind = kinds[k].state_kind };

            g_byte_array_append(out, (uint8_t *)&state, sizeof(state));
        }
    }
    return out;
}

GByteArray *visa_functions_section(const VisaLinked *linked)
{
    GByteArray *out = g_byte_array_new();

    for (uint32_t i = 0; i < linked->functions->len; i++) {
        struct veu_function function = {
            .offset = g_array_index(linked->functions, uint32_t, i),
        };

        g_byte_array_append(out, (uint8_t *)&function, sizeof(function));
    }
    return out;
}
