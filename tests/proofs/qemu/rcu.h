/* veu proofs: see qemu/osdep.h. SPDX-License-Identifier: GPL-2.0-or-later */
#include "qemu/osdep.h"
