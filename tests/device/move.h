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

/* A file name that no other test has. */
char *move_path(const char *name);

/*
 * Moves the VM, as it is, to a second QEMU, which is yet to run and which
 * port.h means from then on. Through a socket, or a file in between.
 */
Vm *move_vm(Vm *from, const char *accel, const char *machine);
Vm *move_vm_through_file(Vm *from, const char *accel, const char *machine);
/* Through a file whose bytes @change may change. */
Vm *move_vm_changed(Vm *from, const char *accel, const char *machine,
                    void (*change)(uint8_t *stream, size_t bytes));

/*
 * The same with postcopy: the second QEMU can run, while most of its memory is
 * still to come. Until move_wait() returns it must not be touched from here.
 */
Vm *move_vm_first(Vm *from, const char *accel, const char *machine,
                  unsigned mib_per_second);
/* Returns true when the destination has all memory. */
bool move_is_over(Vm *vm);

/*
 * Submits what was put into the ring while the VM migrates, and calls @wait,
 * say rig_wait(): all memory except ballast at the end of it has been sent
 * once, so that what the device writes arrives only if it reports the pages.
 * The last 16 MiB are overwritten. In the end all memory there is what it is
 * here.
 */
Rig *move_while_it_works(Rig *from, const char *accel, const char *machine,
                         void (*wait)(Rig *from));

/* Until this side of a migration says that it is over. */
void move_wait(Vm *vm);

/* A disk image at @path that snapshots can be kept in. */
void move_add_disk(Vm *vm, const char *path);
void move_save_snapshot(Vm *vm);
/* The VM is stopped then, and the snapshot is used up. */
void move_load_snapshot(Vm *vm);

/* Work that a snapshot of the running VM has is under way after it again. */
void move_assert_snapshot_brings_back(Rig *rig);

#endif
