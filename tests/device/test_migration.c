/*
 * veu device tests: migration and snapshots are refused, and nothing else
 * happens.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/rig.h"

static void assert_goes_on(Rig *r)
{
    g_autofree char *status = qmp_ask(&r->vm->qmp, "query-status", NULL);

    g_assert_nonnull(strstr(status, "\"running\": true"));
    rig_wait_writes(r);
    veu_reset(&r->device);
    rig_start(r);
    rig_assert_works(r);
}

static void test_migrate_is_refused(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    g_autofree char *answer = NULL;

    vm_run(r->vm);
    rig_start(r);
    rig_run_endless(r);
    answer = qmp_ask(&r->vm->qmp, "migrate",
                     "{\"uri\":\"exec:cat >/dev/null\"}");
    g_test_message("%s", answer);
    g_assert_true(qmp_is_error(answer));
    g_assert_nonnull(strstr(answer, "non-migratable"));
    g_assert_nonnull(strstr(answer, "veu"));
    assert_goes_on(r);
}

static void test_savevm_is_refused(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    g_autofree char *answer = NULL;

    vm_run(r->vm);
    rig_start(r);
    rig_run_endless(r);
    answer = qmp_human(&r->vm->qmp, "savevm one");
    g_test_message("%s", answer);
    g_assert_nonnull(strstr(answer, "non-migratable"));
    g_assert_nonnull(strstr(answer, "veu"));
    assert_goes_on(r);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add("migrate-is-refused", test_migrate_is_refused);
    rig_test_add("savevm-is-refused", test_savevm_is_refused);
    return g_test_run();
}
