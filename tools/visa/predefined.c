/*
 * veu tools: variables and surfaces that need no declaration.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * Names of variables: the documentation's page on the object format. Ids up to
 * 31 are reserved; those beyond the table have no name. Names of surfaces:
 * encoding.md, section 2; the documentation has them as T0, T5, T252, T255.
 */
#include "tools/visa/predefined.h"
#include "veu/program.h"

static const VisaPredefined variables[] = {
    { "%null", VEU_TYPE_UD, 1 },
    { "%thread_x", VEU_TYPE_UW, 1 },
    { "%thread_y", VEU_TYPE_UW, 1 },
    { "%group_id_x", VEU_TYPE_UD, 1 },
    { "%group_id_y", VEU_TYPE_UD, 1 },
    { "%group_id_z", VEU_TYPE_UD, 1 },
    { "%tsc", VEU_TYPE_UD, 5 },
    { "%r0", VEU_TYPE_UD, 8 },
    { "%arg", VEU_TYPE_UD, 256 },
    { "%retval", VEU_TYPE_UD, 96 },
    { "%sp", VEU_TYPE_UQ, 1 },
    { "%fp", VEU_TYPE_UQ, 1 },
    { "%hw_id", VEU_TYPE_UD, 1 },
    { "%sr0", VEU_TYPE_UD, 4 },
    { "%cr0", VEU_TYPE_UD, 1 },
    { "%ce0", VEU_TYPE_UD, 1 },
    { "%dbg0", VEU_TYPE_UD, 2 },
    { "%color", VEU_TYPE_UW, 1 },
    { "%impl_arg_buf_ptr", VEU_TYPE_UQ, 1 },
    { "%local_id_buf_ptr", VEU_TYPE_UQ, 1 },
    { "%msg0", VEU_TYPE_UD, 3 },
};

static const VisaPredefined surfaces[] = {
    { "%slm", 0, 0 }, { "T1", 0, 0 },   { "T2", 0, 0 },
    { "TSS", 0, 0 },  { "%bss", 0, 0 }, { "%scratch", 0, 0 },
};

uint32_t visa_predefined_count(VisaKind kind)
{
    return kind == VISA_VARIABLE ? G_N_ELEMENTS(variables) :
           kind == VISA_SURFACE  ? G_N_ELEMENTS(surfaces) :
                                   0;
}

const VisaPredefined *visa_predefined(VisaKind kind, uint32_t id)
{
    if (id >= visa_predefined_count(kind)) {
        return NULL;
    }
    return kind == VISA_VARIABLE ? &variables[id] : &surfaces[id];
}
