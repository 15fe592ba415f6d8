/*
 * veu device tests: the system in which the guest library runs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/port.h"

#define CONFIG_ADDRESS 0xcf8
#define CONFIG_DATA    0xcfc

/* The addresses of a machine. */
typedef struct PortMachine {
    uint64_t ram;    /* guest address of Vm.ram */
    uint64_t ecam;   /* configuration space in memory; 0: the ports of a PC */
    uint64_t window; /* for BARs */
} PortMachine;

static const PortMachine pc = { .window = 0xe0000000 };

static const PortMachine *machine = &pc;
static Vm *port_vm;
static uint64_t device_offset;

/*
 * The addresses in hw/arm/virt.c and hw/riscv/virt.c. The processor has no
 * program: if it ran, it would take one exception after the other, and under
 * TCG no RCU grace period would end, so that no device that is unplugged would
 * ever be deleted.
 */
static const struct {
    const char *name;
    const char *arguments;
    PortMachine machine;
} targets[] = {
    { "aarch64",
      "-M virt,highmem=off -cpu cortex-a57,start-powered-off=on",
      { .ram = 0x40000000, .ecam = 0x3f000000, .window = 0x10000000 } },
    { "riscv64",
      "-M virt -cpu rv64,start-powered-off=on",
      { .ram = 0x80000000, .ecam = 0x30000000, .window = 0x40000000 } },
};

void port_use_target(const char *name)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(targets); i++) {
        if (strcmp(targets[i].name, name) == 0) {
            vm_machine = targets[i].arguments;
            machine = &targets[i].machine;
            return;
        }
    }
    g_error("there is no target %s", name);
}

bool port_is_pc(void)
{
    return machine == &pc;
}

uint64_t port_window(void)
{
    return machine->window;
}

void port_use(Vm *vm)
{
    port_vm = vm;
    device_offset = machine->ram;
}

void port_set_device_offset(uint64_t bytes)
{
    device_offset = bytes;
}

uint64_t veu_port_device_address(const volatile void *memory)
{
    uint64_t offset = (const volatile uint8_t *)memory - port_vm->ram;

    g_assert_cmpuint(offset, <, VM_RAM_BYTES);
    return offset + device_offset;
}

volatile void *veu_port_map(uint64_t address, uint64_t bytes)
{
    return (volatile void *)(uintptr_t)address;
}

uint64_t port_read(const volatile void *at, unsigned bytes)
{
    return qtest_read(&port_vm->qtest, (uintptr_t)at, bytes);
}

void port_write(volatile void *at, unsigned bytes, uint64_t value)
{
    qtest_write(&port_vm->qtest, (uintptr_t)at, bytes, value);
}

uint32_t veu_port_read32(const volatile void *reg)
{
    return port_read(reg, 4);
}

uint64_t veu_port_read64(const volatile void *reg)
{
    return port_read(reg, 8);
}

void veu_port_write32(volatile void *reg, uint32_t value)
{
    port_write(reg, 4, value);
}

void veu_port_write64(volatile void *reg, uint64_t value)
{
    port_write(reg, 8, value);
}

static void select_config(uint16_t function, unsigned offset)
{
    qtest_out(&port_vm->qtest, CONFIG_ADDRESS, 4,
              UINT32_C(1) << 31 | (uint32_t)function << 8 | (offset & 0xfc));
}

static uint64_t ecam_address(uint16_t function, unsigned offset)
{
    return machine->ecam + ((uint64_t)function << 12) + offset;
}

uint32_t veu_port_config_read(uint16_t function, unsigned offset,
                              unsigned bytes)
{
    if (machine->ecam) {
        return qtest_read(&port_vm->qtest, ecam_address(function, offset),
                          bytes);
    }
    select_config(function, offset);
    return qtest_in(&port_vm->qtest, CONFIG_DATA + (offset & 3), bytes);
}

void veu_port_config_write(uint16_t function, unsigned offset, unsigned bytes,
                           uint32_t value)
{
    if (machine->ecam) {
        qtest_write(&port_vm->qtest, ecam_address(function, offset), bytes,
                    value);
        return;
    }
    select_config(function, offset);
    qtest_out(&port_vm->qtest, CONFIG_DATA + (offset & 3), bytes, value);
}

void veu_port_relax(void)
{
    g_usleep(50);
}
