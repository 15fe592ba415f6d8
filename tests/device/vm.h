/*
 * veu device tests: a QEMU process.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Guest memory is shared with the test, so a test reads and writes it through
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

/* Where meson says that the launcher is. */
extern const char *vm_launcher;

/* What takes the place of "-M q35" in arguments; NULL: nothing does. */
extern const char *vm_machine;

/*
 * Starts QEMU with -S. @accel: "tcg" or "kvm"; @arguments: the machine and
 * its devices, split as a shell would.
 */
Vm *vm_new(const char *accel, const char *arguments);
/* Ends QEMU, which has to be alive and to end well. */
void vm_free(Vm *vm);

/* Kills QEMU: -9. */
void vm_kill(Vm *vm);

/* Runs QEMU to its end and returns all that it printed. */
char *vm_output(const char *arguments, int *status);

bool vm_has_kvm(void);

/* Not where the tested QEMU has the device built in: VEU_PLUGIN is empty. */
bool vm_has_plugin(void);

/* cont and stop, and what query-status says. */
void vm_run(Vm *vm);
void vm_stop(Vm *vm);
/* system_reset; it has happened when this returns. */
void vm_reset(Vm *vm);
/* QEMU's main loop answers within its time, or the test fails. */
void vm_assert_answers(Vm *vm);

/* Memory of the process that is resident, KiB. */
unsigned vm_resident_kib(const Vm *vm);

/* What QEMU has written to stderr and stdout. */
char *vm_errors(const Vm *vm);

/* The process's threads of a name, and its open files. */
unsigned vm_count_threads(const Vm *vm, const char *name);
unsigned vm_count_files(const Vm *vm);

/* The number of times that threads of a name have gone to sleep. */
unsigned vm_count_sleeps(const Vm *vm, const char *name);

/*
 * Waits until the condition holds; the rest says what that is, as printf
 * does. Fails when QEMU dies or it takes too long.
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

/* Time in which a device that should do nothing might do it. */
void vm_settle(void);

#endif
