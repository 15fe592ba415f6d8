/*
 * veu-run: runs a program on the device model, without QEMU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <locale.h>
#include <stdio.h>
#include "tools/veu-run/kernel.h"
#include "tools/veu-run/replay.h"

static void run_init(Run *run)
{
    run_memory_init(&run->memory);
    run->surfaces = g_array_new(FALSE, FALSE, sizeof(struct veu_surface));
    run->faults = g_array_new(FALSE, FALSE, sizeof(struct veu_fault_record));
    run->contracts = g_array_new(FALSE, FALSE, sizeof(RunContract));
    run->lines = g_array_new(FALSE, FALSE, sizeof(VeuCaptureLine));
    run->files = g_ptr_array_new_with_free_func(g_free);
}

static void run_free(Run *run)
{
    run_memory_free(&run->memory);
    run_program_free(&run->program);
    g_array_free(run->surfaces, TRUE);
    g_array_free(run->faults, TRUE);
    g_array_free(run->contracts, TRUE);
    g_array_free(run->lines, TRUE);
    g_ptr_array_free(run->files, TRUE);
    g_free(run->payload.data);
    g_free(run->stored);
    run_trace_free(run->trace);
    run_profile_free(run);
    run_capture_free(run->capture);
    run_states_free(run);
    run_options_free(&run->options);
}

static bool load_memory(Run *run)
{
    for (char **m = run->options.memory; m && *m; m++) {
        if (!run_memory_add_option(&run->memory, *m)) {
            return false;
        }
    }
    return true;
}

static bool load_maps(Run *run)
{
    if (!run_memory_place_maps(&run->memory)) {
        return false;
    }
    for (char **m = run->options.maps; m && *m; m++) {
        if (!run_tables_add_option(&run->memory, *m)) {
            return false;
        }
    }
    return true;
}

static bool load_surfaces(Run *run)
{
    for (char **s = run->options.surfaces; s && *s; s++) {
        if (!run_surface_add(run->surfaces, *s)) {
            return false;
        }
    }
    return true;
}

/* Everything that the options request is loaded before anything runs. */
static bool load(Run *run)
{
    return run_options_numbers(&run->options, &run->numbers, &run->launch) &&
           run_program_load(&run->program, &run->options, &run->numbers) &&
           load_memory(run) && load_maps(run) && load_surfaces(run) &&
           run_payload_make(&run->options, &run->program, &run->payload) &&
           run_inject_parse(run->options.fault_inject, &run->rules) &&
           run_break_parse(run) && run_watch_parse(run) &&
           run_profile_begin(run) && run_shows_check(run) && run_gdb_begin(run);
}

static const char *status_text(const Run *run)
{
    if (run->fault_count) {
        return "fault";
    }
    return run->hangs ? "hang" : run->stopped || run->killed ? "stopped" : "ok";
}

static bool show_results(Run *run)
{
    if (run->replay) {
        run_replay_show(run);
    }
    if (!run->kernel) {
        return run_shows_do(run);
    }
    if (!run->fault_count && !run->hangs) {
        run_kernel_show(run->kernel);
    }
    return true;
}

/* Faults come before results, which may be missing because of them. */
static bool tell(Run *run)
{
    if (!run->options.json) {
        run_inject_print(run);
        run_faults_print(run);
        run_states_print(run);
        run_profile_print(run);
        return show_results(run);
    }
    if (run->trace) {
        json_end(&run->json);
    }
    json_string(&run->json, "status", status_text(run));
    run_inject_json(run);
    run_faults_json(run);
    run_states_json(run);
    run_profile_json(run);
    return show_results(run);
}

static void begin_json(Run *run)
{
    json_init(&run->json);
    json_object(&run->json, NULL);
    if (run->trace) {
        json_array(&run->json, "trace");
    }
}

static void end_json(Run *run, bool print)
{
    g_autofree char *text = NULL;

    if (print) {
        json_end(&run->json);
    }
    text = json_finish(&run->json);
    if (print) {
        fputs(text, stdout);
    }
}

void run_trace_begin(Run *run)
{
    if (run->options.trace || run->options.watch) {
        run->trace = run_trace_new(run);
        if (run->options.json) {
            begin_json(run);
        }
    }
}

bool run_tell(Run *run, bool ran)
{
    bool told;

    if (run->options.json && !run->trace) {
        begin_json(run);
    }
    told = ran && tell(run) && run_capture_end(run);
    if (run->options.json) {
        end_json(run, ran);
    }
    return told;
}

static int perform(Run *run)
{
    bool told;

    run_trace_begin(run);
    told = run_tell(run, run_device(run, run_shows_want_registers(run)));
    if (run->fault_count || run->hangs) {
        return RUN_FAULT;
    }
    return told ? RUN_OK : RUN_ERROR;
}

static int run_main(Run *run, int argc, char **argv)
{
    if (!run_options_parse(&run->options, argc, argv)) {
        return RUN_ERROR;
    }
    if (run->options.explain) {
        return run_explain(run->options.explain, run->options.json) ? RUN_OK :
                                                                      RUN_ERROR;
    }
    if (run->options.compile) {
        return run_compile(&run->options);
    }
    if (run->options.state) {
        return run_state(run);
    }
    if (run->options.replay) {
        return run_replay(run);
    }
    if (run->options.kernel) {
        return run_kernel(run);
    }
    return load(run) ? perform(run) : RUN_ERROR;
}

int main(int argc, char **argv)
{
    Run run = { 0 };
    int status;

    setlocale(LC_CTYPE, "");
    g_set_prgname("veu-run");
    run_init(&run);
    status = run_main(&run, argc, argv);
    run_free(&run);
    return tool_flush_output() ? status : RUN_ERROR;
}
