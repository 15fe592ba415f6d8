/*
 * veu device tests: VMs that continue in another process, or where they were.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * VEU_MOVE_TO, in the environment, is the launcher of another QEMU to move to.
 */
#ifndef VEU_TEST_MOVE_H
#define VEU_TEST_MOVE_H

#include "tests/device/rig.h"

/* A file name that no other test uses. */
char *move_path(const char *name);

/*
 * Moves the VM in its present state to a second QEMU, which does not run yet
 * and which port.h uses from then on. The state goes through a socket or a
 * file.
 */
Vm *move_vm(Vm *from, const char *accel, const char *machine);
Vm *move_vm_through_file(Vm *from, const char *accel, const char *machine);
/* Moves through a file whose bytes @change may change. */
Vm *move_vm_changed(Vm *from, const char *accel, const char *machine,
                    void (*change)(uint8_t *stream, size_t bytes));

void move_change_file(const char *path,
                      void (*change)(uint8_t *stream, size_t bytes));

/*
 * Moves with postcopy: the second QEMU can run before most of its memory has
 * arrived. Until move_wait() returns, the test must not access that memory.
 */
Vm *move_vm_first(Vm *from, const char *accel, const char *machine,
                  unsigned mib_per_second);
/* Returns true when the destination has all memory. */
bool move_is_over(Vm *vm);

/*
 * While the VM migrates, submits what was put into the ring and calls @wait,
 * for instance rig_wait(). All memory except the ballast at its end has been
 * sent once by then, so that what the device writes arrives only if it reports
 * the pages. The last 16 MiB are overwritten. At the end, all memory is
 * compared with that of the destination.
 */
Rig *move_while_it_works(Rig *from, const char *accel, const char *machine,
                         void (*wait)(Rig *from));

/* Waits until this side reports that the migration is complete. */
void move_wait(Vm *vm);

/* Adds a disk image at @path, in which snapshots can be stored. */
void move_add_disk(Vm *vm, const char *path);
void move_save_snapshot(Vm *vm);
/* Afterwards the VM is stopped, and the snapshot is used up. */
void move_load_snapshot(Vm *vm);

/*
 * Asserts that work in a snapshot of the running VM continues after loading it.
 */
void move_assert_snapshot_brings_back(Rig *rig);

#endif
