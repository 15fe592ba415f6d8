/*
 * veu device tests: properties capture and capture-rules: docs/capture.md. The
 * contents of captures and their replay are tested by tests/unit/test_capture.c
 * and tests/guest/boot/captures.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include "tests/device/work.h"

typedef struct Captures {
    char *dir;
    Rig *rig;
} Captures;

static Captures captures_new(const char *accel, const char *properties)
{
    g_autofree char *arguments = NULL;
    Captures c = { .dir = g_dir_make_tmp("veu-captures-XXXXXX", NULL) };

    g_assert_nonnull(c.dir);
    arguments = g_strdup_printf(RIG_Q35 ",capture=%s%s", c.dir, properties);
    c.rig = rig_new(accel, arguments);
    vm_run(c.rig->vm);
    rig_start(c.rig);
    return c;
}

/* Returns the number of files, which it removes. */
static unsigned count(const Captures *c)
{
    static const uint8_t magic[8] = { 'v', 'e', 'u', 0x1a, 'c', 'a', 'p', 10 };
    g_autoptr(GDir) dir = g_dir_open(c->dir, 0, NULL);
    const char *name;
    unsigned files = 0;

    while ((name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename(c->dir, name, NULL);
        g_autofree char *content = NULL;
        struct stat status;
        size_t bytes;

        g_assert_true(g_str_has_prefix(name, "veu0-"));
        g_assert_true(g_str_has_suffix(name, ".veucap"));
        g_assert_cmpint(stat(path, &status), ==, 0);
        g_assert_cmphex(status.st_mode & 0777, ==, 0600);
        g_assert_true(g_file_get_contents(path, &content, &bytes, NULL));
        g_assert_cmpuint(bytes, >, 24);
        g_assert_cmpmem(content, 8, magic, 8);
        g_assert_cmpint(g_unlink(path), ==, 0);
        files++;
    }
    return files;
}

static void captures_free(Captures *c)
{
    rig_free(c->rig);
    count(c);
    g_assert_cmpint(g_rmdir(c->dir), ==, 0);
    g_free(c->dir);
}

/* A launch of a few groups. */
static void launch(Rig *r, bool faults)
{
    struct veu_command_dispatch work;

    work_make(r, &work);
    work.launch.groups = 3;
    if (faults) {
        work.launch.result_address = UINT64_C(0x100000000000);
        rig_run_fault(r, &work.header, VEU_FAULT_RESULT_MEMORY);
        rig_start(r);
    } else {
        rig_run(r, &work.header);
    }
}

/* Sets a property of the running device; returns false if it is refused. */
static bool set(Rig *r, const char *name, const char *value)
{
    g_autofree char *arguments = g_strdup_printf(
        "{\"path\":\"/machine/peripheral/veu0\",\"property\":\"%s\","
        "\"value\":\"%s\"}",
        name, value);
    g_autofree char *answer = qmp_ask(&r->vm->qmp, "qom-set", arguments);

    return !qmp_is_error(answer);
}

static void assert_get(Rig *r, const char *name, const char *value)
{
    g_autofree char *arguments = g_strdup_printf(
        "{\"path\":\"/machine/peripheral/veu0\",\"property\":\"%s\"}", name);
    g_autofree char *answer = qmp_ask(&r->vm->qmp, "qom-get", arguments);
    g_autofree char *wanted = g_strdup_printf("\"return\": \"%s\"", value);

    g_assert_nonnull(strstr(answer, wanted));
}

static void test_launches_that_fault_are_captured(const char *accel)
{
    Captures c = captures_new(accel, "");

    launch(c.rig, false);
    g_assert_cmpuint(count(&c), ==, 0);
    launch(c.rig, true);
    g_assert_cmpuint(count(&c), ==, 1);
    launch(c.rig, true);
    launch(c.rig, true);
    g_assert_cmpuint(count(&c), ==, 2);
    captures_free(&c);
}

/* A captured launch has its usual effect. */
static void test_a_captured_launch_does_its_work(const char *accel)
{
    Captures c = captures_new(accel, ",capture-rules=launch=1..9");
    struct veu_command_dispatch work;

    work_make(c.rig, &work);
    rig_run(c.rig, &work.header);
    work_assert_done(c.rig);
    g_assert_cmpuint(count(&c), ==, 1);
    captures_free(&c);
}

static void test_properties_can_be_set_at_any_time(const char *accel)
{
    Captures c = captures_new(accel, "");

    assert_get(c.rig, "capture-rules", "fault=any");
    assert_get(c.rig, "capture", c.dir);
    g_assert_true(set(c.rig, "capture-rules", "launch=1..1000"));
    assert_get(c.rig, "capture-rules", "launch=1..1000");
    launch(c.rig, false);
    g_assert_cmpuint(count(&c), ==, 1);
    g_assert_true(set(c.rig, "capture", ""));
    launch(c.rig, false);
    g_assert_cmpuint(count(&c), ==, 0);
    assert_get(c.rig, "capture", "");
    g_assert_true(set(c.rig, "capture", c.dir));
    launch(c.rig, false);
    g_assert_cmpuint(count(&c), ==, 1);
    captures_free(&c);
}

static void test_what_is_wrong_changes_nothing(const char *accel)
{
    Captures c = captures_new(accel, ",capture-rules=launch=1..1000");

    g_assert_false(set(c.rig, "capture-rules", "launch=abc"));
    assert_get(c.rig, "capture-rules", "launch=1..1000");
    g_assert_false(set(c.rig, "capture", "/nonexistent/of-veu"));
    g_assert_false(set(c.rig, "capture", "/dev/null"));
    assert_get(c.rig, "capture", c.dir);
    launch(c.rig, false);
    g_assert_cmpuint(count(&c), ==, 1);
    captures_free(&c);
}

/* The guest notices nothing; the user of the host is told once. */
static void test_a_directory_that_has_gone(const char *accel)
{
    Captures c = captures_new(accel, "");
    g_autofree char *text = NULL;

    g_assert_cmpint(g_rmdir(c.dir), ==, 0);
    launch(c.rig, true);
    launch(c.rig, false);
    text = vm_errors(c.rig->vm);
    g_assert_nonnull(strstr(text, "veu: a launch was not captured: "));
    g_assert_cmpint(g_mkdir(c.dir, 0700), ==, 0);
    captures_free(&c);
}

/* docs/capture.md: until a property is set again. */
static void test_files_are_limited(const char *accel)
{
    Captures c = captures_new(accel, ",capture-rules=launch=1..1000");
    g_autofree char *text = NULL;

    for (unsigned i = 0; i < 99; i++) {
        launch(c.rig, false);
    }
    text = vm_errors(c.rig->vm);
    g_assert_null(strstr(text, "launches with"));
    for (unsigned i = 0; i < 3; i++) {
        launch(c.rig, false);
    }
    g_assert_cmpuint(count(&c), ==, 100);
    g_free(text);
    text = vm_errors(c.rig->vm);
    g_assert_nonnull(strstr(text, "veu: 100 launches with "));
    g_assert_true(set(c.rig, "capture-rules", "launch=2"));
    launch(c.rig, false);
    launch(c.rig, false);
    g_assert_cmpuint(count(&c), ==, 1);
    captures_free(&c);
}

/* A file that is there already, far longer than a capture. */
#define BEFORE_BYTES (8 << 20)

static void assert_named(const char *accel, const char *device,
                         const char *name)
{
    g_autofree char *dir = g_dir_make_tmp("veu-captures-XXXXXX", NULL);
    g_autofree char *arguments = g_strdup_printf(
        "-M q35 -device veu,addr=4,capture=%s,capture-rules=launch=2%s", dir,
        device);
    g_autofree char *path = g_build_filename(dir, name, NULL);
    g_autofree char *before = g_malloc0(BEFORE_BYTES);
    Rig *r = rig_new(accel, arguments);
    struct stat status;

    g_assert_true(g_file_set_contents(path, before, BEFORE_BYTES, NULL));
    vm_run(r->vm);
    rig_start(r);
    launch(r, false);
    launch(r, false);
    rig_free(r);
    g_assert_cmpint(stat(path, &status), ==, 0);
    g_assert_cmpint(status.st_size, <, BEFORE_BYTES);
    g_assert_cmpint(g_unlink(path), ==, 0);
    g_assert_cmpint(g_rmdir(dir), ==, 0);
}

/* The number of the launch is part of it. */
static void test_files_have_the_devices_name(const char *accel)
{
    assert_named(accel, ",id=gpu", "gpu-2.veucap");
    assert_named(accel, "", "veu-2.veucap");
}

static void assert_refused(const char *accel, const char *properties,
                           const char *reason)
{
    g_autofree char *arguments =
        g_strdup_printf("-accel %s -M q35 -device 'veu,%s'", accel, properties);
    int status;
    g_autofree char *text = vm_output(arguments, &status);

    g_assert_cmpint(status, !=, 0);
    g_assert_nonnull(strstr(text, reason));
}

static void test_wrong_properties_are_refused(const char *accel)
{
    assert_refused(accel, "capture=/nonexistent/of-veu",
                   "veu: capture=/nonexistent/of-veu: no such directory");
    assert_refused(accel, "capture=/,workers=2",
                   "veu: capture=/ needs workers=1");
    assert_refused(accel, "capture-rules=launch=abc", "veu: capture-rules: ");
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add("launches-that-fault-are-captured",
                 test_launches_that_fault_are_captured);
    rig_test_add("a-captured-launch-does-its-work",
                 test_a_captured_launch_does_its_work);
    rig_test_add("properties-can-be-set-at-any-time",
                 test_properties_can_be_set_at_any_time);
    rig_test_add("what-is-wrong-changes-nothing",
                 test_what_is_wrong_changes_nothing);
    rig_test_add("a-directory-that-has-gone", test_a_directory_that_has_gone);
    rig_test_add("files-are-limited", test_files_are_limited);
    rig_test_add("files-have-the-devices-name",
                 test_files_have_the_devices_name);
    rig_test_add("wrong-properties-are-refused",
                 test_wrong_properties_are_refused);
    return g_test_run();
}
