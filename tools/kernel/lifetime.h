/*
 * libveu-kernel: from where to where variables and predicates live.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VEU_KERNEL_LIFETIME_H
#define VEU_KERNEL_LIFETIME_H

#include "tools/visa/link.h"

/* A variable with its aliases, or a predicate. */
typedef struct KernelLife {
    /* Instructions, by number; first > last: it is not used. */
    uint32_t first;
    uint32_t last;
    uint32_t start;     /* the first access in the order of the code */
    int32_t routine;    /* the only one that names it, or KERNEL_SHARED */
    uint32_t size;      /* bytes, or bits */
    uint32_t align;     /* bytes */
    uint32_t fixed;     /* its place, or KERNEL_NOWHERE */
    bool starts_whole;  /* the first access writes all of it */
    bool address_taken; /* it lives as long as its routine runs */
} KernelLife;

#define KERNEL_SHARED  (-1)
#define KERNEL_NOWHERE UINT32_MAX

/* Where a variable is in the one that it is a part of. */
typedef struct KernelPart {
    uint32_t root;       /* index of a variable; of a predefined one: NOWHERE */
    uint32_t predefined; /* its id, where that is so */
    uint32_t byte;
} KernelPart;

typedef struct KernelLives {
    KernelPart *parts;      /* of each variable */
    KernelLife *variables;  /* by index; those that are parts are unused */
    KernelLife *predicates; /* by index */
    unsigned variable_count;
    unsigned predicate_count;
    /* Routines: the kernel is 0; subroutines and functions follow. */
    unsigned routine_count;
    GArray *routine_starts; /* of uint32_t: their first instruction */
    GArray *calls;          /* of KernelCallEdge */
} KernelLives;

typedef struct KernelCallEdge {
    uint32_t caller;
    uint32_t callee;
} KernelCallEdge;

/*
 * Finds the lives of all variables of @linked. Inputs are fixed and live from
 * the start. The caller frees @lives in any case.
 */
bool kernel_lives(KernelLives *lives, const VisaLinked *linked,
                  VisaError *error);
void kernel_lives_free(KernelLives *lives);

#endif
