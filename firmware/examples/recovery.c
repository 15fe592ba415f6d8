/*
 * SPDX-License-Identifier: MIT
 *
 * Recovery in a driver when a device fails. Jobs copy memory; the driver waits
 * for each, checks it, and repeats it until it succeeds. If the device faults,
 * hangs, stores wrong values, or loses an interrupt, the driver notices and
 * recovers. docs/fault-inject.md has a command that causes all of these.
 */
#include "veu_command.h"
#include "veu_fault.h"
#include "veu_guest.h"
#include "veu_ring.h"
#include "machine.h"

#define JOBS       20
#define WORDS      1024
#define SLOTS      16
#define RECORDS    16
/*
 * ns of the device's clock. A busy host keeps its guest from running for tenths
 * of a second; an interrupt is not lost because it comes late.
 */
#define PATIENCE   (500 * 1000 * 1000)
#define MAX_TRIALS 5

struct driver {
    struct veu_device device;
    struct veu_ring ring;
    struct veu_ring_config config;
    uint32_t *source;
    uint32_t *target;
    uint64_t *fence;
    volatile bool heard; /* the interrupt */
    /* What went wrong, and how often. */
    unsigned faults;
    unsigned hangs;
    unsigned lost_interrupts;
    unsigned lost_heads;
    unsigned lost_fences;
    unsigned wrong_data;
};

static void on_interrupt(void *opaque)
{
    ((struct driver *)opaque)->heard = true;
}

/* ---- set-up ---- */

static bool set_up_interrupt(struct driver *d)
{
    struct machine_message message;

    if (veu_msix_enable(&d->device) ||
        !machine_set_message(on_interrupt, d, &message) ||
        veu_msix_set(&d->device, 0, message.address, message.data)) {
        return false;
    }
    machine_interrupts_on();
    return true;
}

static enum veu_status set_up(struct driver *d)
{
    enum veu_status status = veu_open(&d->device,
                                      &(struct veu_open_options){ 0 });

    if (status) {
        return status;
    }
    d->source = machine_alloc(WORDS * sizeof(uint32_t), 64);
    d->target = machine_alloc(WORDS * sizeof(uint32_t), 64);
    d->fence = machine_alloc(sizeof(uint64_t), 64);
    d->config = (struct veu_ring_config){
        .vector = set_up_interrupt(d) ? 0 : VEU_NO_VECTOR,
        .slots = machine_alloc(SLOTS * VEU_SLOT_BYTES, 64),
        .slot_count = SLOTS,
        .shared = machine_alloc(sizeof(struct veu_ring_shared), 64),
        .faults = machine_alloc(RECORDS * sizeof(struct veu_fault_record), 64),
        .fault_count = RECORDS,
    };
    return veu_ring_start(&d->ring, &d->device, &d->config);
}

/* ---- a job ---- */

static void submit(struct driver *d, uint32_t job)
{
    struct veu_command_copy copy = veu_make_copy(job, d->target, d->source,
                                                 WORDS * sizeof(uint32_t));
    struct veu_command_fence fence = veu_make_fence(job, d->fence, job);

    for (unsigned i = 0; i < WORDS; i++) {
        d->source[i] = job * WORDS + i;
        d->target[i] = 0;
    }
    fence.header.flags = VEU_COMMAND_INTERRUPT;
    d->heard = false;
    veu_ring_put(&d->ring, &copy.header);
    veu_ring_put(&d->ring, &fence.header);
    veu_ring_submit(&d->ring);
}

/* An interrupt may be lost, so the driver checks for itself when it is late. */
static enum veu_status wait_for(struct driver *d)
{
    uint64_t end = veu_time(&d->device) + PATIENCE;
    enum veu_status status;

    while (!d->heard && veu_time(&d->device) < end) {
        machine_pause();
    }
    status = veu_ring_wait(&d->ring, 0);
    d->lost_interrupts += status == VEU_OK && !d->heard;
    return status;
}

static bool is_right(const struct driver *d, uint32_t job)
{
    for (unsigned i = 0; i < WORDS; i++) {
        if (d->target[i] != job * WORDS + i) {
            return false;
        }
    }
    return true;
}

/* ---- errors ---- */

static void tell_fault(struct driver *d)
{
    struct veu_fault_record record;

    while (veu_ring_read_fault(&d->ring, &record)) {
        machine_print("job %u: %s at 0x%lx\n", record.tag,
                      veu_fault_name(record.code), record.address);
    }
    d->faults++;
}

/* The ring has no other user, so all unfinished jobs are repeated. */
static void start_again(struct driver *d)
{
    enum veu_status status = veu_ring_start(&d->ring, &d->device, &d->config);

    if (status) {
        machine_panic("recovery: the ring: %s\n", veu_status_text(status));
    }
}

/*
 * The head did not move. Returns true if the device's registers say that it has
 * moved.
 */
static bool has_moved(const struct driver *d)
{
    return veu_ring_read32(&d->ring, VEU_REG_RING_HEAD) == d->ring.tail;
}

static bool check(struct driver *d, uint32_t job)
{
    if (__atomic_load_n(d->fence, __ATOMIC_ACQUIRE) != job) {
        d->lost_fences++;
        return false;
    }
    if (!is_right(d, job)) {
        d->wrong_data++;
        return false;
    }
    return true;
}

/* Returns true if the job is done. */
static bool try_job(struct driver *d, uint32_t job)
{
    submit(d, job);
    switch (wait_for(d)) {
    case VEU_OK:
        return check(d, job);
    case VEU_FAULTED:
        tell_fault(d);
        break;
    default:
        if (has_moved(d)) {
            d->lost_heads++;
            return check(d, job);
        }
        d->hangs++;
        break;
    }
    start_again(d);
    return false;
}

int program_main(const char *command_line)
{
    static struct driver d;
    enum veu_status status = set_up(&d);
    unsigned done = 0;

    (void)command_line;
    for (uint32_t job = 1; !status && job <= JOBS; job++) {
        bool is_done = false;

        for (unsigned i = 0; !is_done && i < MAX_TRIALS; i++) {
            is_done = try_job(&d, job);
        }
        done += is_done;
    }
    machine_print("recovery: %s, %u jobs, %u faults, %u hangs\n",
                  veu_status_text(status), done, d.faults, d.hangs);
    machine_print("lost: %u interrupts, %u heads, %u fences; %u wrong\n",
                  d.lost_interrupts, d.lost_heads, d.lost_fences, d.wrong_data);
    return done != JOBS;
}
