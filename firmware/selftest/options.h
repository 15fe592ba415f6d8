/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The self-test's command line.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/** What to run; without a request, everything except the long sleep stress. */
struct options {
    bool checks;         /**< checks: identity, messages, faults, order */
    bool speed;          /**< speed: messages per second */
    bool picture;        /**< picture: draw it */
    uint32_t stress;     /**< stress=N: bursts of the sleep stress */
    uint64_t seed;       /**< seed=N: of all random numbers */
    bool crash;          /**< crash: an illegal instruction, at once */
    bool strict;         /**< strict: the device has strict-types=on */
    uint32_t vendor_id;  /**< vendor-id=0xNNNN; 0: the default */
    uint32_t device_id;  /**< device-id=0xNNNN; 0: the default */
    const char *unknown; /**< the first word that is not an option */
};

struct options options_parse(const char *command_line);

#endif /* OPTIONS_H */
