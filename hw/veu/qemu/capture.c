/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The properties capture and capture-rules: docs/capture.md. Launches that the
 * rules select are stored in a directory of the host. Neither the property nor
 * a launch that is being recorded migrates.
 *
 * Files are written in the thread that runs the device, in the middle of a
 * batch: captures serve to find out what happened, not how fast.
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/units.h"
#include "qapi/error.h"
#include "hw/veu/qemu/capture.h"
#include "hw/veu/qemu/engine_pause.h"
#include "hw/veu/qemu/trace.h"

/* A guest must not fill the host's disk. */
#define MAX_FILES 100
#define MAX_BYTES (1 * GiB)

struct VeuCaptures {
    VeuState *device;
    VeuRecorder *recorder;
    unsigned files; /* files written, including failures */
    uint64_t bytes; /* of them */
};

/* --- Memory -------------------------------------------------------------- */

/* All of the page, or NULL: RAM that ends within a page is not recorded. */
static const uint8_t *map_page(VeuState *s, uint64_t page,
                               enum veu_access access)
{
    uint32_t bytes = VEU_CAPTURE_PAGE_BYTES;
    const uint8_t *data = veu_memory_map(&s->memory.map, page, &bytes, access);

    return bytes == VEU_CAPTURE_PAGE_BYTES ? data : NULL;
}

static const uint8_t *look(void *opaque, uint64_t address, uint32_t bytes)
{
    VeuCaptures *c = opaque;
    const uint8_t *data = map_page(c->device, address, VEU_ACCESS_READ);

    return data ? data : map_page(c->device, address, VEU_ACCESS_WRITE);
}

void veu_capture_touch(VeuState *s, uint64_t iova, enum veu_access access)
{
    uint64_t page = iova & -(uint64_t)VEU_CAPTURE_PAGE_BYTES;
    const uint8_t *data = map_page(s, page, access);

    if (data) {
        veu_recorder_touch(s->captures->recorder, page, data,
                           VEU_CAPTURE_PAGE_BYTES, access);
    }
}

/* --- Files --------------------------------------------------------------- */

static char *path_of(const VeuState *s, uint64_t number)
{
    const char *id = DEVICE(s)->id;

    return g_strdup_printf("%s/%s-%" PRIu64 ".veucap", s->capture_dir,
                           id ? id : TYPE_VEU, number);
}

static bool is_full(const VeuCaptures *c)
{
    return c->files >= MAX_FILES || c->bytes >= MAX_BYTES;
}

/* The file contains guest memory, so only its owner may read it. */
static bool write_file(const char *path, const GByteArray *content)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool ok = fd >= 0 &&
              qemu_write_full(fd, content->data, content->len) == content->len;

    return fd >= 0 && close(fd) == 0 && ok;
}

static void done(void *opaque, const VeuCapture *capture)
{
    VeuCaptures *c = opaque;
    g_autofree char *path = path_of(c->device, capture->launch.number);
    g_autoptr(GError) error = NULL;
    g_autoptr(GByteArray) file = veu_capture_write(capture, &error);

    c->files++;
    c->bytes += file ? file->len : 0;
    if (!file) {
        warn_report_once("veu: a launch was not captured: %s", error->message);
    } else if (!write_file(path, file)) {
        warn_report_once("veu: a launch was not captured: %s: %s", path,
                         strerror(errno));
    } else {
        trace_veuhost_capture(capture->launch.number, path);
    }
    if (is_full(c)) {
        warn_report("veu: %u launches with %" PRIu64 " MiB were captured: no "
                    "more will be before the property is set again",
                    c->files, c->bytes / MiB);
    }
}

static void lost(void *opaque, const char *why)
{
    trace_veuhost_capture_lost(why);
}

/* --- The properties ------------------------------------------------------ */

static VeuCaptureRules *parse(const char *text, Error **errp)
{
    g_autoptr(GError) error = NULL;
    VeuCaptureRules *rules = veu_capture_rules_new(text, &error);

    if (!rules) {
        error_setg(errp, "veu: capture-rules: %s", error->message);
        error_append_hint(errp, "docs/capture.md describes the rules.\n");
    }
    return rules;
}

static bool check_directory(const VeuState *s, Error **errp)
{
    if (s->worker_count > 1) {
        error_setg(errp,
                   "veu: capture=%s needs workers=1: the order of "
                   "several threads cannot be repeated",
                   s->capture_dir);
        return false;
    }
    if (!g_file_test(s->capture_dir, G_FILE_TEST_IS_DIR)) {
        error_setg(errp, "veu: capture=%s: no such directory", s->capture_dir);
        error_append_hint(errp,
                          "Create it: captured launches become files in it.\n");
        return false;
    }
    return true;
}

bool veu_capture_start(VeuState *s, Error **errp)
{
    VeuRecorderHost host = { look, done, lost, NULL };
    VeuCaptureRules *rules = parse(s->capture_rules, errp);

    if (!rules) {
        return false;
    }
    if (!*s->capture_dir) {
        veu_capture_rules_free(rules);
        return true;
    }
    if (!check_directory(s, errp)) {
        veu_capture_rules_free(rules);
        return false;
    }
    s->captures = g_new0(VeuCaptures, 1);
    s->captures->device = s;
    host.opaque = s->captures;
    s->captures->recorder = veu_recorder_new(rules, &host);
    return true;
}

void veu_capture_stop(VeuState *s)
{
    if (s->captures) {
        veu_recorder_free(s->captures->recorder);
    }
    g_clear_pointer(&s->captures, g_free);
}

/*
 * A wrong value changes nothing. A batch that stores a launch reads the name of
 * the directory, so the device is paused while it changes.
 */
static void set_text(VeuState *s, char **property, const char *text,
                     Error **errp)
{
    g_autofree char *before = NULL;
    VeuCaptures *captures = s->captures;

    if (!DEVICE(s)->realized) {
        g_free(*property);
        *property = g_strdup(text);
        return;
    }
    veu_engine_pause(&s->engine);
    before = g_steal_pointer(property);
    *property = g_strdup(text);
    s->captures = NULL;
    if (veu_capture_start(s, errp)) {
        g_autofree VeuCaptures *old = captures;

        if (old) {
            veu_recorder_free(old->recorder);
        }
    } else {
        s->captures = captures;
        g_free(*property);
        *property = g_steal_pointer(&before);
    }
    veu_engine_resume(&s->engine);
}

static void set_dir(Object *obj, const char *text, Error **errp)
{
    set_text(VEU(obj), &VEU(obj)->capture_dir, text, errp);
}

static char *get_dir(Object *obj, Error **errp)
{
    return g_strdup(VEU(obj)->capture_dir);
}

static void set_rules(Object *obj, const char *text, Error **errp)
{
    set_text(VEU(obj), &VEU(obj)->capture_rules, text, errp);
}

static char *get_rules(Object *obj, Error **errp)
{
    return g_strdup(VEU(obj)->capture_rules);
}

void veu_capture_class_init(ObjectClass *klass)
{
    object_class_property_add_str(klass, "capture", get_dir, set_dir);
    object_class_property_set_description(
        klass, "capture",
        "directory for launches that capture-rules select, which veu-run "
        "repeats; can be set at any time");
    object_class_property_add_str(klass, "capture-rules", get_rules, set_rules);
    object_class_property_set_description(
        klass, "capture-rules",
        "launches to capture, \"launch=5; fault=ADDRESS\", say [fault=any]; "
        "can be set at any time");
}

/* --- Events -------------------------------------------------------------- */

bool veu_capture_is_on(const VeuState *s)
{
    return s->captures && veu_recorder_is_on(s->captures->recorder);
}

/*
 * Other kinds of events also come without the batch lock: from a guest CPU that
 * reads no register, while another thread ends a recording.
 */
void veu_capture_event(VeuState *s, const VeuEvent *event)
{
    if (!(VEU_RECORDER_EVENTS & 1u << event->kind)) {
        return;
    }
    if (s->captures && !is_full(s->captures)) {
        veu_recorder_event(s->captures->recorder, s->device, event,
                           s->host.now_ns(&s->host));
    }
}
