/*
 * veu device tests: a QEMU process.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/device/vm.h"

#define BIOS_BYTES 0x10000
#define WAIT_S     30
#define SETTLE_US  20000

#define Q35 "-M q35"

const char *vm_launcher;
const char *vm_machine;

/* ---- data shared with the test ---- */

static int make_file(const char *name, off_t bytes)
{
    /* without close-on-exec, because QEMU opens /proc/self/fd/N */
    int fd = memfd_create(name, 0);

    g_assert_cmpint(fd, >=, 0);
    g_assert_cmpint(ftruncate(fd, bytes), ==, 0);
    return fd;
}

/* The code is at the reset vector, which has 16 bytes. */
static int make_bios(void)
{
    static const uint8_t code[] = {
        0xfa,                         /* cli */
        0x80, 0x3e, 0x00, 0x80, 0x00, /* cmpb $0, VM_GUEST_CODE */
        0x74, 0x05,                   /* je 1f */
        0xea, 0x00, 0x80, 0x00, 0x00, /* ljmp $0, $VM_GUEST_CODE */
        0xf4,                         /* 1: hlt */
        0xeb, 0xfd,                   /* jmp 1b */
    };
    int fd = make_file("bios", BIOS_BYTES);

    g_assert_cmpint(pwrite(fd, code, sizeof(code), BIOS_BYTES - 16), ==,
                    sizeof(code));
    return fd;
}

static void make_pair(int fds[2])
{
    g_assert_cmpint(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), ==, 0);
    fcntl(fds[0], F_SETFD, FD_CLOEXEC);
}

/* ---- the process ---- */

char *vm_errors(const Vm *vm)
{
    off_t bytes = lseek(vm->errors_fd, 0, SEEK_END);
    char *text = g_malloc0(bytes + 1);

    if (pread(vm->errors_fd, text, bytes, 0) < 0) {
        g_free(text);
        return g_strdup("(cannot be read)");
    }
    return text;
}

static void show_errors(void *opaque)
{
    Vm *vm = opaque;
    g_autofree char *text = vm_errors(vm);
    int status;

    /* dying may take a moment, for instance while a core is dumped */
    for (unsigned i = 0; i < 20; i++) {
        if (waitpid(vm->pid, &status, WNOHANG) == vm->pid) {
            g_test_message("QEMU ended with status 0x%x", status);
            break;
        }
        g_usleep(10000);
    }
    g_test_message("QEMU's stderr:\n%s", text);
}

static G_NORETURN void run_qemu(char **argv, int errors_fd)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(errors_fd, STDERR_FILENO);
    dup2(errors_fd, STDOUT_FILENO);
    execv(argv[0], argv);
    _exit(127);
}

static pid_t start_qemu(const char *command, int errors_fd)
{
    g_auto(GStrv) argv = NULL;
    pid_t pid;

    g_assert_true(g_shell_parse_argv(command, NULL, &argv, NULL));
    g_test_message("%s", command);
    pid = fork();
    g_assert_cmpint(pid, >=, 0);
    if (pid == 0) {
        run_qemu(argv, errors_fd);
    }
    return pid;
}

/* Replaces the machine in the arguments by that on which tests run. */
static char *on_machine(const char *arguments)
{
    g_auto(GStrv) around = g_strsplit(arguments, Q35, 2);

    if (!vm_machine) {
        return g_strdup(arguments);
    }
    g_assert_cmpuint(g_strv_length(around), ==, 2);
    return g_strjoinv(vm_machine, around);
}

static char *make_command(const char *accel, const char *arguments,
                          const int fds[4])
{
    g_autofree char *all = on_machine(arguments);

    return g_strdup_printf(
        "%s -accel %s -S -nodefaults -display none -name debug-threads=on "
        "-m %uM -object memory-backend-file,id=ram,share=on,size=%uM,"
        "mem-path=/proc/self/fd/%d -machine memory-backend=ram "
        "-bios /proc/self/fd/%d "
        "-chardev socket,id=qtest,fd=%d "
        "-object qtest,id=qtest,chardev=qtest,log=/dev/null "
        "-chardev socket,id=qmp,fd=%d -mon chardev=qmp,mode=control %s",
        vm_launcher, accel, (unsigned)(VM_RAM_BYTES >> 20),
        (unsigned)(VM_RAM_BYTES >> 20), fds[0], fds[1], fds[2], fds[3], all);
}

static void connect_socket(Vm *vm, LineSocket *s, int fd, const char *name)
{
    line_socket_init(s, fd, name);
    s->on_failure = show_errors;
    s->opaque = vm;
}

Vm *vm_new(const char *accel, const char *arguments)
{
    g_autofree char *command = NULL;
    Vm *vm = g_new0(Vm, 1);
    int qtest[2], qmp[2], fds[4];

    make_pair(qtest);
    make_pair(qmp);
    fds[0] = make_file("ram", VM_RAM_BYTES);
    fds[1] = make_bios();
    fds[2] = qtest[1];
    fds[3] = qmp[1];
    vm->errors_fd = make_file("stderr", 0);
    vm->ram = mmap(NULL, VM_RAM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
                   fds[0], 0);
    g_assert_true(vm->ram != MAP_FAILED);
    command = make_command(accel, arguments, fds);
    vm->pid = start_qemu(command, vm->errors_fd);
    for (unsigned i = 0; i < G_N_ELEMENTS(fds); i++) {
        close(fds[i]);
    }
    connect_socket(vm, &vm->qtest, qtest[0], "qtest");
    connect_socket(vm, &vm->qmp.socket, qmp[0], "QMP");
    qmp_init(&vm->qmp);
    return vm;
}

static bool has_ended(Vm *vm, int *status)
{
    return waitpid(vm->pid, status, WNOHANG) == vm->pid;
}

static void forget(Vm *vm)
{
    qmp_exit(&vm->qmp);
    close(vm->qtest.fd);
    close(vm->qmp.socket.fd);
    close(vm->errors_fd);
    munmap(vm->ram, VM_RAM_BYTES);
    g_free(vm);
}

void vm_free(Vm *vm)
{
    int64_t end = vm_wait_end();
    int status;

    qmp_send(&vm->qmp, "quit", NULL);
    while (!has_ended(vm, &status)) {
        if (g_get_monotonic_time() > end) {
            show_errors(vm);
            g_error("QEMU does not end");
        }
        g_usleep(200);
    }
    if (status) {
        g_autofree char *text = vm_errors(vm);

        g_error("QEMU ended with status 0x%x:\n%s", status, text);
    }
    forget(vm);
}

void vm_kill(Vm *vm)
{
    kill(vm->pid, SIGKILL);
    waitpid(vm->pid, NULL, 0);
    forget(vm);
}

char *vm_output(const char *arguments, int *status)
{
    g_autofree char *all = on_machine(arguments);
    g_autofree char *command = g_strdup_printf("%s -display none %s",
                                               vm_launcher, all);
    Vm vm = { .errors_fd = make_file("stderr", 0) };
    char *text;

    vm.pid = start_qemu(command, vm.errors_fd);
    g_assert_cmpint(waitpid(vm.pid, status, 0), ==, vm.pid);
    text = vm_errors(&vm);
    close(vm.errors_fd);
    return text;
}

bool vm_has_kvm(void)
{
    int fd = open("/dev/kvm", O_RDWR | O_CLOEXEC);
    int version;

    if (fd < 0) {
        return false;
    }
    version = ioctl(fd, KVM_GET_API_VERSION, 0);
    close(fd);
    return version == KVM_API_VERSION;
}

bool vm_has_plugin(void)
{
    return g_strcmp0(g_getenv("VEU_PLUGIN"), "") != 0;
}

/* ---- its state ---- */

void vm_run(Vm *vm)
{
    qmp_do(&vm->qmp, "cont", NULL);
}

void vm_stop(Vm *vm)
{
    qmp_do(&vm->qmp, "stop", NULL);
}

void vm_reset(Vm *vm)
{
    qmp_do(&vm->qmp, "system_reset", NULL);
    qmp_wait_event(&vm->qmp, "RESET");
}

void vm_assert_answers(Vm *vm)
{
    qmp_do(&vm->qmp, "query-status", NULL);
}

unsigned vm_resident_kib(const Vm *vm)
{
    g_autofree char *path = g_strdup_printf("/proc/%d/status", vm->pid);
    g_autofree char *status = NULL;
    const char *line;

    g_assert_true(g_file_get_contents(path, &status, NULL, NULL));
    line = strstr(status, "VmRSS:");
    g_assert_nonnull(line);
    return atoi(line + strlen("VmRSS:"));
}

/*
 * The sum of the results of @count over the entries of a directory of
 * /proc/PID.
 */
static unsigned count_entries(const Vm *vm, const char *what,
                              unsigned (*count_one)(const char *path,
                                                    const char *name),
                              const char *name)
{
    g_autofree char *path = g_strdup_printf("/proc/%d/%s", vm->pid, what);
    GDir *dir = g_dir_open(path, 0, NULL);
    unsigned count = 0;

    g_assert_nonnull(dir);
    for (const char *e = g_dir_read_name(dir); e; e = g_dir_read_name(dir)) {
        g_autofree char *entry = g_build_filename(path, e, NULL);

        count += count_one(entry, name);
    }
    g_dir_close(dir);
    return count;
}

static unsigned has_name(const char *task, const char *name)
{
    g_autofree char *path = g_build_filename(task, "comm", NULL);
    g_autofree char *comm = NULL;

    return g_file_get_contents(path, &comm, NULL, NULL) &&
           strcmp(g_strchomp(comm), name) == 0;
}

unsigned vm_count_threads(const Vm *vm, const char *name)
{
    return count_entries(vm, "task", has_name, name);
}

static unsigned sleeps_of(const char *task, const char *name)
{
    static const char key[] = "\nvoluntary_ctxt_switches:";
    g_autofree char *path = g_build_filename(task, "status", NULL);
    g_autofree char *status = NULL;
    const char *at;

    if (!has_name(task, name) ||
        !g_file_get_contents(path, &status, NULL, NULL)) {
        return 0;
    }
    at = strstr(status, key);
    g_assert_nonnull(at);
    return atoi(at + strlen(key));
}

unsigned vm_count_sleeps(const Vm *vm, const char *name)
{
    return count_entries(vm, "task", sleeps_of, name);
}

static unsigned has_slept(const char *task, const char *name)
{
    return sleeps_of(task, name) > 0;
}

unsigned vm_count_sleepers(const Vm *vm, const char *name)
{
    return count_entries(vm, "task", has_slept, name);
}

static unsigned accept_all(const char *path, const char *name)
{
    return 1;
}

unsigned vm_count_files(const Vm *vm)
{
    return count_entries(vm, "fd", accept_all, NULL);
}

/* ---- waiting ---- */

int64_t vm_wait_end(void)
{
    return g_get_monotonic_time() + WAIT_S * G_USEC_PER_SEC;
}

/* Returns true if the process has ended; its status remains to be fetched. */
static bool is_gone(const Vm *vm)
{
    siginfo_t info = { 0 };

    return waitid(P_PID, vm->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
           info.si_pid;
}

void vm_wait_more(Vm *vm, int64_t end, const char *file, int line,
                  const char *format, ...)
{
    g_autofree char *awaited = NULL;
    bool late = g_get_monotonic_time() > end;
    va_list arguments;

    if (late || is_gone(vm)) {
        va_start(arguments, format);
        awaited = g_strdup_vprintf(format, arguments);
        va_end(arguments);
        show_errors(vm);
        g_error("%s:%d: %s while waiting for %s", file, line,
                late ? "timed out" : "QEMU is gone", awaited);
    }
    g_usleep(50);
}

void vm_settle(void)
{
    g_usleep(SETTLE_US);
}
