/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The self-test of a veu device: a program for the bare machine.
 */
#include "checks.h"

static void messages(struct bench *bench)
{
    check_encode();
    bench_start_ring(bench, VEU_POLICY_HALT);
    check_gather(bench);
    check_scaled(bench);
    check_buffer(bench);
    check_block(bench);
    check_svm(bench);
    check_typed(bench);
    check_typed_read(bench);
    check_atomic(bench);
    check_order(bench);
    check_rings(bench);
    check_visible(bench);
    check_code(bench);
    check_faults(bench);
}

int program_main(const char *command_line)
{
    static struct bench bench;
    struct options options = options_parse(command_line);

    machine_print("veu self-test: %u processor%s, %lu MiB\n",
                  machine_processors(), machine_processors() == 1 ? "" : "s",
                  machine_ram_bytes() >> 20);
    if (options.unknown) {
        machine_panic("unknown option \"%s\"", options.unknown);
    }
    if (options.crash) {
        __builtin_trap();
    }
    bench_init(&bench, &options);
    if (check_device(&bench)) {
        if (options.checks) {
            messages(&bench);
        }
        if (options.stress) {
            stress(&bench, options.stress);
        }
        if (options.speed) {
            speed(&bench);
        }
        if (options.picture) {
            picture(&bench);
        }
    }
    return report_end() ? 0 : 1;
}
