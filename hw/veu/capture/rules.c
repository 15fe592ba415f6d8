/*
 * veu captures: rules.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <string.h>
#include "hw/veu/capture/rules.h"

/* --- Words --------------------------------------------------------------- */

/*
 * Parses a decimal number, or a hexadecimal one after 0x; *end is set to what
 * follows.
 */
static bool take_number(const char *text, const char **end, uint64_t *number)
{
    bool is_hex = g_str_has_prefix(text, "0x");
    const char *digits = text + (is_hex ? 2 : 0);
    char *after;

    if (!(is_hex ? g_ascii_isxdigit(*digits) : g_ascii_isdigit(*digits))) {
        return false;
    }
    errno = 0;
    *number = g_ascii_strtoull(digits, &after, is_hex ? 16 : 10);
    *end = after;
    return !errno;
}

static bool parse_number(const char *text, uint64_t most, uint64_t *number)
{
    return take_number(text, &text, number) && !*text && *number <= most;
}

/* Parses a number, or FIRST..LAST. */
static bool parse_range(const char *text, VeuCaptureRange *range)
{
    if (!take_number(text, &text, &range->first)) {
        return false;
    }
    range->last = range->first;
    if (!*text) {
        return true;
    }
    return g_str_has_prefix(text, "..") &&
           parse_number(text + 2, UINT64_MAX, &range->last) &&
           range->last >= range->first;
}

static bool parse_launch(VeuCaptureRule *rule, const char *value)
{
    return parse_range(value, &rule->launch) && rule->launch.first;
}

static bool parse_ring(VeuCaptureRule *rule, const char *value)
{
    return parse_range(value, &rule->ring);
}

static bool parse_tag(VeuCaptureRule *rule, const char *value)
{
    return parse_range(value, &rule->tag);
}

static const struct {
    const char *name;
    uint16_t code;
} faults[] = {
#define ROW(name, code, ...) { #name, code },
    VEU_FAULTS(ROW)
#undef ROW
};

static bool parse_fault(VeuCaptureRule *rule, const char *value)
{
    rule->faults = true;
    for (unsigned i = 0; i < G_N_ELEMENTS(faults); i++) {
        if (g_str_equal(faults[i].name, value)) {
            rule->fault = faults[i].code;
            return true;
        }
    }
    return g_str_equal(value, "any");
}

static bool parse_offset(VeuCaptureRule *rule, const char *value)
{
    uint64_t offset = 0;

    rule->faults = true;
    rule->has_offset = parse_number(value, UINT32_MAX, &offset);
    rule->offset = offset;
    return rule->has_offset;
}

static bool parse_kernel(VeuCaptureRule *rule, const char *value)
{
    g_free(rule->kernel);
    rule->kernel = g_strdup(value);
    return *value && strlen(value) < VEU_CAPTURE_NAME_BYTES;
}

static bool parse_program(VeuCaptureRule *rule, const char *value)
{
    rule->has_hash = parse_number(value, UINT64_MAX, &rule->hash);
    return rule->has_hash;
}

static const struct {
    const char *name;
    bool (*parse)(VeuCaptureRule *rule, const char *value);
    const char *what;
} keys[] = {
    { "launch", parse_launch, "write launch=N or launch=FIRST..LAST, from 1" },
    { "ring", parse_ring, "write ring=N or ring=FIRST..LAST" },
    { "tag", parse_tag, "write tag=N or tag=FIRST..LAST" },
    { "fault", parse_fault,
      "write fault=any, or the name of a fault: fault=ADDRESS" },
    { "offset", parse_offset,
      "write the offset in the code where it faults: offset=0x40" },
    { "kernel", parse_kernel, "write the kernel's name, at most 63 bytes" },
    { "program", parse_program,
      "write the hash of the program, as veu-run --list and --state print it" },
};

static bool parse_word(VeuCaptureRule *rule, const char *word, GError **error)
{
    const char *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : 0;

    for (unsigned i = 0; equals && i < G_N_ELEMENTS(keys); i++) {
        if (strlen(keys[i].name) == length &&
            !strncmp(keys[i].name, word, length)) {
            return keys[i].parse(rule, equals + 1) ||
                   veu_capture_refuse(error, "'%s': %s", word, keys[i].what);
        }
    }
    return veu_capture_refuse(
        error,
        "'%s': write launch=, ring=, tag=, fault=, offset=, "
        "kernel= or program=",
        word);
}

static bool parse_rule(VeuCaptureRule *rule, const char *text, GError **error)
{
    g_auto(GStrv) words = g_strsplit_set(text, " \t\n", -1);
    bool any = false;

    rule->launch.last = rule->ring.last = rule->tag.last = UINT64_MAX;
    for (char **word = words; *word; word++) {
        if (**word && !parse_word(rule, *word, error)) {
            return false;
        }
        any |= **word;
    }
    return any ||
           veu_capture_refuse(error,
                              "a rule is empty: write fault=any, for example");
}

VeuCaptureRules *veu_capture_rules_new(const char *text, GError **error)
{
    g_autoptr(VeuCaptureRules) rules = g_new0(VeuCaptureRules, 1);
    g_auto(GStrv) parts = g_strsplit(text, ";", VEU_CAPTURE_MAX_RULES + 1);

    for (char **part = parts; *part; part++) {
        if (rules->count == VEU_CAPTURE_MAX_RULES) {
            veu_capture_refuse(error, "there are more than %u rules",
                               VEU_CAPTURE_MAX_RULES);
            return NULL;
        }
        if (!parse_rule(&rules->rule[rules->count++], *part, error)) {
            return NULL;
        }
    }
    if (!rules->count) {
        veu_capture_refuse(error,
                           "there is no rule: write fault=any, for example");
        return NULL;
    }
    return g_steal_pointer(&rules);
}

void veu_capture_rules_free(VeuCaptureRules *rules)
{
    for (unsigned i = 0; i < rules->count; i++) {
        g_free(rules->rule[i].kernel);
    }
    g_free(rules);
}

/* --- Launches ------------------------------------------------------------ */

static bool is_in(const VeuCaptureRange *range, uint64_t number)
{
    return number >= range->first && number <= range->last;
}

static uint32_t tag_of(const VeuCaptureLaunch *launch)
{
    struct veu_command_header header;

    memcpy(&header, launch->command, sizeof(header));
    return header.tag;
}

bool veu_capture_rules_need_hash(const VeuCaptureRules *rules)
{
    for (unsigned i = 0; i < rules->count; i++) {
        if (rules->rule[i].has_hash) {
            return true;
        }
    }
    return false;
}

static bool rule_may(const VeuCaptureRule *rule, const VeuCaptureLaunch *launch,
                     const uint64_t *hash)
{
    return is_in(&rule->launch, launch->number) &&
           is_in(&rule->ring, launch->ring) &&
           is_in(&rule->tag, tag_of(launch)) &&
           (!rule->kernel || !strcmp(rule->kernel, launch->kernel)) &&
           (!rule->has_hash || !hash || rule->hash == *hash);
}

bool veu_capture_rules_may(const VeuCaptureRules *rules,
                           const VeuCaptureLaunch *launch, const uint64_t *hash)
{
    for (unsigned i = 0; i < rules->count; i++) {
        if (rule_may(&rules->rule[i], launch, hash)) {
            return true;
        }
    }
    return false;
}

static bool has_fault(const VeuCaptureRule *rule, const GArray *records)
{
    for (unsigned i = 0; i < records->len; i++) {
        const struct veu_fault_record *record =
            &g_array_index(records, struct veu_fault_record, i);

        if ((!rule->fault || rule->fault == record->code) &&
            (!rule->has_offset || rule->offset == record->message_offset)) {
            return true;
        }
    }
    return false;
}

static bool rule_matches(const VeuCaptureRule *rule, const VeuCapture *c,
                         const uint64_t *hash)
{
    return rule_may(rule, &c->launch, hash) && (!rule->has_hash || hash) &&
           (!rule->faults || has_fault(rule, c->faults));
}

bool veu_capture_rules_match(const VeuCaptureRules *rules, const VeuCapture *c,
                             const uint64_t *hash)
{
    for (unsigned i = 0; i < rules->count; i++) {
        if (rule_matches(&rules->rule[i], c, hash)) {
            return true;
        }
    }
    return false;
}
