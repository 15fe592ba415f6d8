/*
 * libveu-kernel: lifetimes of variables and predicates.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VEU_KERNEL_LIFETIME_H
#define VEU_KERNEL_LIFETIME_H

#include "tools/visa/link.h"

/* A variable with its aliases, or a predicate. */
typedef struct KernelLife {
    /* Instruction numbers; first > last: it is not used. */
    uint32_t first;
    uint32_t last;
    uint32_t start;     /* the first access in code order */
    int32_t routine;    /* the only routine that names it, or KERNEL_SHARED */
    uint32_t size;      /* bytes, or bits */
    uint32_t align;     /* bytes */
    uint32_t fixed;     /* its fixed place, or KERNEL_NOWHERE */
    bool starts_whole;  /* the first access writes the whole variable */
    bool address_taken; /* it lives as long as its routine runs */
} KernelLife;

#define KERNEL_SHARED  (-1)
#define KERNEL_NOWHERE UINT32_MAX

/* The place of a variable in the one that it is a part of. */
typedef struct KernelPart {
    uint32_t root;       /* index of a variable; NOWHERE for a predefined one */
    uint32_t predefined; /* id of the predefined variable */
    uint32_t byte;
} KernelPart;

typedef struct KernelLives {
    KernelPart *parts;      /* of each variable */
    KernelLife *variables;  /* by index; those of parts are unused */
    KernelLife *predicates; /* by index */
    unsigned variable_count;
    unsigned predicate_count;
    /* Routines: the kernel is 0, followed by subroutines and functions. */
    unsigned routine_count;
    GArray *routine_starts; /* elements: uint32_t, their first instructions */
    GArray *calls;          /* of KernelCallEdge */
} KernelLives;

typedef struct KernelCallEdge {
    uint32_t caller;
    uint32_t callee;
} KernelCallEdge;

/*
 * Determines the lives of all variables of @linked. Inputs have fixed places
 * and live from the start. The caller frees @lives in any case.
 */
bool kernel_lives(KernelLives *lives, const VisaLinked *linked,
                  VisaError *error);
void kernel_lives_free(KernelLives *lives);

#endif
