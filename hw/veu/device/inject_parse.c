/*
 * veu device model: the text of rules for injected faults.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/fault-inject.md. Rules are separated by ';', words of a rule by blanks,
 * and each word is KEY=VALUE. The combined meaning of a rule's words is in
 * inject_rule.c.
 */
#include <stdio.h>
#include <string.h>
#include <sys/param.h>
#include "hw/veu/eu/array.h"
#include "hw/veu/eu/message/message.h"
#include "hw/veu/device/inject_rule.h"
#include "hw/veu/device/inject_word.h"

typedef struct Parser {
    unsigned rings;
    unsigned number; /* number of the rule, from 1 */
    VeuInjectRule *rule;
    uint32_t keys; /* bit n: the rule has row n of keys[] */
    const char *key;
    VeuInjectWord value;
    VeuInjectError *error;
} Parser;

static void say(VeuInjectError *error, unsigned rule, const char *text)
{
    snprintf(error->text, sizeof(error->text), "rule %u: %s", rule, text);
}

static void hint(Parser *p, const char *text)
{
    snprintf(p->error->hint, sizeof(p->error->hint), "%s", text);
}

/* Reports a wrong value of the key; the caller adds the hint. */
static void wrong_value(Parser *p)
{
    char text[160];

    snprintf(text, sizeof(text), "%s is '%.*s'", p->key,
             (int)MIN(p->value.bytes, 64), p->value.at);
    say(p->error, p->number, text);
}

static bool fail(Parser *p, const char *text)
{
    wrong_value(p);
    hint(p, text);
    return false;
}

/* ---- keys ---- */

/* Sets bits @first to @last, which is below 64. */
static uint64_t bits(uint64_t first, uint64_t last)
{
    return UINT64_MAX >> (63 - (last - first)) << first;
}

/* Parses a range of numbers below @limit, as bits. */
static bool take_bits(Parser *p, unsigned limit, uint64_t *mask)
{
    uint64_t first;
    uint64_t last;

    if (!veu_inject_word_range(p->value, &first, &last) || last >= limit) {
        wrong_value(p);
        snprintf(p->error->hint, sizeof(p->error->hint),
                 "It can be a number, or a range FIRST..LAST, of 0 to %u.",
                 limit - 1);
        return false;
    }
    *mask = bits(first, last);
    return true;
}

static bool take_ring(Parser *p)
{
    return take_bits(p, p->rings, &p->rule->rings);
}

static bool take_lane(Parser *p)
{
    uint64_t lanes;

    if (!take_bits(p, VEU_MAX_LANES, &lanes)) {
        return false;
    }
    p->rule->lanes = lanes;
    return true;
}

static bool take_address(Parser *p)
{
    VeuInjectRule *r = p->rule;

    r->has_range = true;
    return veu_inject_word_range(p->value, &r->first_address,
                                 &r->last_address) ||
           fail(p, "It can be an address, or a range FIRST..LAST: 0x1000, "
                   "0x1000..0x1fff.");
}

static bool take_count(Parser *p, uint64_t *count)
{
    return (veu_inject_word_number(p->value, count) && *count) ||
           fail(p, "It can be a number from 1 on.");
}

static bool take_nth(Parser *p)
{
    return take_count(p, &p->rule->nth);
}

static bool take_every(Parser *p)
{
    return take_count(p, &p->rule->every);
}

static bool take_probability(Parser *p)
{
    VeuInjectWord word = p->value;
    VeuInjectWord whole = veu_inject_word_split(&word, ".");
    bool has_point = whole.bytes < p->value.bytes;
    uint64_t ones;
    uint64_t part = 0;

    if (!veu_inject_word_number(whole, &ones) || ones > 1 ||
        (has_point && !veu_inject_word_fraction(word, &part)) ||
        ones + (part > 0) > 1) {
        return fail(p, "It can be 0 to 1, with up to nine digits: 0.25.");
    }
    p->rule->probability = ones ? VEU_INJECT_ALWAYS : part;
    return true;
}

static bool take_seed(Parser *p)
{
    return veu_inject_word_number(p->value, &p->rule->random) ||
           fail(p, "It can be any number of 64 bits.");
}

static void add_name(VeuInjectError *error, const char *name)
{
    size_t at = strlen(error->hint);

    snprintf(error->hint + at, sizeof(error->hint) - at, " %s", name);
}

static bool fail_opcode(Parser *p)
{
    fail(p, "It can be a command or a message:");
    for (unsigned i = 0; i < veu_command_count; i++) {
        add_name(p->error, veu_commands[i]->name);
    }
    for (unsigned i = 0; i < veu_message_count; i++) {
        if (!veu_inject_command(veu_messages[i].mnemonic)) {
            add_name(p->error, veu_messages[i].mnemonic);
        }
    }
    return false;
}

/* Makes a name in the text a C string, for searches. */
#define NAME_BYTES 32
static bool copy_name(VeuInjectWord word, char name[NAME_BYTES])
{
    snprintf(name, NAME_BYTES, "%.*s", (int)MIN(word.bytes, NAME_BYTES),
             word.at);
    return word.bytes < NAME_BYTES;
}

static bool take_opcode(Parser *p)
{
    char name[NAME_BYTES];

    return (copy_name(p->value, name) &&
            veu_inject_take_opcode(p->rule, name)) ||
           fail_opcode(p);
}

/* ---- actions ---- */

static bool fail_fault(Parser *p)
{
    fail(p, "It can be fault:NAME, with one of these names:");
    for (unsigned i = 0; i < veu_fault_count; i++) {
        if (veu_inject_fault_points(veu_faults[i].code)) {
            add_name(p->error, veu_faults[i].name);
        }
    }
    return false;
}

static bool take_fault(Parser *p, VeuInjectWord detail)
{
    for (unsigned i = 0; i < veu_fault_count; i++) {
        if (veu_inject_word_is(detail, veu_faults[i].name) &&
            veu_inject_fault_points(veu_faults[i].code)) {
            p->rule->fault = veu_faults[i].code;
            return true;
        }
    }
    return fail_fault(p);
}

static bool take_time(Parser *p, VeuInjectWord detail)
{
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = {
        { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 }
    };
    uint64_t number;
    bool ok = veu_inject_word_digits(&detail, 10, &number) && number;

    for (unsigned i = 0; ok && i < VEU_ARRAY_SIZE(units); i++) {
        if (veu_inject_word_is(detail, units[i].name) &&
            number <= VEU_INJECT_MAX_NS / units[i].ns) {
            p->rule->delay_ns = number * units[i].ns;
            return true;
        }
    }
    return false;
}

static bool take_delay(Parser *p, VeuInjectWord detail)
{
    return take_time(p, detail) ||
           fail(p, "It can be delay:TIME, up to an hour: delay:50us; units "
                   "are ns, us, ms and s.");
}

/* How long the page is away, at least. */
static bool take_miss(Parser *p, VeuInjectWord detail)
{
    if (veu_inject_word_is(detail, "never")) {
        p->rule->delay_ns = VEU_NO_DEADLINE;
        return true;
    }
    return !detail.bytes || take_time(p, detail) ||
           fail(p, "It can be miss, miss:TIME, up to an hour, or miss:never: "
                   "miss:50us; units are ns, us, ms and s.");
}

static bool take_drop(Parser *p, VeuInjectWord detail)
{
    static const struct {
        const char *name;
        uint8_t drops;
    } drops[] = {
        { "store", VEU_INJECTED_DROP_STORE },
        { "head", VEU_INJECTED_DROP_HEAD },
        { "interrupt", VEU_INJECTED_DROP_INTERRUPT },
    };

    for (unsigned i = 0; i < VEU_ARRAY_SIZE(drops); i++) {
        if (veu_inject_word_is(detail, drops[i].name)) {
            p->rule->drops = drops[i].drops;
            return true;
        }
    }
    return fail(p, "It can be drop:store, drop:head or drop:interrupt.");
}

static bool take_nothing(Parser *p, VeuInjectWord detail)
{
    return !detail.bytes || fail(p, "There is nothing to say about it.");
}

static bool take_hang(Parser *p, VeuInjectWord detail)
{
    p->rule->delay_ns = VEU_NO_DEADLINE;
    return take_nothing(p, detail);
}

static bool (*const actions[])(Parser *p, VeuInjectWord detail) = {
    [VEU_INJECT_FAULT] = take_fault, [VEU_INJECT_DELAY] = take_delay,
    [VEU_INJECT_DROP] = take_drop,   [VEU_INJECT_CORRUPT] = take_nothing,
    [VEU_INJECT_HANG] = take_hang,   [VEU_INJECT_MISS] = take_miss,
};

static bool take_action(Parser *p)
{
    VeuInjectWord detail = p->value;
    VeuInjectWord name = veu_inject_word_split(&detail, ":");

    for (unsigned i = 0; i < VEU_ARRAY_SIZE(actions); i++) {
        if (veu_inject_word_is(name, veu_inject_action_name(i))) {
            p->rule->action = i;
            return actions[i](p, detail);
        }
    }
    return fail(p, "It can be fault:NAME, delay:TIME, drop:WHAT, corrupt, hang "
                   "or miss.");
}

static const struct {
    const char *name;
    bool (*take)(Parser *p);
} keys[] = {
    { "action", take_action }, /* first: every rule has one */
    { "ring", take_ring },
    { "opcode", take_opcode },
    { "lane", take_lane },
    { "address", take_address },
    { "nth", take_nth },
    { "every", take_every },
    { "probability", take_probability },
    { "seed", take_seed },
};

/* ---- rules ---- */

static bool fail_key(Parser *p, VeuInjectWord key)
{
    char text[160];

    snprintf(text, sizeof(text), "'%.*s' is no key", (int)MIN(key.bytes, 64),
             key.at);
    say(p->error, p->number, text);
    hint(p, "A rule has KEY=VALUE, separated by blanks. Keys:");
    for (unsigned i = 0; i < VEU_ARRAY_SIZE(keys); i++) {
        add_name(p->error, keys[i].name);
    }
    return false;
}

static bool take_word(Parser *p, VeuInjectWord word)
{
    VeuInjectWord key = veu_inject_word_split(&word, "=");

    p->value = word;
    for (unsigned i = 0; i < VEU_ARRAY_SIZE(keys); i++) {
        if (!veu_inject_word_is(key, keys[i].name)) {
            continue;
        }
        p->key = keys[i].name;
        if (p->keys & (1u << i)) {
            return fail(p, "The rule has this key already.");
        }
        p->keys |= 1u << i;
        return keys[i].take(p);
    }
    return fail_key(p, key);
}

static bool take_rule(Parser *p, VeuInjectWord text)
{
    const char *wrong;

    veu_inject_rule_init(p->rule);
    while (text.bytes) {
        VeuInjectWord word = veu_inject_word_split(&text, " ");

        if (word.bytes && !take_word(p, word)) {
            return false;
        }
    }
    wrong = p->keys & 1 ? veu_inject_rule_finish(p->rule) :
                          "It needs an action: action=fault:ADDRESS, say.";
    if (wrong) {
        say(p->error, p->number, "it can never fire");
        hint(p, wrong);
    }
    return !wrong;
}

static bool fail_size(VeuInjectError *error, const char *what, unsigned limit)
{
    snprintf(error->text, sizeof(error->text), "there are too many %s", what);
    snprintf(error->hint, sizeof(error->hint), "There can be up to %u.", limit);
    return false;
}

/* Splits rules->split into strings, and parses each. */
static bool take_rules(Parser *p, VeuInjectRules *rules)
{
    VeuInjectWord left = { rules->split, strlen(rules->split) };
    char *end = rules->split + left.bytes;

    while (left.bytes) {
        VeuInjectWord text = veu_inject_word_split(&left, ";");

        if (rules->count == VEU_INJECT_MAX_RULES) {
            return fail_size(p->error, "rules", VEU_INJECT_MAX_RULES);
        }
        p->keys = 0;
        p->rule = &rules->rule[rules->count];
        p->number = ++rules->count;
        if (!take_rule(p, text)) {
            return false;
        }
        p->rule->text_at = text.at - rules->split;
        if (text.at + text.bytes < end) {
            rules->split[text.at + text.bytes - rules->split] = '\0';
        }
    }
    return true;
}

bool veu_inject_parse(const char *text, unsigned rings, VeuInjectRules *rules,
                      VeuInjectError *error)
{
    VeuInjectRules taken = { 0 };
    Parser p = { .rings = rings, .error = error };

    if (strlen(text) > VEU_INJECT_MAX_BYTES) {
        return fail_size(error, "characters", VEU_INJECT_MAX_BYTES);
    }
    strcpy(taken.text, text);
    strcpy(taken.split, text);
    if (!take_rules(&p, &taken)) {
        return false;
    }
    *rules = taken;
    return true;
}
