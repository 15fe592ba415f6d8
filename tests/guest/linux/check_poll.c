/*
 * poll() and epoll: docs/linux.md, "Event loops".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>
#include "guest.h"

/* Consumes the events of all submitted commands. */
static bool is_done(Client *c)
{
    return veu_client_wait(c->veu, veu_client_tail(c->veu), 0) == 0;
}

static void check_before(void)
{
    struct veu_client *veu;
    Client c;

    veu_client_open(&veu, NULL);
    check("poll() has no news of a client without a ring",
          events_of(&(Client){ .veu = veu }, 0) == 0);
    veu_client_close(veu);
    open_client(&c);
    check("... nor of a ring that has done nothing", events_of(&c, 20) == 0);
    close_client(&c);
}

static void *poll_in_thread(void *client)
{
    return (void *)(intptr_t)events_of(client, 5000);
}

/* A thread polls before another one makes the ring. */
static void check_early(void)
{
    void *events = NULL;
    uint64_t begin;
    pthread_t thread;
    Client c = { 0 };

    veu_client_open(&c.veu, NULL);
    pthread_create(&thread, NULL, poll_in_thread, &c);
    usleep(50000);
    veu_client_ring_create(c.veu, NULL);
    veu_client_buffer_create(c.veu, 4096, &c.buffer);
    begin = now_ns();
    submit_fill(&c, c.buffer.address, 1, 8);
    pthread_join(thread, &events);
    check("poll() has news of a ring that is made meanwhile",
          (intptr_t)events == POLLIN &&
              now_ns() - begin < 2 * VEU_CLIENT_SECOND);
    close_client(&c);
}

static void check_completion(void)
{
    uint64_t begin;
    Client c;

    open_client(&c);
    submit_wait(&c, 5, 0);
    check("poll() has no news while the ring waits", events_of(&c, 50) == 0);
    begin = now_ns();
    c.memory[0] = 5;
    veu_client_notify(c.veu);
    check("... and POLLIN when it is done",
          events_of(&c, 5000) == POLLIN &&
              now_ns() - begin < VEU_CLIENT_SECOND);
    check("... until a wait has reported it",
          events_of(&c, 0) == POLLIN && is_done(&c) && events_of(&c, 20) == 0);
    close_client(&c);
}

/* A reset or a resume also moves the head, which is not an event. */
static void check_fault(void)
{
    struct veu_linux_faults faults;
    Client c;

    open_client(&c);
    submit_fill(&c, 8, 1, 8);
    check("a fault is POLLPRI, a ring that has halted POLLERR",
          events_of(&c, 5000) & (POLLPRI | POLLERR) && wait_all(&c) == -EIO &&
              events_of(&c, 0) == (POLLPRI | POLLERR));
    check("... POLLPRI until its record is taken",
          !veu_client_faults(c.veu, &faults) && faults.count == 1 &&
              events_of(&c, 0) == POLLERR);
    check("... POLLERR until the ring continues",
          !veu_client_skip(c.veu, &faults.records[0]) &&
              events_of(&c, 20) == 0 && fills(&c, 2));
    check("a reset is no news",
          !veu_client_reset(c.veu) && events_of(&c, 20) == 0 && fills(&c, 3));
    close_client(&c);
}

static bool has_event(int poll_fd, int timeout_ms)
{
    struct epoll_event event;

    return epoll_wait(poll_fd, &event, 1, timeout_ms) == 1 &&
           event.events & EPOLLIN;
}

/* Two clients in one loop, one event for each command. */
static void check_epoll(void)
{
    struct epoll_event event = { .events = EPOLLIN | EPOLLET };
    int poll_fd = epoll_create1(0);
    bool good = true;
    Client c[2];

    for (unsigned i = 0; i < 2; i++) {
        open_client(&c[i]);
        epoll_ctl(poll_fd, EPOLL_CTL_ADD, veu_client_fd(c[i].veu), &event);
    }
    good = !has_event(poll_fd, 20);
    for (unsigned i = 0; i < 20; i++) {
        submit_fill(&c[i % 2], c[i % 2].buffer.address, i, 8);
        good = good && has_event(poll_fd, 5000) && is_done(&c[i % 2]) &&
               !has_event(poll_fd, 0);
    }
    check("epoll, edge-triggered: an event for each command", good);
    close(poll_fd);
    close_client(&c[0]);
    close_client(&c[1]);
}

void check_poll(void)
{
    check_before();
    check_early();
    check_completion();
    check_fault();
    check_epoll();
}
