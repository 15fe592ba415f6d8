/*
 * veu device tests: a device in a VM, and memory for a driver.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_RIG_H
#define VEU_TEST_RIG_H

#include "tests/device/port.h"
#include "veu_command.h"
#include "veu_encode.h"
#include "veu_guest.h"
#include "veu_pci.h"
#include "veu_program.h"
#include "veu_ring.h"
#include "veu_surfaces.h"

#define RIG_SLOTS         64
#define RIG_FAULTS        16
#define RIG_PROGRAM_BYTES 0x40000
#define RIG_PAYLOAD_BYTES 0x100000
#define RIG_RESULT_BYTES  0x400000
#define RIG_ARENA_BYTES   0x200000

/* The first surface of a table. */
#define T6 6

typedef struct Rig {
    Vm *vm;
    bool owns_vm;
    unsigned index; /* number of this veu in the VM */
    struct veu_device device;
    struct veu_ring_config config;
    struct veu_ring ring;
    /* Guest memory: */
    uint8_t *slots;
    struct veu_ring_shared *shared;
    struct veu_fault_record *faults;
    uint64_t *fence;
    uint32_t *message; /* of the MSI-X vector */
    uint8_t *program;
    struct veu_surface *surfaces;
    uint8_t *payload;
    uint8_t *result;
    uint8_t *arena;
} Rig;

/*
 * Creates a VM with one veu, set up by rig_open(). @arguments are those of
 * vm_new(); if they have no veu, it is added. RIG_Q35 is a q35 with a veu on
 * bus 0.
 */
Rig *rig_new(const char *accel, const char *arguments);
#define RIG_Q35 "-M q35 -device veu,id=veu0,addr=4"

/* Root ports of a q35 from which guests, not ACPI, remove devices. */
#define RIG_NATIVE_HOTPLUG \
    "-global ICH9-LPC.acpi-pci-hotplug-with-bridge-support=off "
void rig_free(Rig *rig);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

/* Attaches to the @index-th veu of a VM, which outlives the rig. */
Rig *rig_attach(Vm *vm, unsigned index);

/*
 * Returns ring @number of the device of @first: a rig that shares no memory
 * with it and has 64 KiB of arena, payload and program, and 32 KiB of result.
 */
Rig *rig_add_ring(const Rig *first, unsigned number);

/*
 * Returns the same device and ring in another VM, which has the state of the
 * first one. The VM belongs to the new rig.
 */
Rig *rig_follow(const Rig *from, Vm *vm);

/*
 * Finds the device again, assigns its BARs and resets it, for instance after a
 * reset.
 */
void rig_open(Rig *rig);
/* Like rig_open(), but may fail; the rig is then unchanged. */
enum veu_status rig_try_open(Rig *rig);
/* Sets up its BARs again, without the reset that rig_open() makes. */
void rig_reopen_pci(Rig *rig);

/* Makes bridge 00:@slot lead to bus 1, with accessible memory. */
void rig_set_up_bridge(Vm *vm, unsigned slot);

/* Registers. */
uint32_t rig_read(Rig *rig, unsigned offset);
uint32_t rig_ring_read(Rig *rig, enum veu_reg offset);
void rig_ring_write(Rig *rig, enum veu_reg offset, uint32_t value);
void rig_ring_write64(Rig *rig, enum veu_reg offset, uint64_t value);
/* Asserts that all registers have the values in docs/spec.md. */
void rig_assert_reset_values(Rig *rig);

/* Points the vector with the ring's number at rig->message and unmasks it. */
#define RIG_MESSAGE 0xabcd1234
void rig_set_up_msix(Rig *rig);
/* Waits for the message and clears it. */
void rig_wait_message(Rig *rig);

/* Starts the ring with rig->config. */
void rig_start(Rig *rig);
/* Starts the ring with another policy. */
void rig_start_policy(Rig *rig, enum veu_policy policy);
/* Starts it without the checks of the guest library, and without waiting. */
void rig_start_raw(Rig *rig);

void rig_put(Rig *rig, const struct veu_command_header *command);
void rig_submit(Rig *rig);
/* Waits until the device has done all that was submitted. */
void rig_wait(Rig *rig);
/* Waits until the register and the shared block have this state. */
void rig_wait_state(Rig *rig, enum veu_ring_state state);
/* Waits until the register has this state. */
void rig_wait_state_register(Rig *rig, enum veu_ring_state state);
/* Waits until the device requests a kick. */
void rig_wait_asleep(Rig *rig);
/* Puts, submits and waits for a command that must not fault. */
void rig_run(Rig *rig, const struct veu_command_header *command);
/* Sends fences through the whole ring, to check that everything still works. */
void rig_assert_works(Rig *rig);

/* Runs a command that halts the ring; returns the record of its fault. */
struct veu_fault_record rig_run_fault(Rig *rig,
                                      const struct veu_command_header *command,
                                      enum veu_fault_code code);
/* Waits until a fault of its own halts the ring; there may be no record. */
void rig_wait_ring_fault(Rig *rig, enum veu_fault_code code);

/*
 * Submits a dispatch that never ends, whose EU threads write to the first 32
 * bytes of rig->arena and of rig->result. It is in progress on return.
 */
void rig_run_endless(Rig *rig);
/* Waits until it writes, or asserts that it does not; accesses only memory. */
void rig_wait_writes(Rig *rig);
void rig_assert_no_writes(Rig *rig);
/*
 * Asserts that a stop suspends a dispatch that never ends, and that a reset
 * ends it.
 */
void rig_assert_stop_and_reset_end_writes(Rig *rig);

/*
 * Waits until the VM has @count device threads, which take a moment to start
 * and end.
 */
void rig_wait_threads(Vm *vm, unsigned count);

/* ---- test programs ---- */

/*
 * Calls g_test_init() and does what all programs need; run the tests with
 * g_test_run().
 */
void rig_test_init(int *argc, char ***argv);
/* Adds "/tcg/NAME"; @test receives the accelerator's name. */
void rig_test_add(const char *name, void (*test)(const char *accel));
/* Also adds "/kvm/NAME", which is skipped without KVM. */
void rig_test_add_both(const char *name, void (*test)(const char *accel));

#endif
