/*
 * veu unit tests: a host that fails once, at every place where it can.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The n-th call fails, for n = 1, 2, ... until a run has no n-th one.
 */
#include "hw/veu/device/lazy.h"
#include "tests/lib/failing_host.h"
#include "tests/lib/fault_world.h"

/* ---- memory for the device itself: the linker sends these here ---- */

/* counts down to the call that fails; 0: none fails */
static unsigned calls_left;
static int allocated;

void *__real_veu_lazy_new(size_t bytes);
void __real_veu_lazy_free(void *memory, size_t bytes);
void *__wrap_veu_lazy_new(size_t bytes);
void __wrap_veu_lazy_free(void *memory, size_t bytes);

/* Returns true if the current call has to fail. */
static bool fails(void)
{
    if (calls_left && --calls_left == 0) {
        return true;
    }
    allocated++;
    return false;
}

void *__wrap_veu_lazy_new(size_t bytes)
{
    return fails() ? NULL : __real_veu_lazy_new(bytes);
}

void __wrap_veu_lazy_free(void *memory, size_t bytes)
{
    allocated -= memory != NULL;
    __real_veu_lazy_free(memory, bytes);
}

static void test_no_memory_for_the_device(void)
{
    VeuDeviceConfig config = { .rings = 5,
                               .doorbell_stride_bytes = 4096,
                               .program_memory_bytes = 1u << 20 };
    TestHost *host = g_new0(TestHost, 1);
    unsigned n = 0;
    bool failed;

    test_host_init(host);
    do {
        int before = allocated;
        VeuDevice *device;

        calls_left = ++n;
        device = veu_device_new(&config, &host->host);
        failed = calls_left == 0;
        calls_left = 0;
        g_assert_cmpint(device == NULL, ==, failed);
        veu_device_free(device);
        g_assert_cmpint(allocated, ==, before);
    } while (failed);
    /*
     * The device, its translations, loaded programs, its rings; the last run
     * fails nowhere.
     */
    g_assert_cmpuint(n, ==, 1 + 1 + 1 + 5 + 1);
    test_host_free(host);
    g_free(host);
}

/* ---- guest memory ---- */

typedef struct Outcome {
    uint8_t pages[2 * TEST_PAGE_BYTES];
    uint64_t fence;
    uint16_t code; /* of the last fault, or 0 */
} Outcome;

static Dev *run(TestKind kind, bool has_open, Outcome *o)
{
    FaultOutcome *unused = g_new0(FaultOutcome, 1);
    FaultWorld w;
    Dev *d;

    fault_world_init(&w, kind);
    w.policy = VEU_POLICY_HALT;
    d = fault_world_new(&w, unused);
    g_free(unused);
    failing_host.has_open = has_open;
    failing_host_use(d);
    dev_run(d);
    test_memory_get(&d->host.memory, FAULT_PAGES, o->pages, sizeof(o->pages));
    o->fence = dev_fence_value(d);
    o->code = dev_ring_get(d, VEU_REG_RING_LAST_FAULT);
    return d;
}

/*
 * Each byte has its old or its new value on the page of the last EU thread, the
 * only one that writes there.
 */
static void check_pages(const Outcome *o, const Outcome *good)
{
    for (uint64_t at = FAULT_GOOD; at < FAULT_END; at++) {
        uint8_t byte = o->pages[at - FAULT_PAGES];

        if (byte != fault_byte(at)) {
            g_assert_cmphex(byte, ==, good->pages[at - FAULT_PAGES]);
        }
    }
}

static void check_failed_map(Dev *d, const Outcome *o, const Outcome *good)
{
    check_pages(o, good);
    if (o->code) {
        g_assert_true(failing_is_memory_fault(o->code));
        g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==,
                         VEU_RING_HALTED);
    } else {
        g_assert_cmpuint(o->fence, ==, 1);
        g_assert_cmpmem(o->pages, sizeof(o->pages), good->pages,
                        sizeof(good->pages));
    }
    failing_assert_recovers(d);
}

static void test_a_map_fails(gconstpointer data)
{
    TestKind kind = GPOINTER_TO_UINT(data);
    g_autofree Outcome *good = g_new0(Outcome, 1);
    g_autofree Outcome *o = g_new0(Outcome, 1);
    bool failed = true;

    dev_free(run(kind, false, good));
    g_assert_cmpuint(good->fence, ==, 1);
    for (unsigned n = 1; failed; n++) {
        Dev *d;

        failing_host.map = n;
        d = run(kind, false, o);
        failed = failing_host.map == 0;
        failing_host.map = 0;
        g_test_message("call %u: fault 0x%x", n, o->code);
        check_failed_map(d, o, good);
        dev_free(d);
    }
}

/* If open() fails there is no fault, because map() works. */
static void test_an_open_fails(gconstpointer data)
{
    TestKind kind = GPOINTER_TO_UINT(data);
    g_autofree Outcome *good = g_new0(Outcome, 1);
    g_autofree Outcome *o = g_new0(Outcome, 1);
    bool failed = true;

    dev_free(run(kind, true, good));
    for (unsigned n = 1; failed; n++) {
        failing_host.open = n;
        dev_free(run(kind, true, o));
        failed = failing_host.open == 0;
        failing_host.open = 0;
        g_assert_cmphex(o->code, ==, 0);
        g_assert_cmpmem(o, sizeof(*o), good, sizeof(*good));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/host_fails/no_memory_for_the_device",
                    test_no_memory_for_the_device);
    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        const char *name = test_layouts[kind].name;
        g_autofree char *map = g_strdup_printf("/host_fails/map/%s", name);
        g_autofree char *open = g_strdup_printf("/host_fails/open/%s", name);

        g_test_add_data_func(map, GUINT_TO_POINTER(kind), test_a_map_fails);
        g_test_add_data_func(open, GUINT_TO_POINTER(kind), test_an_open_fails);
    }
    return g_test_run();
}
