/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Waking the device thread.
 */
#include "qemu/osdep.h"
#include <linux/membarrier.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include "qemu/atomic.h"
#include "hw/veu/qemu/kick.h"

/*
 * Without membarrier() a kick may be missed, so rings are checked now and then.
 */
#define BLIND_SLEEP_MS 1

EventNotifier veu_kick_doorbells;
static unsigned devices;

static int membarrier(int command)
{
    return syscall(__NR_membarrier, command, 0, 0);
}

static int take_doorbells(void)
{
    int ret = devices ? 0 : event_notifier_init(&veu_kick_doorbells, 0);

    devices += ret == 0;
    return ret;
}

static void drop_doorbells(void)
{
    if (--devices == 0) {
        event_notifier_cleanup(&veu_kick_doorbells);
    }
}

static int watch(VeuKick *k, EventNotifier *notifier, uint32_t events)
{
    struct epoll_event event = { .events = events, .data.ptr = notifier };

    return epoll_ctl(k->epoll_fd, EPOLL_CTL_ADD,
                     event_notifier_get_fd(notifier), &event) < 0 ?
               -errno :
               0;
}

/*
 * Doorbells are never cleared: each write to them is an edge for every device.
 */
static int watch_both(VeuKick *k)
{
    int ret;

    k->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (k->epoll_fd < 0) {
        return -errno;
    }
    ret = watch(k, &k->own, EPOLLIN);
    if (ret == 0) {
        ret = watch(k, &veu_kick_doorbells, EPOLLIN | EPOLLET);
    }
    if (ret < 0) {
        close(k->epoll_fd);
    }
    return ret;
}

int veu_kick_init(VeuKick *k)
{
    int ret = event_notifier_init(&k->own, 0);

    if (ret < 0) {
        return ret;
    }
    ret = take_doorbells();
    if (ret == 0) {
        ret = watch_both(k);
        if (ret == 0) {
            k->has_membarrier =
                membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;
            return 0;
        }
        drop_doorbells();
    }
    event_notifier_cleanup(&k->own);
    return ret;
}

void veu_kick_cleanup(VeuKick *k)
{
    close(k->epoll_fd);
    drop_doorbells();
    event_notifier_cleanup(&k->own);
}

void veu_kick_wait(VeuKick *k)
{
    struct epoll_event events[2];
    int count = epoll_wait(k->epoll_fd, events, ARRAY_SIZE(events),
                           k->has_membarrier ? -1 : BLIND_SLEEP_MS);

    for (int i = 0; i < count; i++) {
        if (events[i].data.ptr == &k->own) {
            event_notifier_test_and_clear(&k->own);
        }
    }
}

void veu_kick_fence(const VeuKick *k)
{
    smp_mb();
    if (k->has_membarrier) {
        membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    }
}
