/*
 * veu unit tests: timelines: everything that begins also ends, and files are
 * bounded.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include "hw/veu/capture/timeline.h"
#include "tests/lib/kernel_builder.h"

typedef struct Line {
    Dev *dev;
    char *path;
    VeuTimeline *timeline;
    uint64_t now_ns;
} Line;

static Line line_new(void)
{
    Line l = { .dev = dev_running() };
    int file = g_file_open_tmp("veu-timeline-XXXXXX", &l.path, NULL);

    g_assert_cmpint(file, >=, 0);
    g_close(file, NULL);
    l.timeline = veu_timeline_new(l.path, "test", NULL);
    g_assert_nonnull(l.timeline);
    return l;
}

/* Each event is a microsecond after the last one. */
static void event(Line *l, VeuEventKind kind, const char *name, uint64_t at)
{
    VeuEvent e = { .kind = kind, .ring = 0, .name = name, .at = at };

    l->now_ns += 1000;
    veu_timeline_event(l->timeline, l->dev->device, &e, l->now_ns);
}

static unsigned count(const char *text, const char *what)
{
    unsigned found = 0;

    for (; (text = strstr(text, what)); text++) {
        found++;
    }
    return found;
}

/* The contents of the file while the timeline is open. */
static char *content(Line *l)
{
    char *text;
    size_t bytes;

    veu_timeline_flush(l->timeline);
    g_assert_true(g_file_get_contents(l->path, &text, &bytes, NULL));
    g_assert_cmpuint(strlen(text), ==, bytes);
    g_assert_true(g_str_has_suffix(text, "\n]}\n"));
    g_assert_cmpuint(count(text, "\"ph\":\"b\""), ==,
                     count(text, "\"ph\":\"e\""));
    g_assert_cmpuint(count(text, "\"ph\":\"B\""), ==,
                     count(text, "\"ph\":\"E\""));
    return text;
}

static void line_free(Line *l)
{
    g_assert_true(veu_timeline_free(l->timeline, NULL));
    g_assert_cmpint(g_unlink(l->path), ==, 0);
    g_free(l->path);
    dev_free(l->dev);
}

/* Commands of a microsecond each, whose requests get no response. */
static void fault(Line *l, unsigned commands)
{
    for (unsigned i = 0; i < commands; i++) {
        event(l, VEU_EVENT_COMMAND, "prefetch", i);
        event(l, VEU_EVENT_REQUEST, "request", 2 * i);
        event(l, VEU_EVENT_REQUEST, "request", 2 * i + 1);
        event(l, VEU_EVENT_COMMAND_END, "prefetch", i);
    }
}

static void test_requests_end_with_their_command(void)
{
    Line l = line_new();
    g_autofree char *text = NULL;

    fault(&l, 50);
    event(&l, VEU_EVENT_STATE, "halted", 0);
    text = content(&l);
    g_assert_cmpuint(count(text, "\"ph\":\"b\""), ==, 100);
    /*
     * each command takes 4 us: requests of the first end at 4 us, those of the
     * last at 200
     */
    g_assert_cmpuint(count(text, "\"ts\":4.000,\"cat\":\"request\""), ==, 2);
    g_assert_cmpuint(count(text, "\"ts\":200.000,\"cat\":\"request\""), ==, 2);
    /* only the ring's state is still open then */
    g_assert_cmpuint(count(text, "\"ts\":201.000"), ==, 2);
    line_free(&l);
}

/* A hostile guest may have a command that never ends. */
static void test_open_requests_are_bounded(void)
{
    Line l = line_new();
    g_autofree char *text = NULL;

    event(&l, VEU_EVENT_COMMAND, "kernel", 0);
    for (unsigned i = 0; i < 5000; i++) {
        event(&l, VEU_EVENT_REQUEST, "request", i);
    }
    for (unsigned i = 0; i < 5000; i++) {
        event(&l, VEU_EVENT_RESPONSE, "response", i);
    }
    event(&l, VEU_EVENT_REQUEST, "request", 5000);
    text = content(&l);
    g_assert_cmpuint(count(text, "\"ph\":\"b\""), ==, 1025);
    line_free(&l);
}

/* A reset of the device, which is of no ring, ends what its rings do. */
static void test_a_reset_ends_commands(void)
{
    VeuEvent reset = { .kind = VEU_EVENT_RESET, .ring = VEU_EVENT_NO_RING };
    Line l = line_new();
    g_autofree char *text = NULL;

    event(&l, VEU_EVENT_COMMAND, "wait", 0);
    veu_timeline_event(l.timeline, l.dev->device, &reset, 2000);
    veu_timeline_interrupt(l.timeline, 7, 5000);
    text = content(&l);
    g_assert_cmpuint(count(text, "\"cat\":\"reset\",\"name\":\"reset\""), ==,
                     1);
    g_assert_cmpuint(count(text, "\"ph\":\"E\""), ==, 1);
    g_assert_cmpuint(count(text, "\"ts\":2.000"), ==, 2);
    line_free(&l);
}

/* Helpers read their clocks before others whose events come first. */
static void test_time_does_not_go_back(void)
{
    Line l = line_new();
    g_autofree char *text = NULL;

    veu_timeline_interrupt(l.timeline, 7, 5000);
    veu_timeline_interrupt(l.timeline, 8, 3000);
    text = content(&l);
    g_assert_cmpuint(count(text, "\"ts\":5.000,"), ==, 2);
    g_assert_cmpuint(count(text, "\"ts\":3.000,"), ==, 0);
    line_free(&l);
}

/* A host does this when it sets the property to the same name again. */
static void test_a_file_is_replaced_by_a_timeline_of_its_own(void)
{
    Line l = line_new();
    VeuTimeline *next;
    g_autofree char *text = NULL;

    fault(&l, 50);
    veu_timeline_flush(l.timeline);
    next = veu_timeline_new(l.path, "next", NULL);
    g_assert_nonnull(next);
    g_assert_true(veu_timeline_free(l.timeline, NULL));
    l.timeline = next;
    text = content(&l);
    g_assert_cmpuint(count(text, "displayTimeUnit"), ==, 1);
    g_assert_cmpuint(count(text, "request"), ==, 0);
    line_free(&l);
}

static void test_a_full_disk_is_reported_at_the_end(void)
{
    VeuTimeline *t = veu_timeline_new("/dev/full", "test", NULL);
    g_autoptr(GError) error = NULL;

    g_assert_nonnull(t);
    veu_timeline_interrupt(t, 7, 5000);
    g_assert_false(veu_timeline_free(t, &error));
    g_assert_error(error, G_FILE_ERROR, G_FILE_ERROR_NOSPC);
    g_assert_cmpstr(error->message, ==, g_strerror(ENOSPC));
}

/* A viewer lists a track again for each of its names. */
static void test_tracks_of_a_ring_are_named_once(void)
{
    Line l = line_new();
    g_autofree char *text = NULL;

    fault(&l, 3);
    text = content(&l);
    g_assert_cmpuint(count(text, "\"args\":{\"name\":\"ring 0\"}"), ==, 1);
    g_assert_cmpuint(count(text, "\"args\":{\"name\":\"ring 0 state\"}"), ==,
                     1);
    line_free(&l);
}

static void see(VeuHost *host, const VeuEvent *event)
{
    Line *l = ((TestHost *)host)->opaque;

    veu_timeline_event(l->timeline, l->dev->device, event, ++l->now_ns);
}

static void see_events(Line *l)
{
    l->dev->host.opaque = l;
    l->dev->host.host.event = see;
    l->dev->host.host.events = VEU_TIMELINE_EVENTS;
}

/* The number of groups is the product of the three counts. */
static void test_a_kernel_has_all_its_groups(void)
{
    Line l = line_new();
    Code code = kernel_sums(1);
    struct veu_command_kernel c = kernel_command(l.dev, &code,
                                                 (uint32_t[]){ 2, 3, 5 });
    g_autofree char *text = NULL;

    c.slm_bytes = 4 * KERNEL_ITEMS;
    see_events(&l);
    DEV_PUSH(l.dev, c);
    dev_run(l.dev);
    dev_assert_no_fault(l.dev);
    text = content(&l);
    g_assert_nonnull(strstr(text, "\"args\":{\"groups\":30,\"threads\":4,"
                                  "\"simd\":8}"));
    line_free(&l);
}

/* An inline message has no program that could be shown. */
static void test_a_dispatch_has_a_program_and_a_message_none(void)
{
    TestMessage m = { .kind = TEST_GATHER,
                      .num_elts = 2,
                      .offset = test_immediate(0) };
    struct veu_command_message message = dev_message(&m);
    struct veu_command_dispatch dispatch;
    Line l = line_new();
    g_autofree char *text = NULL;

    test_program_add(&l.dev->program, &m);
    dispatch = dev_dispatch(l.dev);
    dispatch.launch.groups = 6;
    dispatch.launch.threads = 3;
    see_events(&l);
    DEV_PUSH(l.dev, dispatch);
    DEV_PUSH(l.dev, message);
    dev_run(l.dev);
    text = content(&l);
    /* it begins and ends */
    g_assert_cmpuint(count(text, "\"cat\":\"kernel\""), ==, 2);
    g_assert_nonnull(strstr(text, "\"args\":{\"groups\":6,\"threads\":3,"
                                  "\"simd\":8}"));
    line_free(&l);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/timeline/requests-end-with-their-command",
                    test_requests_end_with_their_command);
    g_test_add_func("/timeline/open-requests-are-bounded",
                    test_open_requests_are_bounded);
    g_test_add_func("/timeline/a-reset-ends-commands",
                    test_a_reset_ends_commands);
    g_test_add_func("/timeline/time-does-not-go-back",
                    test_time_does_not_go_back);
    g_test_add_func("/timeline/a-file-is-replaced-by-a-timeline-of-its-own",
                    test_a_file_is_replaced_by_a_timeline_of_its_own);
    g_test_add_func("/timeline/a-full-disk-is-reported-at-the-end",
                    test_a_full_disk_is_reported_at_the_end);
    g_test_add_func("/timeline/tracks-of-a-ring-are-named-once",
                    test_tracks_of_a_ring_are_named_once);
    g_test_add_func("/timeline/a-kernel-has-all-its-groups",
                    test_a_kernel_has_all_its_groups);
    g_test_add_func("/timeline/a-dispatch-has-a-program-and-a-message-none",
                    test_a_dispatch_has_a_program_and_a_message_none);
    return g_test_run();
}
