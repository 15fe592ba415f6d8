/*
 * veu tools: the mnemonic that the user probably meant.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_TOOLS_VISA_SUGGEST_H
#define VEU_TOOLS_VISA_SUGGEST_H

/*
 * Returns the mnemonic, in lower case, with the fewest changed letters from
 * @name, or NULL if none is close: at most two changes, and fewer for short
 * names.
 */
const char *visa_suggest(const char *name);

#endif
