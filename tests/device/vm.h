/*
 * veu device tests: a QEMU process.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Guest memory is shared with the test, so that a test accesses it through
 * pointers. Once the VM runs, the guest's processor executes what is at
 * VM_GUEST_CODE (16-bit), or hlt if the first byte there is 0.
 */
#ifndef VEU_TEST_VM_H
#define VEU_TEST_VM_H

#include <sys/types.h>
#include "tests/device/qmp.h"

#define VM_RAM_BYTES  UINT64_C(0x8000000)
#define VM_GUEST_CODE 0x8000

typedef struct Vm {
    pid_t pid;
    int errors_fd; /* what QEMU has written to stderr */
    uint8_t *ram;
    LineSocket qtest;
    Qmp qmp;
} Vm;

/* The launcher's path, from meson. */
extern const char *vm_launcher;

/* What replaces "-M q35" in arguments, or NULL. */
extern const char *vm_machine;

/*
 * Starts QEMU with -S. @accel: "tcg" or "kvm"; @arguments: the machine and
 * its devices, split as a shell would.
 */
Vm *vm_new(const char *accel, const char *arguments);
/* Ends QEMU, which has to be alive and to exit with success. */
void vm_free(Vm *vm);

/* Kills QEMU with signal 9. */
void vm_kill(Vm *vm);

/* Runs QEMU to its end and returns all that it printed. */
char *vm_output(const char *arguments, int *status);

bool vm_has_kvm(void);

/*
 * Returns false if the tested QEMU has the device built in: VEU_PLUGIN is
 * empty.
 */
bool vm_has_plugin(void);

/* Executes cont and stop; returns the status of query-status. */
void vm_run(Vm *vm);
void vm_stop(Vm *vm);
/* Executes system_reset, which is complete on return. */
void vm_reset(Vm *vm);
/* Asserts that QEMU's main loop answers in time. */
void vm_assert_answers(Vm *vm);

/* The resident memory of the process, KiB. */
unsigned vm_resident_kib(const Vm *vm);

/* What QEMU has written to stderr and stdout. */
char *vm_errors(const Vm *vm);

/* The number of the process's threads with a name, and of its open files. */
unsigned vm_count_threads(const Vm *vm, const char *name);
unsigned vm_count_files(const Vm *vm);

/*
 * The number of times that threads of a name have gone to sleep, and of such
 * threads that have done so.
 */
unsigned vm_count_sleeps(const Vm *vm, const char *name);
unsigned vm_count_sleepers(const Vm *vm, const char *name);

/*
 * Waits until the condition holds; the other arguments describe it, as for
 * printf. Fails if QEMU dies or if it takes too long.
 */
#define VM_WAIT(vm, condition, ...)                                    \
    do {                                                               \
        for (int64_t end_ = vm_wait_end(); !(condition);) {            \
            vm_wait_more((vm), end_, __FILE__, __LINE__, __VA_ARGS__); \
        }                                                              \
    } while (0)

int64_t vm_wait_end(void);
void vm_wait_more(Vm *vm, int64_t end, const char *file, int line,
                  const char *format, ...) G_GNUC_PRINTF(5, 6);

/* Waits for a time in which a device that should be idle might act. */
void vm_settle(void);

#endif
