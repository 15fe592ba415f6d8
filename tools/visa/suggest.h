/*
 * veu tools: the mnemonic that was meant.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_TOOLS_VISA_SUGGEST_H
#define VEU_TOOLS_VISA_SUGGEST_H

/*
 * The mnemonic that takes the fewest changes of letters to make of @name, in
 * small letters; NULL where none takes fewer than three, or as many as @name
 * has letters to spare.
 */
const char *visa_suggest(const char *name);

#endif
