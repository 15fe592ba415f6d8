/*
 * veu-run: --capture: records a launch in a file.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/capture/record.h"
#include "tools/veu-run/kernel.h"

struct RunCapture {
    Run *run;
    VeuRecorder *recorder;
    bool is_written;
    bool has_failed;
};

/* The part of an area in the page of a DMA address. */
static const uint8_t *part_of_page(const RunArea *area, uint64_t iova,
                                   uint64_t *start, uint32_t *bytes)
{
    uint64_t page = iova & -(uint64_t)VEU_CAPTURE_PAGE_BYTES;
    uint64_t last = MIN(page + VEU_CAPTURE_PAGE_BYTES - 1,
                        area->iova + area->bytes - 1);

    *start = MAX(page, area->iova);
    *bytes = last - *start + 1;
    return area->data + (*start - area->iova);
}

static const uint8_t *look(void *opaque, uint64_t address, uint32_t bytes)
{
    RunCapture *c = opaque;
    const RunArea *area = run_memory_find_iova(&c->run->memory, address);

    return area ? area->data + (address - area->iova) : NULL;
}

/* Writes the first launch; further ones are ignored. */
static void done(void *opaque, const VeuCapture *capture)
{
    RunCapture *c = opaque;
    g_autoptr(GByteArray) file = NULL;
    g_autoptr(GError) error = NULL;

    if (c->is_written) {
        return;
    }
    c->is_written = true;
    file = veu_capture_write(capture, &error);
    if (!file) {
        tool_error("--capture %s: %s", c->run->options.capture, error->message);
    }
    c->has_failed = !file || !run_file_write(c->run->options.capture,
                                             file->data, file->len);
}

static void lost(void *opaque, const char *why)
{
    RunCapture *c = opaque;

    c->has_failed = true;
    tool_error("--capture %s: %s", c->run->options.capture, why);
}

bool run_capture_begin(Run *run)
{
    const RunOptions *o = &run->options;
    const char *text = o->capture_rules ? o->capture_rules : "launch=1";
    VeuCaptureRules *rules;
    g_autoptr(GError) error = NULL;
    VeuRecorderHost host = { look, done, lost, NULL };

    if (!o->capture) {
        return !o->capture_rules ||
               tool_error("--capture-rules %s: name a file with --capture FILE",
                          o->capture_rules);
    }
    if (run->numbers.workers > 1) {
        return tool_error("--capture %s: omit --workers, whose threads run in "
                          "an order that cannot be repeated",
                          o->capture);
    }
    rules = veu_capture_rules_new(text, &error);
    if (!rules) {
        return tool_error("--capture-rules %s", error->message);
    }
    run->capture = g_new0(RunCapture, 1);
    run->capture->run = run;
    host.opaque = run->capture;
    run->capture->recorder = veu_recorder_new(rules, &host);
    if (run->kernel) {
        veu_recorder_set_kernel(run->capture->recorder,
                                run->kernel->kernel->name);
        veu_recorder_set_source(run->capture->recorder, run->lines, run->files);
    }
    return true;
}

void run_capture_free(RunCapture *c)
{
    if (c) {
        veu_recorder_free(c->recorder);
        g_free(c);
    }
}

bool run_capture_is_on(const Run *run)
{
    return run->capture && veu_recorder_is_on(run->capture->recorder);
}

void run_capture_touch(Run *run, uint64_t iova, enum veu_access access)
{
    const RunArea *area = run_memory_find_iova(&run->memory, iova);
    const uint8_t *data;
    uint64_t start;
    uint32_t bytes;

    if (area && (access != VEU_ACCESS_WRITE || area->writable)) {
        data = part_of_page(area, iova, &start, &bytes);
        veu_recorder_touch(run->capture->recorder, start, data, bytes, access);
    }
}

void run_capture_event(Run *run, const VeuEvent *event)
{
    veu_recorder_event(run->capture->recorder, run->device, event, run->now_ns);
}

bool run_capture_end(Run *run)
{
    const RunCapture *c = run->capture;

    if (!c || c->has_failed) {
        return !c;
    }
    return c->is_written ||
           tool_error("--capture %s: no launch was captured; "
                      "%s",
                      run->options.capture,
                      run->options.capture_rules ? "the rules select none" :
                                                   "none has ended");
}
