/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The device thread.
 */
#include "qemu/osdep.h"
#include "qemu/rcu.h"
#include "qemu/timer.h"
#include "qapi/error.h"
#include "hw/veu/qemu/beat.h"
#include "hw/veu/qemu/engine_pause.h"
#include "hw/veu/qemu/host_events.h"
#include "hw/veu/qemu/spin.h"
#include "hw/veu/qemu/trace.h"
#include "hw/veu/qemu/veu.h"

/*
 * A batch ends after it has found work this often, or missed in an IOMMU this
 * often.
 */
#define POLL_FINDS 32

void veu_engine_kick(VeuEngine *e)
{
    if (e->beat) {
        veu_beat_kick(e->beat);
    } else {
        event_notifier_set(&e->kick.own);
    }
}

/* Called with the batch lock: returns true if no batch may begin. */
static bool is_held(VeuEngine *e)
{
    return e->vm_stopped || container_of(e, VeuState, engine)->host.halted;
}

/* The big lock is held to end a halt, so pauses do not change. */
void veu_engine_halt(VeuState *s, bool halted)
{
    VeuEngine *e = &s->engine;

    s->host.halted = halted;
    qatomic_set(&e->awaited, halted || qatomic_read(&e->pauses));
    qemu_cond_broadcast(&e->resumed);
}

/* Takes the batch lock once the engine may run, or must end. */
static void lock_batch(VeuEngine *e)
{
    if (e->poll.has_cpu && qatomic_read(&e->pauses)) {
        veu_spin(&e->pauses, 0, VEU_PAUSE_SPIN_NS);
    }
    qemu_mutex_lock(&e->batch);
    while ((qatomic_read(&e->pauses) || is_held(e)) && !e->stop) {
        qemu_cond_wait(&e->resumed, &e->batch);
    }
}

/* Returns false if the thread must end; there is no batch then. */
static bool begin_batch(VeuState *s)
{
    VeuEngine *e = &s->engine;

    lock_batch(e);
    while (veu_memory_needs_big_lock(&s->memory) && !e->stop) {
        qemu_mutex_unlock(&e->batch);
        event_notifier_set(&e->main_loop);
        veu_kick_wait(&e->kick);
        lock_batch(e);
    }
    if (e->stop) {
        qemu_mutex_unlock(&e->batch);
        return false;
    }
    /* Only this thread can handle misses. */
    s->host.helper_count = s->memory.has_iommu ? 0 : s->workers.count;
    return true;
}

static void end_batch(VeuState *s)
{
    veu_memory_flush(&s->memory.map);
    veu_iotlb_rate(&s->memory.iotlb);
    veu_miss_end_batch(&s->engine.miss);
    qemu_mutex_unlock(&s->engine.batch);
}

/* Returns true if the main loop, which can translate, should do the rest. */
static bool misses_too_much(VeuState *s)
{
    return !s->engine.in_main_loop && s->memory.iotlb.misses > VEU_IOTLB_COLD;
}

/* Gives rings of @ready up to @turns. Returns true if there is more to do. */
static bool run_rings(VeuState *s, uint64_t ready, unsigned turns,
                      unsigned budget)
{
    while (ready && turns-- && !qatomic_read(&s->engine.awaited) &&
           !misses_too_much(s)) {
        uint32_t ring = veu_device_pick(s->device, ready);

        if (veu_ring_step(s->device, ring, budget) != VEU_STEP_MORE) {
            ready &= ~(1ull << ring);
        }
        veu_memory_flush_many(&s->memory.map);
    }
    return ready;
}

/*
 * A batch: some turns of rings and some rows of a flip. Returns true if there
 * is more to do.
 */
static bool run_batch(VeuState *s, unsigned turns, unsigned budget)
{
    VeuStep step = veu_scanout_step(s->device, budget);

    veu_host_update_events(s);
    return run_rings(s, veu_device_ready(s->device), turns, budget) ||
           step == VEU_STEP_MORE;
}

/*
 * Polls in a batch that has finished its work, and gives ready rings their
 * turns in the same batch, because their drivers wait. Returns true if there is
 * more to do or to poll for.
 */
static bool poll_rings(VeuState *s)
{
    unsigned finds = s->memory.has_iommu ? 1 : POLL_FINDS;

    if (!veu_poll_may(s)) {
        return false;
    }
    while (finds--) {
        uint64_t ready = veu_poll(s);

        if (!ready) {
            return qatomic_read(&s->engine.pauses);
        }
        if (run_rings(s, ready, VEU_BATCH_TURNS, VEU_STEP_BUDGET)) {
            return true;
        }
        veu_memory_flush(&s->memory.map);
    }
    return true;
}

static void wake_at(VeuEngine *e, uint64_t ns)
{
    if (e->beat) {
        veu_beat_wake_at(e->beat, ns);
    } else {
        veu_alarm_set(&e->alarm, ns);
    }
}

/*
 * Called in a batch. Asks drivers to kick, and arranges wake-ups for waiting
 * rings. Returns false if work has arrived.
 */
static bool prepare_sleep(VeuState *s)
{
    if (!veu_device_sleep(s->device)) {
        return false;
    }
    wake_at(&s->engine, veu_device_deadline(s->device));
    return true;
}

static bool may_sleep(VeuState *s)
{
    bool may = begin_batch(s);

    if (may) {
        may = prepare_sleep(s);
        end_batch(s);
    }
    return may;
}

static void *engine_thread(void *opaque)
{
    VeuState *s = opaque;

    rcu_register_thread();
    while (begin_batch(s)) {
        bool more = run_batch(s, VEU_BATCH_TURNS, VEU_STEP_BUDGET) ||
                    poll_rings(s);

        end_batch(s);
        if (!more && may_sleep(s)) {
            veu_kick_wait(&s->engine.kick);
        }
    }
    rcu_unregister_thread();
    return NULL;
}

/* A thread with the big lock, outside of batches, uses memory itself. */
static void enter_main_loop(VeuState *s)
{
    s->engine.in_main_loop = true;
    s->host.helper_count = 0; /* helpers would not hold the big lock */
}

static void leave_main_loop(VeuState *s)
{
    VeuEngine *e = &s->engine;

    e->in_main_loop = false;
    if (e->reset_wanted) {
        e->reset_wanted = false;
        veu_device_reset(s->device);
    }
}

void veu_engine_enter(VeuState *s)
{
    veu_engine_pause(&s->engine);
    enter_main_loop(s);
}

void veu_engine_leave(VeuState *s)
{
    leave_main_loop(s);
    veu_engine_resume(&s->engine);
}

void veu_engine_reset(VeuState *s)
{
    if (s->engine.in_main_loop) {
        s->engine.reset_wanted = true;
        return;
    }
    veu_engine_pause(&s->engine);
    veu_device_reset(s->device);
    veu_engine_resume(&s->engine);
}

bool veu_engine_run(VeuState *s, unsigned turns, unsigned budget)
{
    bool more;

    enter_main_loop(s);
    more = run_batch(s, turns, budget) || !prepare_sleep(s);
    veu_memory_flush(&s->memory.map);
    veu_iotlb_rate(&s->memory.iotlb);
    leave_main_loop(s);
    return more;
}

/*
 * The model may read memory here, but does not write it: a context is copied by
 * the register write that makes a ring or a flip use it. Its misses do not
 * belong to a batch.
 */
void veu_engine_write(VeuState *s, uint32_t offset, uint64_t value,
                      unsigned bytes)
{
    unsigned misses;

    if (veu_device_write_beside(s->device, offset, value, bytes)) {
        return;
    }
    veu_engine_enter(s);
    misses = s->memory.iotlb.misses;
    veu_device_write(s->device, offset, value, bytes);
    s->memory.iotlb.misses = misses;
    veu_engine_leave(s);
    veu_engine_kick(&s->engine);
}

/* Called with the batch lock: does what the thread has handed over. */
static void run_for_thread(VeuState *s)
{
    VeuEngine *e = &s->engine;

    if (!veu_memory_needs_big_lock(&s->memory) || is_held(e)) {
        veu_engine_kick(e);
    } else if (veu_engine_run(s, 1, VEU_MAIN_LOOP_BUDGET)) {
        event_notifier_set(&e->main_loop);
    }
}

/*
 * Takes the batch lock, unless the thread is in a batch that needs nothing,
 * because another holder of the big lock has answered its request.
 */
static bool lock_if_needed(VeuEngine *e)
{
    if (qatomic_read(&e->miss.is_open)) {
        qemu_mutex_lock(&e->batch);
        return true;
    }
    return qemu_mutex_trylock(&e->batch) == 0;
}

/* Does what the thread needs the big lock for, which the caller holds. */
static void main_loop_batch(EventNotifier *notifier)
{
    VeuState *s = container_of(notifier, VeuState, engine.main_loop);
    VeuEngine *e = &s->engine;

    if (!event_notifier_test_and_clear(notifier)) {
        return;
    }
    /* The thread that changed the memory map has released the big lock. */
    qatomic_set(&s->memory.is_changing, false);
    if (lock_if_needed(e)) {
        object_ref(OBJECT(s));
        if (!veu_miss_answer(s)) {
            run_for_thread(s);
        }
        qemu_mutex_unlock(&e->batch);
        object_unref(OBJECT(s));
    }
}

static void vm_state_changed(void *opaque, bool running, RunState state)
{
    VeuState *s = opaque;

    veu_engine_pause(&s->engine);
    s->engine.vm_stopped = !running;
    veu_engine_resume(&s->engine);
    if (running) {
        veu_interrupt_post(s);
        veu_alarm_refresh(&s->engine.alarm);
        veu_engine_kick(&s->engine);
    }
}

static int init_notifiers(VeuEngine *e)
{
    EventNotifier *const all[] = { &e->main_loop, &e->alarm.changed };
    int kick = veu_kick_init(&e->kick);

    if (kick < 0) {
        return kick;
    }
    for (unsigned i = 0; i < ARRAY_SIZE(all); i++) {
        int ret = event_notifier_init(all[i], 0);

        if (ret < 0) {
            while (i--) {
                event_notifier_cleanup(all[i]);
            }
            veu_kick_cleanup(&e->kick);
            return ret;
        }
    }
    return 0;
}

bool veu_engine_init(VeuState *s, Error **errp)
{
    VeuEngine *e = &s->engine;
    int ret = init_notifiers(e);

    if (ret < 0) {
        error_setg_errno(errp, -ret, "veu: cannot create an event notifier");
        return false;
    }
    qemu_mutex_init(&e->batch);
    qemu_cond_init(&e->resumed);
    qemu_cond_init(&e->miss.changed);
    veu_poll_init(&e->poll);
    return true;
}

void veu_engine_start(VeuState *s)
{
    VeuEngine *e = &s->engine;

    event_notifier_set_handler(&e->main_loop, main_loop_batch);
    veu_alarm_start(&e->alarm, &e->kick.own);
    e->vm_state = qemu_add_vm_change_state_handler(vm_state_changed, s);
    /* Before the first start there is no guest CPU, but there may be a test. */
    e->vm_stopped = !runstate_is_running() &&
                    !runstate_check(RUN_STATE_PRELAUNCH);
    qemu_thread_create(&e->thread, "veu", engine_thread, s,
                       QEMU_THREAD_JOINABLE);
}

void veu_engine_stop(VeuState *s)
{
    VeuEngine *e = &s->engine;

    veu_engine_pause(e);
    e->stop = true;
    veu_engine_resume(e);
    veu_engine_kick(e);
    /*
     * The thread never waits for the big lock, but it waits for the batch lock.
     */
    if (e->in_main_loop) {
        qemu_cond_broadcast(&e->resumed);
        qemu_cond_broadcast(&e->miss.changed);
        qemu_mutex_unlock(&e->batch);
    }
    qemu_thread_join(&e->thread);
    if (e->in_main_loop) {
        qemu_mutex_lock(&e->batch);
    }
    qemu_del_vm_change_state_handler(e->vm_state);
    event_notifier_set_handler(&e->main_loop, NULL);
    veu_alarm_stop(&e->alarm);
}

void veu_engine_cleanup(VeuState *s)
{
    VeuEngine *e = &s->engine;

    qemu_cond_destroy(&e->miss.changed);
    qemu_cond_destroy(&e->resumed);
    qemu_mutex_destroy(&e->batch);
    event_notifier_cleanup(&e->alarm.changed);
    event_notifier_cleanup(&e->main_loop);
    veu_kick_cleanup(&e->kick);
}
