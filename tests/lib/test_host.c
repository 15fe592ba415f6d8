/*
 * veu tests: a host for the device model.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include <string.h>
#include "tests/lib/test_host.h"

static TestHost *test_host(VeuHost *host)
{
    return (TestHost *)host;
}

static void add_entry(TestHost *h, TestLogEntry entry)
{
    if (h->watch_iova) {
        entry.watched = test_memory_get64(&h->memory, h->watch_iova);
    }
    h->log[h->log_count % TEST_LOG_ENTRIES] = entry;
    h->log_count++;
}

static uint8_t *host_map(VeuHost *host, uint64_t iova, uint32_t *bytes,
                         enum veu_access access)
{
    return test_memory_map(&test_host(host)->memory, iova, bytes, access);
}

static bool host_open(VeuHost *host, uint64_t iova, enum veu_access access,
                      VeuExtent *extent)
{
    return test_memory_open(&test_host(host)->memory, iova, access, extent);
}

static void host_note(VeuHost *host, uint8_t *at)
{
    test_memory_note(&test_host(host)->memory, at);
}

static void host_flush(VeuHost *host)
{
    add_entry(test_host(host), (TestLogEntry){ .kind = TEST_LOG_FLUSH });
    test_memory_flush(&test_host(host)->memory);
}

static void host_fence(VeuHost *host)
{
    TestHost *h = test_host(host);

    add_entry(h, (TestLogEntry){ .kind = TEST_LOG_FENCE });
    if (h->on_fence) {
        h->on_fence(h);
    }
}

static void host_interrupt(VeuHost *host, uint32_t vector)
{
    add_entry(test_host(host),
              (TestLogEntry){ .kind = TEST_LOG_INTERRUPT, .vector = vector });
}

static uint64_t host_now_ns(VeuHost *host)
{
    return test_host(host)->now_ns;
}

static void host_event(VeuHost *host, const VeuEvent *event)
{
    g_assert_nonnull(event->name);
    add_entry(test_host(host),
              (TestLogEntry){ .kind = TEST_LOG_EVENT, .event = *event });
}

void test_host_init(TestHost *h)
{
    memset(h, 0, sizeof(*h));
    h->host = (VeuHost){
        .map = host_map,
        .open = host_open,
        .note = host_note,
        .flush = host_flush,
        .memory_version = 1,
        .fence = host_fence,
        .interrupt = host_interrupt,
        .now_ns = host_now_ns,
        .event = host_event,
        .events = g_getenv("VEU_TEST_UNOBSERVED") ? 0 :
                                                    (1u << VEU_EVENT_COUNT) - 1,
    };
    test_memory_init(&h->memory);
}

void test_host_free(TestHost *h)
{
    test_memory_free(&h->memory);
}

void test_host_move(TestHost *h)
{
    test_memory_move(&h->memory);
    h->host.memory_version++;
}

void test_host_clear_log(TestHost *h)
{
    h->log_count = 0;
}

unsigned test_host_count(const TestHost *h, TestLogKind kind)
{
    unsigned count = 0;

    g_assert_cmpuint(h->log_count, <=, TEST_LOG_ENTRIES);
    for (unsigned i = 0; i < h->log_count; i++) {
        count += h->log[i].kind == kind;
    }
    return count;
}

unsigned test_host_count_events(const TestHost *h, VeuEventKind kind)
{
    unsigned count = 0;

    g_assert_cmpuint(h->log_count, <=, TEST_LOG_ENTRIES);
    for (unsigned i = 0; i < h->log_count; i++) {
        count += h->log[i].kind == TEST_LOG_EVENT &&
                 h->log[i].event.kind == kind;
    }
    return count;
}

const VeuEvent *test_host_last_event(const TestHost *h, VeuEventKind kind)
{
    g_assert_cmpuint(h->log_count, <=, TEST_LOG_ENTRIES);
    for (unsigned i = h->log_count; i-- > 0;) {
        if (h->log[i].kind == TEST_LOG_EVENT && h->log[i].event.kind == kind) {
            return &h->log[i].event;
        }
    }
    return NULL;
}
