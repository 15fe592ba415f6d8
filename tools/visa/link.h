/*
 * veu tools: a kernel and the functions that it calls as one routine.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * A program has one table of variables, one of labels and so on. Functions have
 * tables of their own, which are put after the kernel's, and the ids in their
 * code are counted on. The functions follow the kernel in the code.
 */
#ifndef VEU_TOOLS_VISA_LINK_H
#define VEU_TOOLS_VISA_LINK_H

#include "tools/visa/object.h"

/* From this offset of the code on: a line of a source file. */
typedef struct VisaSourceLine {
    uint32_t offset;
    uint32_t line; /* 0: not known */
    uint32_t file; /* index in VisaLinked.files */
} VisaSourceLine;

typedef struct VisaLinked {
    VisaObject *object;   /* owns the routine */
    VisaRoutine *routine; /* its code names functions by their index */
    GArray *functions;    /* of uint32_t: their offsets in the code, by index */
    GArray *labels;       /* of uint32_t: their offsets in the code, by id */
    GArray *lines;        /* of VisaSourceLine, ascending: what .loc says */
    GPtrArray *files;     /* of char *: what .file says */
    bool predefined[32];  /* the variables that the code or an alias names */
} VisaLinked;

/*
 * Links @kernel with all functions of @object; false with an error, where an
 * instruction is one that programs do not have, or a function is not there.
 * faddr of a name in @addresses, of uint64_t by name, gives that address;
 * NULL: there are none.
 */
bool visa_link(VisaLinked *linked, const VisaObject *object,
               const VisaRoutine *kernel, GHashTable *addresses,
               VisaError *error);
void visa_linked_free(VisaLinked *linked);

#endif
