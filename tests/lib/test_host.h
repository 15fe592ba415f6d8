/*
 * veu tests: a host for the device model.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Memory, a clock that a test sets, interrupts and events. All calls of the
 * model go into one log, in order, each with the value of a watched word of
 * guest memory at that moment, so that a test can check what was visible when.
 *
 * The host asks for all events, so that messages run one by one. With
 * VEU_TEST_UNOBSERVED in the environment, it asks for none.
 */
#ifndef VEU_TEST_HOST_H
#define VEU_TEST_HOST_H

#include "hw/veu/device/host/host.h"
#include "tests/lib/test_memory.h"

#define TEST_LOG_ENTRIES 4096

typedef enum TestLogKind {
    TEST_LOG_FLUSH,
    TEST_LOG_FENCE,
    TEST_LOG_INTERRUPT,
    TEST_LOG_EVENT,
} TestLogKind;

typedef struct TestLogEntry {
    TestLogKind kind;
    uint32_t vector;  /* of an interrupt */
    VeuEvent event;   /* of an event */
    uint64_t watched; /* 8 bytes at watch_iova at that moment */
} TestLogEntry;

typedef struct TestHost TestHost;
typedef struct TestScreen TestScreen;

struct TestHost {
    VeuHost host; /* first */
    TestMemory memory;
    uint64_t now_ns;
    uint64_t watch_iova; /* 0 if nothing is watched */
    unsigned log_count;
    TestLogEntry log[TEST_LOG_ENTRIES];
    /* If set, it is called from within the model's call. */
    void (*on_fence)(TestHost *host);
    TestScreen *screen; /* NULL if there is none */
    void *opaque;
};

void test_host_init(TestHost *host);
void test_host_free(TestHost *host);
/* Moves all guest memory, and notifies the device. */
void test_host_move(TestHost *host);
void test_host_clear_log(TestHost *host);

/* Returns the number of entries of a kind, and of events by kind. */
unsigned test_host_count(const TestHost *host, TestLogKind kind);
unsigned test_host_count_events(const TestHost *host, VeuEventKind kind);

/* Returns the newest event of a kind, or NULL. */
const VeuEvent *test_host_last_event(const TestHost *host, VeuEventKind kind);

#endif
