/*
 * veu device tests: properties profile and timeline: docs/profile.md.
 * tests/tools/run_profile.py and tests/guest/boot/timeline test their contents.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib/gstdio.h>
#include <string.h>
#include "tests/device/kernel_work.h"

#define HANDLE 1
#define WORDS  (4 * KERNEL_WORK_LOCAL)

typedef struct Profiled {
    const char *property;
    char *path;
    Rig *rig;
    KernelWork work;
} Profiled;

static Profiled profiled_new(const char *accel, const char *property,
                             const char *properties)
{
    Profiled p = { .property = property };
    g_autofree char *arguments = NULL;
    int file = g_file_open_tmp("veu-profile-XXXXXX", &p.path, NULL);

    g_assert_cmpint(file, >=, 0);
    g_close(file, NULL);
    arguments = g_strdup_printf(RIG_Q35 ",%s=%s%s", property, p.path,
                                properties);
    p.rig = rig_new(accel, arguments);
    vm_run(p.rig->vm);
    rig_start(p.rig);
    return p;
}

static void profiled_free(Profiled *p)
{
    rig_free(p->rig);
    g_assert_cmpint(g_unlink(p->path), ==, 0);
    g_free(p->path);
}

/* Sets the property of the running device; returns false if it is refused. */
static bool set(Profiled *p, const char *value)
{
    g_autofree char *arguments = g_strdup_printf(
        "{\"path\":\"/machine/peripheral/veu0\",\"property\":\"%s\","
        "\"value\":\"%s\"}",
        p->property, value);
    g_autofree char *answer = qmp_ask(&p->rig->vm->qmp, "qom-set", arguments);

    return !qmp_is_error(answer);
}

static void assert_value(Profiled *p, const char *value)
{
    g_autofree char *arguments = g_strdup_printf(
        "{\"path\":\"/machine/peripheral/veu0\",\"property\":\"%s\"}",
        p->property);
    g_autofree char *answer = qmp_ask(&p->rig->vm->qmp, "qom-get", arguments);
    g_autofree char *quoted = g_strdup_printf("\"%s\"", value);

    g_assert_nonnull(strstr(answer, quoted));
}

static char *content(const Profiled *p)
{
    char *text;
    size_t bytes;

    g_assert_true(g_file_get_contents(p->path, &text, &bytes, NULL));
    g_assert_cmpuint(strlen(text), ==, bytes);
    return text;
}

static unsigned count(const char *text, const char *what)
{
    unsigned found = 0;

    for (; (text = strstr(text, what)); text++) {
        found++;
    }
    return found;
}

static void load(Profiled *p)
{
    struct veu_command_load load;

    kernel_work_place(p->rig, &p->work);
    load = kernel_work_load(&p->work, HANDLE);
    rig_run(p->rig, &load.header);
}

/* Runs sums of ones in 4 groups. */
static void run(Profiled *p)
{
    uint32_t *from = (uint32_t *)p->rig->arena, *to = from + WORDS;
    struct veu_command_kernel command;

    for (unsigned i = 0; i < WORDS; i++) {
        from[i] = 1;
    }
    memset(to, 0, 16);
    command = kernel_work_make(&p->work, 0, HANDLE, from, to, WORDS);
    rig_run(p->rig, &command.header);
    for (unsigned i = 0; i < 4; i++) {
        g_assert_cmpuint(to[i], ==, KERNEL_WORK_LOCAL);
    }
}

static void assert_counted(const char *text, unsigned launches)
{
    g_autofree char *told = g_strdup_printf("\"launches\": %u,", launches);

    g_assert_nonnull(strstr(text, "{\"launches_left_out\": 0, \"programs\""));
    g_assert_true(g_str_has_suffix(text, "]}\n"));
    g_assert_cmpuint(count(text, "\"program\": \"0x"), ==, 1);
    g_assert_nonnull(strstr(text, told));
}

/* The same program counts as one after it is loaded again. */
static void profile_three(const char *accel, const char *properties)
{
    Profiled p = profiled_new(accel, "profile", properties);
    g_autofree char *text = NULL, *again = NULL;

    load(&p);
    run(&p);
    run(&p);
    rig_open(p.rig);
    rig_start(p.rig);
    load(&p);
    run(&p);
    assert_value(&p, p.path);
    g_assert_true(set(&p, ""));
    text = content(&p);
    assert_counted(text, 3);
    run(&p);
    g_assert_true(set(&p, p.path));
    run(&p);
    g_assert_true(set(&p, p.path));
    again = content(&p);
    assert_counted(again, 1);
    profiled_free(&p);
}

static void test_launches_are_counted(const char *accel)
{
    profile_three(accel, "");
}

static void test_launches_of_workers_are_counted(const char *accel)
{
    profile_three(accel, ",workers=3");
}

/* The same launches produce the same file. */
static void test_workers_change_no_count(const char *accel)
{
    char *text[2];

    for (unsigned i = 0; i < 2; i++) {
        Profiled p = profiled_new(accel, "profile", i ? ",workers=3" : "");

        load(&p);
        run(&p);
        g_assert_true(set(&p, ""));
        text[i] = content(&p);
        profiled_free(&p);
    }
    g_assert_cmpstr(text[0], ==, text[1]);
    g_free(text[0]);
    g_free(text[1]);
}

static void test_a_timeline_has_interrupts(const char *accel)
{
    Profiled p = profiled_new(accel, "timeline", "");
    struct veu_command_nop nop = veu_make_nop(1);
    g_autofree char *text = NULL;

    rig_open(p.rig);
    rig_set_up_msix(p.rig);
    rig_start(p.rig);
    nop.header.flags = VEU_COMMAND_INTERRUPT;
    for (unsigned i = 0; i < 3; i++) {
        rig_run(p.rig, &nop.header);
    }
    g_assert_true(set(&p, ""));
    text = content(&p);
    g_assert_cmpuint(count(text, "\"name\":\"vector 0\""), ==, 3);
    profiled_free(&p);
}

/* That a file is incomplete is noticed when it is closed. */
static void test_a_full_disk_is_reported(const char *accel)
{
    Profiled p = profiled_new(accel, "timeline", "");
    g_autofree char *text = NULL;

    g_assert_true(set(&p, "/dev/full"));
    g_assert_true(set(&p, ""));
    text = vm_errors(p.rig->vm);
    g_assert_nonnull(strstr(text, "veu: timeline=/dev/full: "));
    profiled_free(&p);
}

static void test_a_timeline_replaces_itself(const char *accel)
{
    Profiled p = profiled_new(accel, "timeline", "");
    g_autofree char *text = NULL, *again = NULL, *after = NULL;

    load(&p);
    run(&p);
    g_assert_true(set(&p, p.path));
    text = content(&p);
    g_assert_true(g_str_has_suffix(text, "\n]}\n"));
    g_assert_cmpuint(count(text, "displayTimeUnit"), ==, 1);
    g_assert_cmpuint(count(text, "program 1"), ==, 0);
    g_assert_cmpuint(count(text, "\"name\":\"veu0\""), ==, 1);
    g_assert_false(set(&p, "/nonexistent/of-veu"));
    assert_value(&p, p.path);
    run(&p);
    g_assert_true(set(&p, ""));
    again = content(&p);
    g_assert_true(g_str_has_suffix(again, "\n]}\n"));
    g_assert_cmpuint(count(again, "displayTimeUnit"), ==, 1);
    g_assert_cmpuint(count(again, "program 1"), ==, 2); /* and its end */
    run(&p);
    after = content(&p);
    g_assert_cmpstr(again, ==, after);
    profiled_free(&p);
}

/* QEMU ends without unplugging the device. */
static void check_end(const char *accel, const char *property, const char *end)
{
    Profiled p = profiled_new(accel, property, "");
    g_autofree char *text = NULL;

    load(&p);
    run(&p);
    rig_free(p.rig);
    text = content(&p);
    g_assert_true(g_str_has_suffix(text, end));
    g_assert_cmpint(g_unlink(p.path), ==, 0);
    g_free(p.path);
}

static void test_the_end_of_qemu_completes_them(const char *accel)
{
    check_end(accel, "profile", "]}\n");
    check_end(accel, "timeline", "\n]}\n");
}

static void test_a_path_that_cannot_be_written(const char *accel)
{
    static const char path[] = "/nonexistent/of-veu";
    int status;
    g_autofree char *text =
        vm_output("-M q35 -device veu,timeline=/nonexistent/of-veu", &status);
    Profiled p;
    g_autofree char *errors = NULL;

    g_assert_cmpint(status, !=, 0);
    g_assert_nonnull(strstr(text, "veu: timeline: "));
    g_assert_nonnull(strstr(text, path));
    p = profiled_new(accel, "profile", "");
    g_assert_true(set(&p, path));
    load(&p);
    run(&p);
    g_assert_true(set(&p, ""));
    errors = vm_errors(p.rig->vm);
    g_assert_nonnull(strstr(errors, "veu: profile: "));
    g_assert_nonnull(strstr(errors, path));
    profiled_free(&p);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add("launches-are-counted", test_launches_are_counted);
    rig_test_add("launches-of-workers-are-counted",
                 test_launches_of_workers_are_counted);
    rig_test_add("workers-change-no-count", test_workers_change_no_count);
    rig_test_add("a-full-disk-is-reported", test_a_full_disk_is_reported);
    rig_test_add("a-timeline-has-interrupts", test_a_timeline_has_interrupts);
    rig_test_add("a-timeline-replaces-itself", test_a_timeline_replaces_itself);
    rig_test_add("the-end-of-qemu-completes-them",
                 test_the_end_of_qemu_completes_them);
    rig_test_add("a-path-that-cannot-be-written",
                 test_a_path_that_cannot_be_written);
    return g_test_run();
}
