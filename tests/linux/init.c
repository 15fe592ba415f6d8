/*
 * The first process of a Linux guest: loads the driver, uses it, reports.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "veu/linux.h"
#include "veu/regs.h"
#include "veu/ring.h"
#include "veu_command.h"
#include "veu_port.h"

#define DEVICE       "/dev/veu0"
#define SLOTS        64
#define BUFFER_BYTES 65536

/* A process's side of an open device. */
typedef struct Client {
    int fd;
    struct veu_linux_ring ring;
    struct veu_linux_buffer buffer;
    struct veu_ring_shared *shared;
    uint8_t *slots;
    volatile uint32_t *doorbell;
    volatile uint64_t *memory;
    uint32_t tail;
} Client;

static int failures;

/* Whose buffer the guest library is given pointers into. */
static const Client *mapped;

uint64_t veu_port_device_address(const volatile void *memory)
{
    return mapped->buffer.address + ((const volatile uint8_t *)memory -
                                     (const volatile uint8_t *)mapped->memory);
}

static void check(const char *name, bool good)
{
    printf("%s: %s\n", good ? "PASS" : "FAIL", name);
    failures += !good;
}

static void *map(int fd, uint64_t offset, uint64_t bytes)
{
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
}

static bool open_client(Client *c)
{
    *c = (Client){
        .fd = open(DEVICE, O_RDWR),
        .ring = { .slots = SLOTS, .policy = VEU_POLICY_HALT, .priority = 1 },
        .buffer = { .bytes = BUFFER_BYTES },
    };
    if (c->fd < 0 || ioctl(c->fd, VEU_IOC_RING_CREATE, &c->ring) ||
        ioctl(c->fd, VEU_IOC_BUFFER_CREATE, &c->buffer)) {
        return false;
    }
    c->shared = map(c->fd, c->ring.memory_offset, c->ring.memory_bytes);
    c->slots = (uint8_t *)c->shared + c->ring.slots_at;
    c->doorbell = map(c->fd, c->ring.doorbell_offset, 4096);
    c->memory = map(c->fd, c->buffer.offset, c->buffer.bytes);
    return c->shared != MAP_FAILED && c->doorbell != MAP_FAILED &&
           c->memory != MAP_FAILED;
}

static void close_client(Client *c)
{
    munmap(c->shared, c->ring.memory_bytes);
    munmap((void *)c->doorbell, 4096);
    munmap((void *)c->memory, c->buffer.bytes);
    close(c->fd);
}

/* docs/spec.md, "Submitting, and the sleep handshake". */
static void submit(Client *c, const void *command)
{
    const struct veu_command_header *header = command;

    for (unsigned i = 0; i < header->slots; i++) {
        memcpy(c->slots + c->tail++ % SLOTS * VEU_SLOT_BYTES,
               (const uint8_t *)command + i * VEU_SLOT_BYTES, VEU_SLOT_BYTES);
    }
    __atomic_store_n(&c->shared->tail, c->tail, __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (__atomic_load_n(&c->shared->asleep, __ATOMIC_RELAXED)) {
        *c->doorbell = 1;
    }
}

static void submit_fill(Client *c, uint64_t address, uint64_t pattern,
                        uint32_t bytes)
{
    submit(c, &(struct veu_command_fill){
                  .header = { VEU_COMMAND_FILL, 1, VEU_COMMAND_INTERRUPT, 7 },
                  .pattern = pattern,
                  .destination = address,
                  .bytes = bytes,
              });
}

/* 0, or what errno says. */
static int wait_all(Client *c)
{
    struct veu_linux_wait wait = { .index = c->tail };
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    wait.deadline_ns = (now.tv_sec + 5) * 1000000000ull + now.tv_nsec;
    return ioctl(c->fd, VEU_IOC_WAIT, &wait) ? errno : 0;
}

static bool fills(Client *c, uint64_t pattern)
{
    submit_fill(c, c->buffer.address, pattern, BUFFER_BYTES);
    return wait_all(c) == 0 && c->memory[0] == pattern &&
           c->memory[BUFFER_BYTES / 8 - 1] == pattern;
}

static void load_module(void)
{
    int fd = open("/veu.ko", O_RDONLY);

    check("the module loads", !syscall(SYS_finit_module, fd, "", 0));
    close(fd);
}

/* The first gather: 16 squares, read backwards, by one message. */
static bool gathers(Client *c)
{
    uint32_t *numbers = (uint32_t *)c->memory;
    uint32_t *registers;
    _Alignas(64) uint8_t code[256];
    uint8_t *payload = (uint8_t *)c->memory + 4096;
    uint32_t *result = (uint32_t *)(payload + 4096);
    struct veu_command_message message;
    struct veu_program program;
    uint32_t offsets, data;

    veu_program_begin(&program, code, sizeof(code), 32);
    offsets = veu_program_variable(&program, VEU_TYPE_UD, 16);
    data = veu_program_variable(&program, VEU_TYPE_UD, 16);
    veu_encode_gather(&program.code, 4, veu_m(1, 16), 5, veu_ud(0),
                      veu_v(offsets), veu_v(data));
    if (!veu_make_message(&message, 1, &program, 16)) {
        return false;
    }
    memset(payload, 0, veu_payload_bytes(&program));
    *(uint32_t *)payload = UINT32_MAX; /* all lanes run */
    registers = (uint32_t *)veu_payload_registers(payload, &program);
    for (uint32_t i = 0; i < 16; i++) {
        numbers[i] = i * i;
        registers[i] = 15 - i;
    }
    mapped = c;
    veu_launch_stateless(&message.launch, numbers, 64);
    veu_launch_payload(&message.launch, payload, veu_payload_bytes(&program));
    veu_launch_result(&message.launch, result,
                      veu_program_offset(&program, data), 64);
    submit(c, &message);
    if (wait_all(c)) {
        return false;
    }
    for (uint32_t i = 0; i < 16; i++) {
        if (result[i] != (15 - i) * (15 - i)) {
            return false;
        }
    }
    return true;
}

static void check_use(void)
{
    Client c;

    check("a process opens the device", open_client(&c));
    check("the device fills its buffer", fills(&c, 0x123456789abcdef0));
    check("a gather reads 16 squares backwards", gathers(&c));
    close_client(&c);
}

/* An address of somebody else's, and then the ring goes on. */
static void check_isolation(void)
{
    struct veu_linux_resume resume = { 0 };
    struct veu_linux_faults faults;
    Client a, b;

    check("two files at once", open_client(&a) && open_client(&b));
    b.memory[0] = 42;
    submit_fill(&a, b.buffer.address, 1, 8);
    check("the ring halts at another file's buffer", wait_all(&a) == EIO);
    check("... which is as it was", b.memory[0] == 42);
    check("the fault is told",
          !ioctl(a.fd, VEU_IOC_FAULTS, &faults) && faults.count == 1 &&
              faults.records[0].code == VEU_FAULT_COMMAND_MEMORY &&
              faults.records[0].address == b.buffer.address);
    resume.index = a.tail;
    check("the ring goes on", !ioctl(a.fd, VEU_IOC_RESUME, &resume) &&
                                  fills(&a, 2) && fills(&b, 3));
    close_client(&a);
    close_client(&b);
}

/* Buffers come and go: freed pages, and addresses, are used again. */
static void check_buffers(void)
{
    bool good = true;
    Client c;

    open_client(&c);
    for (uint64_t i = 1; i <= 50; i++) {
        struct veu_linux_destroy destroy = { .handle = c.buffer.handle };
        uint64_t old = c.buffer.address;

        good = good && fills(&c, i);
        good = good && !munmap((void *)c.memory, c.buffer.bytes) &&
               !ioctl(c.fd, VEU_IOC_BUFFER_DESTROY, &destroy);
        if (i == 50) {
            submit_fill(&c, old, i, 8);
            good = good && wait_all(&c) == EIO;
            break;
        }
        c.buffer = (struct veu_linux_buffer){ .bytes = BUFFER_BYTES };
        good = good && !ioctl(c.fd, VEU_IOC_BUFFER_CREATE, &c.buffer);
        c.memory = map(c.fd, c.buffer.offset, c.buffer.bytes);
        good = good && c.memory != MAP_FAILED && c.memory[0] == 0;
    }
    check("buffers are created, used, freed, created again", good);
    close_client(&c); /* what is unmapped stays so */
}

static void work_for_ever(void)
{
    Client c;

    for (open_client(&c);;) {
        if (c.tail - __atomic_load_n(&c.shared->head, __ATOMIC_ACQUIRE) <
            SLOTS) {
            submit_fill(&c, c.buffer.address, c.tail, BUFFER_BYTES);
        }
    }
}

static void check_kills(void)
{
    /* "kills=N" of the kernel's command line comes as a variable. */
    const char *kills = getenv("kills");
    bool good = true;
    Client c;

    open_client(&c);
    for (int i = 0; i < (kills ? atoi(kills) : 10); i++) {
        pid_t child = fork();

        if (!child) {
            work_for_ever();
        }
        usleep(rand() % 20000);
        good = good && fills(&c, i + 1);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        good = good && fills(&c, i + 100);
    }
    check("others do not notice when a process is killed at work", good);
    close_client(&c);
}

static bool write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY);
    bool good = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    int error = errno;

    close(fd);
    errno = error;
    return good;
}

/* The name of the device in sysfs: "0000:00:01.0" */
static char *bus_name(void)
{
    static char link[256];
    ssize_t n = readlink("/sys/class/misc/veu0/device", link, 255);

    return n > 0 ? strrchr(link, '/') + 1 : NULL;
}

/* Was it in what the kernel has said of the device? Prints it on request. */
static bool kernel_has_said(const char *text, bool print)
{
    int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
    char line[1024];
    bool found = false;

    for (ssize_t n; (n = read(fd, line, sizeof(line) - 1)) > 0;) {
        line[n] = 0;
        found = found || strstr(line, text);
        if (print && strstr(line, "veu")) {
            printf("%s", line);
        }
    }
    close(fd);
    return found;
}

#define SELFTEST "/sys/class/misc/veu0/device/selftest"

static void check_selftest(void)
{
    Client c[64];
    unsigned n = 0;

    check("the driver's self-test passes", write_file(SELFTEST, "1"));
    check("... and says so", kernel_has_said("self-test passed", false));
    while (open_client(&c[n])) {
        n++;
    }
    close(c[n].fd);
    check("it takes a ring", n && !write_file(SELFTEST, "1") && errno == EBUSY);
    while (n--) {
        close_client(&c[n]);
    }
    check("... and gives it back", write_file(SELFTEST, "1"));
}

static bool selftest_fails(int error)
{
    return !write_file(SELFTEST, "1") && errno == error;
}

/* On a device of which the boot's rules make the first three gathers fail. */
static void check_lies(void)
{
    check("the self-test finds a wrong bit", selftest_fails(EBADMSG));
    check("... a fault", selftest_fails(EIO));
    check("... a ring that hangs", selftest_fails(ETIME));
    check("... and passes when it may", write_file(SELFTEST, "1"));
}

static void check_reset(const char *name)
{
    char path[128];
    Client c;

    snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/reset", name);
    if (access(path, W_OK)) {
        printf("SKIP: no reset of the function here\n");
        return;
    }
    open_client(&c);
    check("a function reset", fills(&c, 1) && write_file(path, "1"));
    check("... does not end what a file has", fills(&c, 2));
    close_client(&c);
}

static void check_unbind(const char *name)
{
    Client c;

    open_client(&c);
    check("unbind while the device is open",
          write_file("/sys/bus/pci/drivers/veu/unbind", name));
    check("... the file goes dead", wait_all(&c) == ENODEV);
    close_client(&c);
    check("bind again", write_file("/sys/bus/pci/drivers/veu/bind", name));
    check_use();
    check("the module is unloaded",
          !syscall(SYS_delete_module, "veu", O_NONBLOCK));
}

int main(void)
{
    char name[64];

    setvbuf(stdout, NULL, _IOLBF, 0);
    mount("none", "/dev", "devtmpfs", 0, NULL);
    mount("none", "/sys", "sysfs", 0, NULL);
    dup2(open("/dev/console", O_RDWR), 1);
    load_module();
    check("the driver has bound", bus_name());
    if (getenv("lies")) {
        check_lies();
    } else if (bus_name()) {
        snprintf(name, sizeof(name), "%s", bus_name());
        check_selftest();
        check_use();
        check_isolation();
        check_buffers();
        check_kills();
        check_reset(name);
        check_unbind(name);
    }
    if (failures) {
        kernel_has_said("", true);
    }
    printf("result: %d failed\n", failures);
    sync();
    reboot(RB_POWER_OFF);
}
