/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Checks that the process that loaded the plugin is the QEMU that it was built
 * for.
 */
#ifndef PLUGIN_ABI_CHECK_H
#define PLUGIN_ABI_CHECK_H

#include <stdbool.h>
#include <stddef.h>

typedef struct VeuTypeSize {
    const char *type;
    size_t bytes;
} VeuTypeSize;

typedef struct VeuBuiltFor {
    const char *version;
    const char *package;      /* as "qemu --version" prints it, or "" */
    const char *rebuild;      /* the command that rebuilds a package, or "" */
    const VeuTypeSize *sizes; /* ends with a NULL type */
} VeuBuiltFor;

extern const VeuBuiltFor veu_built_for;

/* A preloaded plugin is also loaded into QEMU's children. */
bool veu_abi_in_qemu(void);

/*
 * Compare, and report a difference in one sentence on stderr. The version can
 * be compared at any time, the sizes once QEMU's types are known.
 */
bool veu_abi_version_matches(void);
bool veu_abi_sizes_match(void);

#endif /* PLUGIN_ABI_CHECK_H */
