/*
 * veu device tests: VMs that continue in another process, or where they were.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>
#include "tests/device/move.h"

char *move_path(const char *name)
{
    return g_strdup_printf("%s/veu-%d-%s", g_get_tmp_dir(), (int)getpid(),
                           name);
}

/* The last part of memory, which takes 16 seconds to arrive at RATE. */
#define BALLAST_BYTES (UINT64_C(16) << 20)
#define RATE          (1u << 20)
#define PAGE_BYTES    4096

/* A VM that waits for the state of another one. */
static Vm *make_destination(const char *accel, const char *machine,
                            const char *source)
{
    g_autofree char *arguments = g_strdup_printf("%s -incoming %s", machine,
                                                 source);
    const char *there_launcher = g_getenv("VEU_MOVE_TO");
    const char *here_launcher = vm_launcher;
    Vm *vm;

    vm_launcher = there_launcher ? there_launcher : here_launcher;
    vm = vm_new(accel, arguments);
    vm_launcher = here_launcher;
    return vm;
}

bool move_is_over(Vm *vm)
{
    g_autofree char *answer = qmp_ask(&vm->qmp, "query-migrate", NULL);

    g_assert_null(strstr(answer, "\"failed\""));
    return strstr(answer, "\"completed\"");
}

void move_wait(Vm *vm)
{
    VM_WAIT(vm, move_is_over(vm), "the migration to end");
}

static void migrate(Vm *vm, const char *uri)
{
    g_autofree char *arguments = g_strdup_printf("{\"uri\":\"%s\"}", uri);

    qmp_do(&vm->qmp, "migrate", arguments);
    move_wait(vm);
}

Vm *move_vm(Vm *from, const char *accel, const char *machine)
{
    g_autofree char *path = move_path("migration");
    g_autofree char *uri = g_strdup_printf("unix:%s", path);
    Vm *vm = make_destination(accel, machine, uri);

    migrate(from, uri);
    move_wait(vm);
    unlink(path);
    port_use(vm);
    return vm;
}

static void allow_postcopy(Vm *vm)
{
    qmp_do(&vm->qmp, "migrate-set-capabilities",
           "{\"capabilities\":[{\"capability\":\"postcopy-ram\","
           "\"state\":true}]}");
}

/* ---- in two parts ---- */

static void set_parameter(Vm *vm, const char *name, uint64_t value)
{
    g_autofree char *arguments = g_strdup_printf("{\"%s\":%" PRIu64 "}", name,
                                                 value);

    qmp_do(&vm->qmp, "migrate-set-parameters", arguments);
}

/*
 * The number that @name has in the report of a migration; 0 if it has none yet.
 */
static uint64_t reported(Vm *vm, const char *name)
{
    g_autofree char *answer = qmp_ask(&vm->qmp, "query-migrate", NULL);
    g_autofree char *key = g_strdup_printf("\"%s\": ", name);
    const char *at = strstr(answer, key);

    g_assert_null(strstr(answer, "\"failed\""));
    g_assert_null(strstr(answer, "\"completed\""));
    return at ? g_ascii_strtoull(at + strlen(key), NULL, 10) : 0;
}

static bool has_sent_all_but_ballast(Vm *vm)
{
    uint64_t remaining = reported(vm, "remaining");

    return remaining && remaining < BALLAST_BYTES;
}

static Vm *begin(Vm *from, const char *accel, const char *machine)
{
    g_autofree char *path = move_path("migration");
    g_autofree char *uri = g_strdup_printf("unix:%s", path);
    g_autofree char *arguments = g_strdup_printf("{\"uri\":\"%s\"}", uri);
    Vm *vm = make_destination(accel, machine, uri);

    memset(from->ram + VM_RAM_BYTES - BALLAST_BYTES, 0x55, BALLAST_BYTES);
    set_parameter(from, "max-bandwidth", RATE);
    qmp_do(&from->qmp, "migrate", arguments);
    VM_WAIT(from, has_sent_all_but_ballast(from), "the first pass");
    unlink(path);
    return vm;
}

static void end(Vm *from, Vm *to)
{
    g_assert_cmpuint(reported(from, "dirty-sync-count"), ==, 1);
    set_parameter(from, "max-bandwidth", UINT64_C(1) << 40);
    move_wait(from);
    move_wait(to);
    port_use(to);
    for (uint64_t at = 0; at < VM_RAM_BYTES; at += PAGE_BYTES) {
        if (memcmp(from->ram + at, to->ram + at, PAGE_BYTES)) {
            g_error("page 0x%" PRIx64 " is another one there", at);
        }
    }
}

/* The tail belongs to this side; the head, in the same page, to the device. */
Rig *move_while_it_works(Rig *from, const char *accel, const char *machine,
                         void (*wait)(Rig *from))
{
    Vm *there = begin(from->vm, accel, machine);

    rig_submit(from);
    wait(from);
    end(from->vm, there);
    return rig_follow(from, there);
}

/* ---- postcopy ---- */

/* Hardly any memory comes first; pages that a thread waits for come at once. */
static void limit_rates(Vm *vm, unsigned mib_per_second)
{
    g_autofree char *arguments = g_strdup_printf(
        "{\"max-bandwidth\":1048576,\"max-postcopy-bandwidth\":%u}",
        mib_per_second << 20);

    qmp_do(&vm->qmp, "migrate-set-parameters", arguments);
}

static bool has_state(Vm *vm)
{
    g_autofree char *answer = qmp_ask(&vm->qmp, "query-status", NULL);

    return !strstr(answer, "\"inmigrate\"");
}

Vm *move_vm_first(Vm *from, const char *accel, const char *machine,
                  unsigned mib_per_second)
{
    g_autofree char *path = move_path("migration");
    g_autofree char *uri = g_strdup_printf("unix:%s", path);
    g_autofree char *arguments = g_strdup_printf("{\"uri\":\"%s\"}", uri);
    Vm *vm = make_destination(accel, machine, uri);

    allow_postcopy(from);
    allow_postcopy(vm);
    limit_rates(from, mib_per_second);
    qmp_do(&from->qmp, "migrate", arguments);
    qmp_do(&from->qmp, "migrate-start-postcopy", NULL);
    VM_WAIT(vm, has_state(vm), "the device's state");
    unlink(path);
    port_use(vm);
    return vm;
}

void move_change_file(const char *path,
                      void (*change)(uint8_t *stream, size_t bytes))
{
    g_autofree char *stream = NULL;
    size_t bytes;

    g_assert_true(g_file_get_contents(path, &stream, &bytes, NULL));
    change((uint8_t *)stream, bytes);
    g_assert_true(g_file_set_contents(path, stream, bytes, NULL));
}

Vm *move_vm_changed(Vm *from, const char *accel, const char *machine,
                    void (*change)(uint8_t *stream, size_t bytes))
{
    g_autofree char *path = move_path("state");
    g_autofree char *uri = g_strdup_printf("exec:cat >%s", path);
    g_autofree char *source = g_strdup_printf("'exec:cat %s'", path);
    Vm *vm;

    migrate(from, uri);
    move_change_file(path, change);
    vm = make_destination(accel, machine, source);
    move_wait(vm);
    unlink(path);
    port_use(vm);
    return vm;
}

static void leave_as_it_is(uint8_t *stream, size_t bytes)
{
}

Vm *move_vm_through_file(Vm *from, const char *accel, const char *machine)
{
    return move_vm_changed(from, accel, machine, leave_as_it_is);
}

/* ---- snapshots ---- */

static void wait_job(Vm *vm, const char *id)
{
    g_autofree char *dismiss = g_strdup_printf("{\"id\":\"%s\"}", id);

    VM_WAIT(vm, ({
                g_autofree char *a = qmp_ask(&vm->qmp, "query-jobs", NULL);

                strstr(a, "concluded") != NULL;
            }),
            "job %s", id);
    {
        g_autofree char *jobs = qmp_ask(&vm->qmp, "query-jobs", NULL);

        g_test_message("%s", jobs);
        g_assert_null(strstr(jobs, "\"error\""));
    }
    qmp_do(&vm->qmp, "job-dismiss", dismiss);
}

void move_add_disk(Vm *vm, const char *path)
{
    g_autofree char *file = g_strdup_printf(
        "{\"driver\":\"file\",\"node-name\":\"file\",\"filename\":\"%s\"}",
        path);

    g_assert_true(g_file_set_contents(path, "", 0, NULL));
    qmp_do(&vm->qmp, "blockdev-add", file);
    qmp_do(&vm->qmp, "blockdev-create",
           "{\"job-id\":\"create\",\"options\":{\"driver\":\"qcow2\","
           "\"file\":\"file\",\"size\":1048576}}");
    wait_job(vm, "create");
    qmp_do(&vm->qmp, "blockdev-add",
           "{\"driver\":\"qcow2\",\"node-name\":\"disk\",\"file\":\"file\"}");
}

#define SNAPSHOT "\"job-id\":\"job\",\"tag\":\"one\",\"devices\":[\"disk\"]"

void move_save_snapshot(Vm *vm)
{
    qmp_do(&vm->qmp, "snapshot-save", "{" SNAPSHOT ",\"vmstate\":\"disk\"}");
    wait_job(vm, "job");
}

void move_load_snapshot(Vm *vm)
{
    qmp_do(&vm->qmp, "snapshot-load", "{" SNAPSHOT ",\"vmstate\":\"disk\"}");
    wait_job(vm, "job");
    qmp_do(&vm->qmp, "snapshot-delete", "{" SNAPSHOT "}");
    wait_job(vm, "job");
}

void move_assert_snapshot_brings_back(Rig *r)
{
    g_autofree char *path = move_path("snapshot");

    move_add_disk(r->vm, path);
    rig_start(r);
    rig_run_endless(r);
    move_save_snapshot(r->vm);
    rig_wait_writes(r);
    veu_reset(&r->device);
    rig_assert_no_writes(r);
    move_load_snapshot(r->vm);
    vm_run(r->vm);
    rig_wait_writes(r);
    unlink(path);
}
