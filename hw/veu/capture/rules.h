/*
 * veu captures: rules, which select the launches to capture.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/capture.md, "Rules". A launch is captured if one of the rules selects
 * it. Part of a rule can be decided when a launch begins, the rest only after
 * it has ended. Until then, every launch that a rule may select is recorded.
 */
#ifndef VEU_CAPTURE_RULES_H
#define VEU_CAPTURE_RULES_H

#include "hw/veu/capture/capture.h"

#define VEU_CAPTURE_MAX_RULES 16

typedef struct VeuCaptureRange {
    uint64_t first;
    uint64_t last;
} VeuCaptureRange;

typedef struct VeuCaptureRule {
    VeuCaptureRange launch; /* VeuCaptureLaunch.number */
    VeuCaptureRange ring;
    VeuCaptureRange tag;
    bool faults;     /* it had a fault that the next two members describe */
    uint16_t fault;  /* enum veu_fault_code, or 0: any */
    bool has_offset; /* the fault was at this offset of the code */
    uint32_t offset;
    char *kernel;  /* VeuCaptureLaunch.kernel, or NULL: any */
    bool has_hash; /* the program has this veu_capture_hash() */
    uint64_t hash;
} VeuCaptureRule;

typedef struct VeuCaptureRules {
    VeuCaptureRule rule[VEU_CAPTURE_MAX_RULES];
    unsigned count;
} VeuCaptureRules;

/* Returns NULL with an error for the user. */
VeuCaptureRules *veu_capture_rules_new(const char *text, GError **error);
void veu_capture_rules_free(VeuCaptureRules *rules);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(VeuCaptureRules, veu_capture_rules_free)

/* Returns true if one of the rules asks for the hash of a program. */
bool veu_capture_rules_need_hash(const VeuCaptureRules *rules);

/*
 * Returns true if a launch that begins may be selected. @hash is that of its
 * program; NULL: it is not known yet.
 */
bool veu_capture_rules_may(const VeuCaptureRules *rules,
                           const VeuCaptureLaunch *launch,
                           const uint64_t *hash);
/* Returns true if a launch that has ended is selected. NULL: no program. */
bool veu_capture_rules_match(const VeuCaptureRules *rules,
                             const VeuCapture *capture, const uint64_t *hash);

#endif
