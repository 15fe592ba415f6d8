/*
 * veu tests: walks through the examples of docs/spec.md on the device model.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Usage: spec_walk SPEC.MD
 *
 * The bytes that the text shows are compared with structures of include/veu.
 * Then the walk is performed: the driver's stores go to memory, register
 * accesses and doorbells go to the device, and the results that the text
 * promises are checked.
 */
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "hw/veu/device/host/device.h"
#include "tests/docs/example.h"
#include "tests/lib/test_host.h"
#include "veu/veu.h"

#define RAM_START 0x100000
#define RAM_BYTES 0x20000
#define BUDGET    64

static TestHost host;
static VeuDevice *device;
static unsigned interrupts_seen;
static unsigned points;

static bool point(bool ok, const char *kind, const char *name)
{
    printf("%s %u - %s: %s\n", ok ? "ok" : "not ok", ++points, kind, name);
    return ok;
}

/* Runs the device until it goes to sleep. */
static void settle(void)
{
    VeuStep step;

    do {
        step = veu_ring_step(device, 0, BUDGET);
    } while (step == VEU_STEP_MORE ||
             (step == VEU_STEP_IDLE && !veu_device_sleep(device)));
}

static void print_bytes(const char *what, const uint8_t *bytes, uint32_t count)
{
    printf("# %s:", what);
    for (uint32_t i = 0; i < count; i++) {
        printf(i % 16 ? " %02x" : "\n# %04x: %02x", i % 16 ? bytes[i] : i,
               bytes[i]);
    }
    printf("\n");
}

static bool same_bytes(const Block *b, const void *expected, uint32_t bytes)
{
    if (b->bytes == bytes && !memcmp(b->content, expected, bytes)) {
        return true;
    }
    print_bytes("expected", expected, bytes);
    print_bytes("the text has", b->content, b->bytes);
    return false;
}

static void check_structure(const Block *b)
{
    const Example *example = example_find(b->name);

    if (b->error) {
        printf("# %s\n", b->error);
    }
    point(!b->error && example &&
              same_bytes(b, example->content, example->bytes),
          "bytes are the structure's", b->name);
}

static void check_result(const Block *b)
{
    uint8_t bytes[EXAMPLE_MAX_BYTES];

    settle();
    test_memory_get(&host.memory, b->address, bytes, b->bytes);
    point(same_bytes(b, bytes, b->bytes), "the device stores", b->name);
}

typedef struct Step {
    char verb[16];
    unsigned bytes;
    uint32_t offset;
    int64_t value;
    char name[64];
} Step;

/*
 * The offsets in BAR0 of the registers of the device, of ring 0 and of context
 * 0.
 */
#define DEVICE_ROW(name, offset, bytes, access, reset, writable, text) \
    { #name, offset, bytes },
#define RING_ROW(name, offset, bytes, access, reset, writable, text) \
    { #name, VEU_RING_BLOCK + (offset), bytes },
#define CONTEXT_ROW(name, offset, bytes, access, reset, writable, text) \
    { #name, VEU_CONTEXT_BLOCK + (offset), bytes },
static const struct {
    const char *name;
    uint32_t offset;
    unsigned bytes;
} names[] = { VEU_DEVICE_REGS(DEVICE_ROW) VEU_RING_REGS(RING_ROW)
                  VEU_CONTEXT_REGS(CONTEXT_ROW) };

static bool has_name(const Step *s)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        if (!strcmp(s->name, names[i].name)) {
            return s->offset == names[i].offset && s->bytes == names[i].bytes;
        }
    }
    return false;
}

static bool do_read(const Step *s)
{
    settle();
    return has_name(s) &&
           veu_device_read(device, s->offset, s->bytes) == (uint64_t)s->value;
}

static bool do_write(const Step *s)
{
    veu_device_write(device, s->offset, s->value, s->bytes);
    return has_name(s);
}

/* "interrupt": checks that one has arrived since the last one. */
static bool do_interrupt(void)
{
    unsigned count;

    settle();
    count = test_host_count(&host, TEST_LOG_INTERRUPT) - interrupts_seen;
    interrupts_seen += count;
    return count == 1;
}

static bool do_step(const char *line)
{
    Step s;

    if (!strncmp(line, "interrupt", 9)) {
        return do_interrupt();
    }
    if (!strncmp(line, "doorbell", 8)) {
        settle();
        return true;
    }
    if (sscanf(line, "%15s %u %" SCNx32 " %" SCNi64 " %63s", s.verb, &s.bytes,
               &s.offset, &s.value, s.name) != 5) {
        return false;
    }
    return strcmp(s.verb, "read") ? do_write(&s) : do_read(&s);
}

static void do_steps(const Block *b)
{
    const char *line = b->lines;

    while (strncmp(line, "```", 3)) {
        const char *end = strchr(line, '\n');
        char *text = g_strndup(line, end - line);

        point(do_step(text), "step", text);
        g_free(text);
        line = end + 1;
    }
}

static void do_block(const Block *b)
{
    switch (b->kind) {
    case BLOCK_STORE:
        check_structure(b);
        test_memory_put(&host.memory, b->address, b->content, b->bytes);
        break;
    case BLOCK_RESULT:
        check_structure(b);
        check_result(b);
        break;
    case BLOCK_STEPS:
        do_steps(b);
        break;
    }
}

/* Returns true if the text shows @example. */
static bool is_shown(const char *text, const Example *example)
{
    Block block;

    while ((text = block_next(text, &block))) {
        if (!strcmp(block.name, example->name)) {
            return true;
        }
    }
    return false;
}

static void check_shown(const char *text, const Example *from, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        point(is_shown(text, &from[i]), "the text shows", from[i].name);
    }
}

static void set_up(void)
{
    VeuDeviceConfig config = {
        .rings = 1,
        .vectors = 1,
        .doorbell_stride_bytes = 4096,
    };

    test_host_init(&host);
    host.now_ns = 1000000000;
    test_memory_add(&host.memory, RAM_START, RAM_BYTES, true);
    device = veu_device_new(&config, &host.host);
    g_assert_nonnull(device);
}

int main(int argc, char **argv)
{
    g_autofree char *spec = NULL;
    const char *text;
    Block block;

    if (argc != 2 || !g_file_get_contents(argv[1], &spec, NULL, NULL)) {
        printf("Bail out! Usage: spec_walk SPEC.MD\n");
        return 1;
    }
    set_up();
    example_messages_encode();
    for (text = spec; (text = block_next(text, &block));) {
        do_block(&block);
    }
    check_shown(spec, examples, example_count);
    check_shown(spec, example_messages, example_message_count);
    check_shown(spec, example_pages, example_page_count);
    printf("1..%u\n", points);
    veu_device_free(device);
    test_host_free(&host);
    return 0;
}
