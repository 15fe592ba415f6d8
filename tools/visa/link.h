/*
 * veu tools: linking a kernel and the functions that it calls to one routine.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * A program has one table of variables, one of labels and so on. Functions have
 * their own tables, which are appended to the kernel's, and the ids in their
 * code are increased accordingly. The functions follow the kernel in the code.
 */
#ifndef VEU_TOOLS_VISA_LINK_H
#define VEU_TOOLS_VISA_LINK_H

#include "tools/visa/object.h"

/* The code from this offset on belongs to this line of a source file. */
typedef struct VisaSourceLine {
    uint32_t offset;
    uint32_t line; /* 0: not known */
    uint32_t file; /* index in VisaLinked.files */
} VisaSourceLine;

typedef struct VisaLinked {
    VisaObject *object;   /* owns the routine */
    VisaRoutine *routine; /* its code refers to functions by their index */
    /* elements: uint32_t, their offsets in the code, by index */
    GArray *functions;
    GArray *labels;   /* elements: uint32_t, their offsets in the code, by id */
    GArray *lines;    /* elements: VisaSourceLine, ascending, from .loc */
    GPtrArray *files; /* elements: char *, from .file */
    /* the predefined variables that code or aliases name */
    bool predefined[32];
} VisaLinked;

/*
 * Links @kernel with all functions of @object. Returns false with an error if
 * programs cannot have one of the instructions, or if a function is missing.
 * faddr of a name in @addresses, uint64_t by name, gives that address; NULL:
 * there are none.
 */
bool visa_link(VisaLinked *linked, const VisaObject *object,
               const VisaRoutine *kernel, GHashTable *addresses,
               VisaError *error);
void visa_linked_free(VisaLinked *linked);

#endif
