/*
 * veu device tests: a device in a VM, and memory for a driver to work with.
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
    unsigned index; /* which veu of the VM */
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
 * A VM with one veu, set up by rig_open(). @arguments: as of vm_new(), without
 * the veu if it has none. q35 with a veu on bus 0: RIG_Q35.
 */
Rig *rig_new(const char *accel, const char *arguments);
#define RIG_Q35 "-M q35 -device veu,id=veu0,addr=4"

/* Root ports of a q35 that guests, not ACPI, take devices out of. */
#define RIG_NATIVE_HOTPLUG \
    "-global ICH9-LPC.acpi-pci-hotplug-with-bridge-support=off "
void rig_free(Rig *rig);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

/* The @index-th veu of a VM; the VM outlives it. */
Rig *rig_attach(Vm *vm, unsigned index);

/*
 * Ring @number of the device of @first: a rig that has no memory in common with
 * it, 64 KiB of arena, payload and program, and 32 KiB of result.
 */
Rig *rig_add_ring(const Rig *first, unsigned number);

/*
 * The same device and ring in another VM, which has the first one's state. The
 * VM belongs to the new rig.
 */
Rig *rig_follow(const Rig *from, Vm *vm);

/* Finds the device again, gives it BARs and resets it: after a reset, say. */
void rig_open(Rig *rig);
/* The same, which may fail; then the rig is as it was. */
enum veu_status rig_try_open(Rig *rig);

/* Bridge 00:@slot leads to bus 1, and memory there is accessible. */
void rig_set_up_bridge(Vm *vm, unsigned slot);

/* Registers. */
uint32_t rig_read(Rig *rig, unsigned offset);
uint32_t rig_ring_read(Rig *rig, enum veu_reg offset);
void rig_ring_write(Rig *rig, enum veu_reg offset, uint32_t value);
void rig_ring_write64(Rig *rig, enum veu_reg offset, uint64_t value);
/* All have the values that docs/spec.md gives. */
void rig_assert_reset_values(Rig *rig);

/* Points the vector of the ring's number at rig->message and unmasks it. */
#define RIG_MESSAGE 0xabcd1234
void rig_set_up_msix(Rig *rig);
/* Waits for the message and takes it away. */
void rig_wait_message(Rig *rig);

/* Starts the ring of rig->config. */
void rig_start(Rig *rig);
/* The same with another policy. */
void rig_start_policy(Rig *rig, enum veu_policy policy);
/* Without the checks of the guest library, and without waiting. */
void rig_start_raw(Rig *rig);

void rig_put(Rig *rig, const struct veu_command_header *command);
void rig_submit(Rig *rig);
/* Until the device is done with all that was submitted. */
void rig_wait(Rig *rig);
/* Until the register and the shared block say it. */
void rig_wait_state(Rig *rig, enum veu_ring_state state);
/* Until the register says it. */
void rig_wait_state_register(Rig *rig, enum veu_ring_state state);
/* Until the device wants a kick. */
void rig_wait_asleep(Rig *rig);
/* All three; it must not fault. */
void rig_run(Rig *rig, const struct veu_command_header *command);
/* A fence through the whole ring: everything still works. */
void rig_assert_works(Rig *rig);

/* Runs a command that halts the ring; the record that it leaves. */
struct veu_fault_record rig_run_fault(Rig *rig,
                                      const struct veu_command_header *command,
                                      enum veu_fault_code code);
/* The ring is halted by a fault of its own; there may be no record. */
void rig_wait_ring_fault(Rig *rig, enum veu_fault_code code);

/*
 * A dispatch that never ends, of EU threads that write to the first 32 bytes of
 * rig->arena and of rig->result. It is submitted and under way.
 */
void rig_run_endless(Rig *rig);
/* Waits until it writes, or asserts that it does not; reads memory only. */
void rig_wait_writes(Rig *rig);
void rig_assert_no_writes(Rig *rig);
/* A dispatch that never ends: a stop holds it, a reset ends it. */
void rig_assert_stop_and_reset_end_writes(Rig *rig);

/* The VM has @count device threads; they need a moment to come and go. */
void rig_wait_threads(Vm *vm, unsigned count);

/* ---- test programs ---- */

/* g_test_init and what all programs need; run with g_test_run(). */
void rig_test_init(int *argc, char ***argv);
/* Adds "/tcg/NAME". @test gets the accelerator's name. */
void rig_test_add(const char *name, void (*test)(const char *accel));
/* And "/kvm/NAME", skipped where there is no KVM. */
void rig_test_add_both(const char *name, void (*test)(const char *accel));

#endif
