/*
 * veu unit tests: the guest library drives the device model: firmware/lib.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The port below gives it two veus: the first has addresses, the second is on
 * bus 3 and has none. Both are the device of the fixture. The first device of
 * bus 0 has several functions, as has the bridge; the first veu has one, which
 * also answers for all others. Time passes, and the device works, only while
 * the library waits.
 */
#include <string.h>
#include "firmware/lib/veu_command.h"
#include "firmware/lib/veu_port.h"
#include "firmware/lib/veu_ring.h"
#include "firmware/lib/veu_space.h"
#include "tests/lib/device_fixture.h"

#define HOST_BRIDGE 0x00  /* 00:00.0 */
#define FIRST       0x08  /* 00:01.0 */
#define BRIDGE      0x10  /* 00:02.0 */
#define SECOND      0x300 /* 03:00.0 */
#define MSIX_AT     0x60
#define MSIX_BYTES  0x1000
#define PBA_AT      0x800
#define VECTORS     65
#define DOORBELLS   0x4000
#define REGS_WINDOW UINT64_C(0x140000000)

typedef struct Function {
    uint16_t number;
    uint8_t config[256];
    uint64_t bar_bytes[6];
    unsigned io_bars; /* bit n: BAR n is of I/O */
} Function;

static struct {
    Dev *dev;
    Function functions[4];
    volatile uint8_t regs[0x10000];
    volatile uint8_t bells[DOORBELLS];
    volatile uint8_t msix[MSIX_BYTES];
    unsigned kicks;
    unsigned bell;            /* offset of the last doorbell */
    bool is_stuck;            /* the device does nothing */
    unsigned late;            /* nor does it for this many times */
    unsigned state_reads;     /* of RING_STATE of ring 1 */
    uint64_t mapped_bytes;    /* the last time */
    uint32_t context_types;   /* if not 0, what this register holds */
    uint32_t context_options; /* the same, if that is not 0 */
    uint32_t ring_control;    /* of ring 1, likewise */
    uint32_t magic;           /* if not 0, what these registers hold */
    uint32_t version;
    uint64_t invalidate; /* the last value of CONTEXT_INVALIDATE of context 1 */
    uint32_t control;    /* the last value of RING_CONTROL of ring 1 */
    unsigned response_count;
    uint64_t responses[4];
    uint32_t response_heads[4]; /* of the queue at DEV_RESULT */
} port;

/* --- The port ------------------------------------------------------------ */

static uint8_t *ram(uint64_t address)
{
    return port.dev->host.memory.page[0].bytes + (address - DEV_RAM);
}

uint64_t veu_port_device_address(const volatile void *memory)
{
    return DEV_RAM + ((uintptr_t)memory - (uintptr_t)ram(DEV_RAM));
}

static Function *function_at(uint16_t number)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(port.functions); i++) {
        if (port.functions[i].number ==
            (number >> 3 == FIRST >> 3 ? FIRST : number)) {
            return &port.functions[i];
        }
    }
    return NULL;
}

uint32_t veu_port_config_read(uint16_t number, unsigned offset, unsigned bytes)
{
    const Function *f = function_at(number);
    uint32_t value = UINT32_MAX;

    g_assert_true(bytes == 1 || bytes == 2 || bytes == 4);
    g_assert_cmpuint(offset % bytes, ==, 0);
    g_assert_cmpuint(offset + bytes, <=, 256);
    if (f) {
        value = 0;
        memcpy(&value, f->config + offset, bytes);
    }
    return value;
}

/* The low bits of a BAR are constant. */
static uint32_t bar_value(const Function *f, unsigned bar, uint32_t value)
{
    static const uint32_t flags[6] = { 4, 0, 4, 0, 0, 0 };
    bool is_high = bar == 1 || bar == 3;

    return is_high && f->bar_bytes[bar - 1] ?
               value & -f->bar_bytes[bar - 1] >> 32 :
           f->io_bars >> bar & 1 ? (value & -f->bar_bytes[bar]) | 1 :
           f->bar_bytes[bar]     ? (value & -f->bar_bytes[bar]) | flags[bar] :
                                   0;
}

void veu_port_config_write(uint16_t number, unsigned offset, unsigned bytes,
                           uint32_t value)
{
    Function *f = function_at(number);

    if (offset >= 0x10 && offset < 0x28) {
        /* A BAR that is all ones must not be decoded. */
        g_assert_false(value == UINT32_MAX && f->config[4] & 2);
        value = bar_value(f, (offset - 0x10) / 4, value);
    }
    memcpy(f->config + offset, &value, bytes);
}

volatile void *veu_port_map(uint64_t address, uint64_t bytes)
{
    unsigned spaces = 0;
    volatile void *found = NULL;

    for (unsigned i = 0; i < 2; i++) {
        for (unsigned bar = 0; bar < 6; bar += 2) {
            const Function *f = &port.functions[i];
            uint64_t at = 0;

            memcpy(&at, f->config + 0x10 + 4 * bar, bar < 4 ? 8 : 4);
            at &= ~UINT64_C(15);
            if (f->bar_bytes[bar] && address - at < f->bar_bytes[bar]) {
                volatile uint8_t *space[] = { port.regs, port.bells,
                                              port.msix };

                g_assert_cmpuint(address - at + bytes, <=, f->bar_bytes[bar]);
                found = space[bar / 2] + (address - at);
                spaces++;
            }
        }
    }
    g_assert_cmpuint(spaces, <=, 1);
    port.mapped_bytes = bytes;
    return found;
}

static bool is_reg(const volatile void *reg)
{
    return (uintptr_t)reg - (uintptr_t)port.regs < sizeof(port.regs);
}

static uint32_t reg_of(const volatile void *reg)
{
    return (uintptr_t)reg - (uintptr_t)port.regs;
}

/* What a register holds in place of the device's; 0: nothing. */
static uint32_t other_value(uint32_t offset)
{
    if (offset == veu_ring_register(1, VEU_REG_RING_CONTROL)) {
        return port.ring_control;
    }
    switch (offset) {
    case VEU_REG_MAGIC:
        return port.magic;
    case VEU_REG_ABI_VERSION:
        return port.version;
    case VEU_REG_CAP_CONTEXT_TYPES:
        return port.context_types;
    case VEU_REG_CAP_CONTEXT_OPTIONS:
        return port.context_options;
    default:
        return 0;
    }
}

uint32_t veu_port_read32(const volatile void *reg)
{
    uint32_t other;

    if (!is_reg(reg)) {
        return *(const volatile uint32_t *)reg;
    }
    port.state_reads += reg_of(reg) == veu_ring_register(1, VEU_REG_RING_STATE);
    other = other_value(reg_of(reg));
    return other ? other : dev_read(port.dev, reg_of(reg), 4);
}

uint64_t veu_port_read64(const volatile void *reg)
{
    g_assert_true(is_reg(reg));
    return dev_read(port.dev, reg_of(reg), 8);
}

void veu_port_write32(volatile void *reg, uint32_t value)
{
    uintptr_t bell = (uintptr_t)reg - (uintptr_t)port.bells;

    if (is_reg(reg)) {
        if (reg_of(reg) == veu_ring_register(1, VEU_REG_RING_CONTROL)) {
            port.control = value;
        }
        dev_write(port.dev, reg_of(reg), value, 4);
    } else if (bell < sizeof(port.bells)) {
        port.kicks++;
        port.bell = bell;
    } else {
        /* A message changes only while it is masked. */
        uintptr_t at = (uintptr_t)reg - (uintptr_t)port.msix;

        g_assert_true(at % 16 == 12 || port.msix[at / 16 * 16 + 12] & 1);
        *(volatile uint32_t *)reg = value;
    }
}

void veu_port_write64(volatile void *reg, uint64_t value)
{
    g_assert_true(is_reg(reg));
    if (reg_of(reg) == VEU_CONTEXT_BLOCK + VEU_CONTEXT_BLOCK_STRIDE +
                           VEU_REG_CONTEXT_INVALIDATE) {
        port.invalidate = value;
    }
    if (reg_of(reg) == VEU_CONTEXT_BLOCK + VEU_CONTEXT_BLOCK_STRIDE +
                           VEU_REG_CONTEXT_RESPONSE) {
        const struct veu_request_queue *queue = (void *)ram(DEV_RESULT);

        port.responses[port.response_count % 4] = value;
        port.response_heads[port.response_count++ % 4] = queue->head;
    }
    dev_write(port.dev, reg_of(reg), value, 8);
}

void veu_port_relax(void)
{
    port.dev->host.now_ns += 1000;
    if (port.late) {
        port.late--;
    } else if (!port.is_stuck) {
        dev_ring_step(port.dev, 0, 5);
        dev_ring_step(port.dev, 1, 5);
    }
}

/* --- The machine --------------------------------------------------------- */

static void put(Function *f, unsigned offset, uint32_t value, unsigned bytes)
{
    memcpy(f->config + offset, &value, bytes);
}

static void make_veu(Function *f, uint16_t number)
{
    f->number = number;
    put(f, 0, VEU_PCI_DEVICE_ID << 16 | VEU_PCI_VENDOR_ID, 4);
    f->bar_bytes[0] = sizeof(port.regs);
    f->bar_bytes[2] = sizeof(port.bells);
    f->bar_bytes[4] = sizeof(port.msix);
    put(f, 0x10, 4, 4);
    put(f, 0x18, 4, 4);
    put(f, 6, 0x10, 2); /* it has capabilities: Express, MSI-X */
    put(f, 0x34, 0x40, 1);
    put(f, 0x40, MSIX_AT << 8 | 0x10, 2);
    put(f, MSIX_AT, 0x11, 2);
    put(f, MSIX_AT + 2, 0x4000 | (VECTORS - 1), 2); /* all are masked */
    put(f, MSIX_AT + 4, 4, 4);
    put(f, MSIX_AT + 8, PBA_AT | 4, 4);
}

static void machine_new(void)
{
    memset(&port, 0, sizeof(port));
    port.dev = dev_new_joined();
    make_veu(&port.functions[0], FIRST);
    put(&port.functions[0], 0x10, 0xc0000004, 4);
    put(&port.functions[0], 0x18, 0xc0010004, 4);
    put(&port.functions[0], 0x20, 0xc0020000, 4);
    make_veu(&port.functions[1], SECOND);
    port.functions[2].number = BRIDGE;
    put(&port.functions[2], 0xe, 0x4081, 2); /* and a self-test */
    put(&port.functions[2], 0x19, 3, 1);
    port.functions[3].number = HOST_BRIDGE;
    put(&port.functions[3], 0xe, 0x80, 1);
}

static struct veu_device open_first(void)
{
    struct veu_device device;

    g_assert_cmpint(veu_open(&device, &(struct veu_open_options){ 0 }), ==,
                    VEU_OK);
    return device;
}

/* --- Finding a device ---------------------------------------------------- */

static void test_functions_are_found(void)
{
    machine_new();
    g_assert_cmphex(veu_pci_find(VEU_PCI_VENDOR_ID, VEU_PCI_DEVICE_ID, 0), ==,
                    FIRST);
    g_assert_cmphex(veu_pci_find(VEU_PCI_VENDOR_ID, VEU_PCI_DEVICE_ID, 1), ==,
                    SECOND);
    g_assert_cmphex(veu_pci_find(VEU_PCI_VENDOR_ID, VEU_PCI_DEVICE_ID, 2), ==,
                    VEU_PCI_NONE);
    g_assert_cmphex(veu_pci_find(VEU_PCI_VENDOR_ID, 1, 0), ==, VEU_PCI_NONE);
    dev_free(port.dev);
}

/* All eight functions of a device that has several are probed. */
static void test_several_functions_are_found(void)
{
    machine_new();
    port.functions[1].number = BRIDGE | 7;
    g_assert_cmphex(veu_pci_find(VEU_PCI_VENDOR_ID, VEU_PCI_DEVICE_ID, 1), ==,
                    BRIDGE | 7);
    g_assert_cmphex(veu_pci_find(VEU_PCI_VENDOR_ID, VEU_PCI_DEVICE_ID, 2), ==,
                    VEU_PCI_NONE);
    put(&port.functions[2], 0xe, 1, 1);
    g_assert_cmphex(veu_pci_find(VEU_PCI_VENDOR_ID, VEU_PCI_DEVICE_ID, 1), ==,
                    VEU_PCI_NONE);
    dev_free(port.dev);
}

/* A device that has addresses keeps them, and is ready for use. */
static void test_a_device_is_opened(void)
{
    struct veu_device d;

    machine_new();
    dev_write(port.dev, VEU_RING_BLOCK + VEU_REG_RING_BUDGET, 5, 4);
    d = open_first();
    g_assert_cmphex(d.function, ==, FIRST);
    g_assert_cmphex(veu_pci_bar_address(FIRST, 0), ==, 0xc0000000);
    g_assert_cmphex(veu_pci_bar_address(FIRST, 4), ==, 0xc0020000);
    g_assert_cmphex(veu_port_config_read(FIRST, 4, 2), ==, 0x406);
    g_assert_true(d.doorbells == port.bells);
    g_assert_cmpuint(dev_ring_get(port.dev, VEU_REG_RING_BUDGET), ==, 0);
    dev_free(port.dev);
}

/* "The values of the capability and limit registers, with the same names." */
static void test_limits_are_those_of_the_device(void)
{
    struct veu_device d;

    machine_new();
    d = open_first();
#define LIMIT(member, reg) \
    g_assert_cmpuint(d.limits.member, ==, dev_read(port.dev, VEU_REG_##reg, 4))
    LIMIT(rings, CAP_RINGS);
    LIMIT(contexts, CAP_CONTEXTS);
    LIMIT(context_types, CAP_CONTEXT_TYPES);
    LIMIT(doorbell_stride, CAP_DOORBELL_STRIDE);
    LIMIT(vectors, CAP_VECTORS);
    LIMIT(ring_slots, CAP_RING_SLOTS);
    LIMIT(grf_bytes, CAP_GRF_BYTES);
    LIMIT(simd, CAP_SIMD);
    LIMIT(program_bytes, LIMIT_PROGRAM_BYTES);
    LIMIT(messages, LIMIT_MESSAGES);
    LIMIT(variables, LIMIT_VARIABLES);
    LIMIT(predicates, LIMIT_PREDICATES);
    LIMIT(register_bytes, LIMIT_REGISTER_BYTES);
    LIMIT(surfaces, LIMIT_SURFACES);
    LIMIT(slm_bytes, LIMIT_SLM_BYTES);
    LIMIT(threads, LIMIT_THREADS);
    LIMIT(groups, LIMIT_GROUPS);
    LIMIT(fault_records, LIMIT_FAULT_RECORDS);
    LIMIT(program_kinds, CAP_PROGRAM_KINDS);
    LIMIT(instructions, LIMIT_INSTRUCTIONS);
#undef LIMIT
    dev_free(port.dev);
}

/* Addresses are aligned to the sizes of BARs, and within the window. */
static void test_bars_get_addresses(void)
{
    struct veu_open_options o = {
        .index = 1, .window = { REGS_WINDOW + 16, REGS_WINDOW + 0x24000 }
    };
    struct veu_device d;

    machine_new();
    port.functions[1].bar_bytes[4] = 0; /* BARs of 64 bits only */
    g_assert_cmpint(veu_open(&d, &o), ==, VEU_OK);
    g_assert_cmphex(veu_pci_bar_address(SECOND, 0), ==, REGS_WINDOW + 0x10000);
    g_assert_cmphex(veu_pci_bar_address(SECOND, 2), ==, REGS_WINDOW + 0x20000);
    dev_free(port.dev);
    machine_new();
    port.functions[1].bar_bytes[4] = 0;
    o.window.end--;
    g_assert_cmpint(veu_open(&d, &o), ==, VEU_NO_BAR);
    o.window = (struct veu_pci_window){ 0 };
    g_assert_cmpint(veu_open(&d, &o), ==, VEU_NO_BAR);
    o.index = 2;
    g_assert_cmpint(veu_open(&d, &o), ==, VEU_NOT_FOUND);
    dev_free(port.dev);
}

static void test_bars_have_sizes(void)
{
    Function *f = &port.functions[0];

    machine_new();
    f->bar_bytes[2] = UINT64_C(1) << 33;
    f->bar_bytes[5] = 4096;
    put(f, 0x24, 0xd0000000, 4);
    g_assert_cmphex(veu_pci_bar_bytes(FIRST, 0), ==, sizeof(port.regs));
    g_assert_cmphex(veu_pci_bar_bytes(FIRST, 2), ==, UINT64_C(1) << 33);
    g_assert_cmphex(veu_pci_bar_bytes(FIRST, 4), ==, sizeof(port.msix));
    g_assert_cmphex(veu_pci_bar_address(FIRST, 4), ==, 0xc0020000);
    g_assert_cmphex(veu_pci_bar_address(FIRST, 5), ==, 0xd0000000);
    dev_free(port.dev);
}

/* The library needs no I/O ports. */
static void test_bars_of_ports_are_left_alone(void)
{
    struct veu_pci_window window = { REGS_WINDOW, REGS_WINDOW + 0x24000 };
    Function *f = &port.functions[1];

    machine_new();
    f->bar_bytes[4] = 0;
    f->bar_bytes[5] = 32;
    f->io_bars = 1 << 5;
    put(f, 0x24, 0xc001, 4);
    g_assert_cmphex(veu_pci_bar_address(SECOND, 5), ==, 0);
    g_assert_cmphex(veu_pci_bar_bytes(SECOND, 5), ==, 0);
    g_assert_true(veu_pci_assign_bars(SECOND, &window));
    g_assert_cmphex(veu_port_config_read(SECOND, 0x24, 4), ==, 0xc001);
    window.end = window.next;
    put(f, 0x10, 4, 4);
    put(f, 0x14, 0, 4);
    g_assert_false(veu_pci_assign_bars(SECOND, &window));
    dev_free(port.dev);
}

static void test_lists_of_capabilities_end(void)
{
    machine_new();
    g_assert_cmphex(veu_pci_capability(FIRST, 0x11), ==, MSIX_AT);
    put(&port.functions[0], MSIX_AT + 1, 0x40, 1); /* back to the first */
    g_assert_cmphex(veu_pci_capability(FIRST, 0x77), ==, 0);
    g_assert_cmphex(veu_pci_capability(FIRST, 0x11), ==, MSIX_AT);
    put(&port.functions[0], 6, 0, 2);
    put(&port.functions[0], 0, 0x1234, 2);
    g_assert_cmphex(veu_pci_capability(FIRST, 0x11), ==, 0);
    g_assert_cmphex(veu_pci_capability(FIRST, 0x12), ==, 0);
    dev_free(port.dev);
}

static void test_other_devices_are_refused(void)
{
    struct veu_device d;

    machine_new();
    port.version = VEU_ABI_1_0 + 0x10000;
    g_assert_cmpint(veu_open(&d, &(struct veu_open_options){ 0 }), ==,
                    VEU_OTHER_ABI);
    port.version = VEU_ABI_1_0 + 0xffff;
    g_assert_cmpint(veu_open(&d, &(struct veu_open_options){ 0 }), ==, VEU_OK);
    port.magic = VEU_MAGIC + 1;
    g_assert_cmpint(veu_open(&d, &(struct veu_open_options){ 0 }), ==,
                    VEU_NOT_A_VEU);
    dev_free(port.dev);
}

static uint32_t msix_word(unsigned at)
{
    return *(volatile uint32_t *)(port.msix + at);
}

static void test_vectors(void)
{
    struct veu_device d;

    machine_new();
    d = open_first();
    g_assert_cmpint(veu_msix_enable(&d), ==, VEU_OK);
    g_assert_cmphex(veu_port_config_read(FIRST, MSIX_AT + 2, 2), ==,
                    0x8000 | (VECTORS - 1));
    g_assert_cmpuint(d.msix_vectors, ==, VECTORS);
    g_assert_cmpuint(port.mapped_bytes, ==, 16); /* bits of 65 vectors */
    veu_msix_mask(&d, 1, true);
    g_assert_cmphex(msix_word(16 + 12), ==, 1);
    g_assert_cmpint(veu_msix_set(&d, 1, UINT64_C(0x12345678fee01000), 0x41), ==,
                    VEU_OK);
    g_assert_cmphex(msix_word(16), ==, 0xfee01000);
    g_assert_cmphex(msix_word(20), ==, 0x12345678);
    g_assert_cmphex(msix_word(24), ==, 0x41);
    g_assert_cmphex(msix_word(28), ==, 0);
    g_assert_cmpint(veu_msix_set(&d, VECTORS - 1, 4, 5), ==, VEU_OK);
    g_assert_cmpint(veu_msix_set(&d, VECTORS, 4, 5), ==, VEU_NO_MSIX);
    g_assert_cmphex(msix_word(VECTORS * 16), ==, 0);
    *(volatile uint32_t *)(port.msix + PBA_AT + 4) = 3;
    g_assert_true(veu_msix_pending(&d, 32));
    g_assert_true(veu_msix_pending(&d, 33));
    g_assert_false(veu_msix_pending(&d, 1));
    g_assert_false(veu_msix_pending(&d, 34));
    put(&port.functions[0], MSIX_AT + 2, VECTORS - 1, 2);
    put(&port.functions[0], 0x20, 0, 4); /* the table has no address */
    g_assert_cmpint(veu_msix_enable(&d), ==, VEU_NO_MSIX);
    g_assert_cmphex(veu_port_config_read(FIRST, MSIX_AT + 2, 2), ==,
                    VECTORS - 1);
    put(&port.functions[0], 6, 0, 2);
    g_assert_cmpint(veu_msix_enable(&d), ==, VEU_NO_MSIX);
    dev_free(port.dev);
}

/* --- A ring -------------------------------------------------------------- */

#define SLOTS   8
#define RECORDS 2

static struct veu_ring_config make_config(void)
{
    return (struct veu_ring_config){
        .number = 1,
        .vector = VEU_NO_VECTOR,
        .policy = VEU_POLICY_SKIP_COMMAND,
        .first = UINT32_MAX - 2,
        .slots = ram(DEV_RING),
        .slot_count = SLOTS,
        .shared = (void *)ram(DEV_SHARED),
        .faults = (void *)ram(DEV_FAULTS),
        .fault_count = RECORDS,
        .times = (void *)ram(DEV_PAYLOAD),
    };
}

static struct veu_ring start_ring(struct veu_device *d)
{
    struct veu_ring_config c;
    struct veu_ring ring;

    machine_new();
    *d = open_first();
    c = make_config();
    g_assert_cmpint(veu_ring_start(&ring, d, &c), ==, VEU_OK);
    return ring;
}

static void test_a_ring_is_in_the_registers(void)
{
    struct veu_device d;
    struct veu_ring ring = start_ring(&d);
    struct veu_ring_config c = make_config();

#define REG(name) veu_ring_read32(&ring, VEU_REG_RING_##name)
    g_assert_cmphex(REG(TIMES), ==, DEV_PAYLOAD);
    c.context = 1;
    c.vector = 2;
    c.budget = 12345;
    c.faults = NULL;
    c.fault_count = 0;
    c.times = NULL;
    g_assert_cmpint(veu_ring_start(&ring, &d, &c), ==, VEU_OK);
    g_assert_cmphex(REG(BASE), ==, DEV_RING);
    g_assert_cmphex(REG(SHARED), ==, DEV_SHARED);
    g_assert_cmphex(REG(FAULTS), ==, 0);
    g_assert_cmphex(REG(TIMES), ==, 0);
    g_assert_cmpuint(REG(SLOTS), ==, SLOTS);
    g_assert_cmpuint(REG(FAULT_RECORDS), ==, 0);
    g_assert_cmpuint(REG(CONTEXT), ==, 1);
    g_assert_cmpuint(REG(VECTOR), ==, 2);
    g_assert_cmpuint(REG(POLICY), ==, VEU_POLICY_SKIP_COMMAND);
    g_assert_cmpuint(REG(BUDGET), ==, 12345);
    g_assert_cmpuint(REG(HEAD), ==, c.first);
#undef REG
    dev_free(port.dev);
}

/* A command of two slots goes around the end of a ring of 8. */
static void test_commands_are_done(void)
{
    struct veu_device d;
    struct veu_ring ring = start_ring(&d);
    uint64_t *fence = (void *)ram(DEV_FENCE);
    struct veu_command_dispatch dispatch = veu_make_dispatch(9, ram(DEV_HOLE),
                                                             64, 8);

    for (unsigned i = 1; i <= 6; i++) {
        struct veu_command_fence f = veu_make_fence(i, fence, i);

        f.header.flags = VEU_COMMAND_TIMES;
        g_assert_cmpint(veu_ring_put(&ring, &f.header), ==, VEU_OK);
    }
    g_assert_cmpuint(veu_ring_space(&ring), ==, 2);
    veu_ring_submit(&ring);
    g_assert_cmpint(veu_ring_wait(&ring, 1000000), ==, VEU_OK);
    g_assert_cmpuint(*fence, ==, 6);
    g_assert_cmpuint(veu_ring_head(&ring), ==, ring.tail);
    g_assert_cmpuint(veu_ring_times(&ring, ring.tail - 1)->end_ns, !=, 0);
    g_assert_true(veu_ring_times(&ring, 10) == &ring.config.times[2]);
    /* in slots 3, 5, and 7 and 0 */
    dispatch.launch.threads = 0;
    for (unsigned i = 0; i < 3; i++) {
        g_assert_cmpint(veu_ring_put(&ring, &dispatch.header), ==, VEU_OK);
    }
    veu_ring_submit(&ring);
    g_assert_cmpint(veu_ring_wait(&ring, 1000000), ==, VEU_OK);
    g_assert_cmpint(veu_ring_put(&ring, &dispatch.header), ==, VEU_OK);
    veu_ring_submit(&ring);
    g_assert_cmpint(veu_ring_wait(&ring, 1000000), ==, VEU_OK);
    g_assert_cmpint(memcmp(ram(DEV_RING + 7 * VEU_SLOT_BYTES), &dispatch,
                           VEU_SLOT_BYTES),
                    ==, 0);
    g_assert_cmpint(memcmp(ram(DEV_RING), (uint8_t *)&dispatch + VEU_SLOT_BYTES,
                           VEU_SLOT_BYTES),
                    ==, 0);
    g_assert_cmpuint(veu_ring_read32(&ring, VEU_REG_RING_FAULT_COUNT), ==, 4);
    g_assert_cmpuint(veu_ring_read32(&ring, VEU_REG_RING_LAST_FAULT), ==,
                     VEU_FAULT_COMMAND_FIELD);
    dev_free(port.dev);
}

static void test_a_full_ring_takes_nothing(void)
{
    struct veu_device d;
    struct veu_ring ring = start_ring(&d);
    struct veu_command_nop nop = veu_make_nop(1);
    struct veu_command_dispatch two = veu_make_dispatch(9, ram(DEV_PROGRAM), 64,
                                                        8);
    uint32_t tail;

    for (unsigned i = 0; i < SLOTS - 1; i++) {
        g_assert_cmpint(veu_ring_put(&ring, &nop.header), ==, VEU_OK);
    }
    tail = ring.tail;
    g_assert_cmpint(veu_ring_put(&ring, &two.header), ==, VEU_FULL);
    g_assert_cmpuint(ring.tail, ==, tail);
    g_assert_cmpint(veu_ring_put(&ring, &nop.header), ==, VEU_OK);
    g_assert_cmpint(veu_ring_reserve(&ring, 1), ==, VEU_FULL);
    g_assert_cmpint(veu_ring_reserve(&ring, 0), ==, VEU_OK);
    dev_free(port.dev);
}

/* The doorbell is an exit: only a device that sleeps needs it. */
static void test_only_a_sleeping_device_is_woken(void)
{
    struct veu_device d;
    struct veu_ring ring = start_ring(&d);

    veu_ring_submit(&ring);
    g_assert_cmpuint(port.kicks, ==, 0);
    ring.config.shared->asleep = 1;
    veu_ring_submit(&ring);
    g_assert_cmpuint(port.kicks, ==, 1);
    g_assert_cmphex(port.bell, ==, 4096);
    veu_ring_notify(&ring);
    g_assert_cmpuint(ring.kicks, ==, 2);
    g_assert_cmpuint(ring.submits, ==, 2);
    dev_free(port.dev);
}

/* Each record is returned once, and makes room for the next ones. */
static void test_faults_are_read_in_order(void)
{
    struct veu_device d;
    struct veu_ring ring = start_ring(&d);
    struct veu_fault_record record;

    for (unsigned n = 0; n < 2 * RECORDS; n++) {
        struct veu_command_fill fill = veu_make_fill(n + 1, ram(DEV_HOLE), 0,
                                                     8);

        g_assert_false(veu_ring_read_fault(&ring, &record));
        g_assert_cmpint(veu_ring_put(&ring, &fill.header), ==, VEU_OK);
        veu_ring_submit(&ring);
        g_assert_cmpint(veu_ring_wait(&ring, 1000000), ==, VEU_OK);
        g_assert_true(veu_ring_read_fault(&ring, &record));
        g_assert_cmpuint(record.tag, ==, n + 1);
    }
    g_assert_cmpuint(veu_ring_read32(&ring, VEU_REG_RING_FAULT_COUNT), ==, 4);
    dev_free(port.dev);
}

static void test_waits_end(void)
{
    struct veu_device d;
    struct veu_ring ring = start_ring(&d);
    struct veu_ring_config c = make_config();
    struct veu_command_nop nop = veu_make_nop(1);
    struct veu_command_fill fill = veu_make_fill(1, ram(DEV_HOLE), 0, 8);

    port.is_stuck = true;
    g_assert_cmpint(veu_ring_put(&ring, &nop.header), ==, VEU_OK);
    veu_ring_submit(&ring);
    g_assert_cmpint(veu_ring_wait(&ring, 5000000), ==, VEU_TIMEOUT);
    port.is_stuck = false;
    g_assert_cmpint(veu_ring_wait(&ring, 5000000), ==, VEU_OK);
    g_assert_cmpint(veu_ring_stop(&ring, 1000000), ==, VEU_OK);
    g_assert_cmpuint(veu_ring_read32(&ring, VEU_REG_RING_STATE), ==,
                     VEU_RING_DISABLED);
    c.policy = VEU_POLICY_HALT;
    g_assert_cmpint(veu_ring_start(&ring, &d, &c), ==, VEU_OK);
    g_assert_cmpint(veu_ring_put(&ring, &fill.header), ==, VEU_OK);
    veu_ring_submit(&ring);
    g_assert_cmpint(veu_ring_wait(&ring, 5000000), ==, VEU_FAULTED);
    dev_free(port.dev);
}

/* The time of a wait begins with the call. Registers are read each ms. */
static void test_waits_have_all_of_their_time(void)
{
    struct veu_device d;
    struct veu_ring ring = start_ring(&d);
    struct veu_command_nop nop = veu_make_nop(1);

    port.dev->host.now_ns = 1000000000;
    port.late = 4000; /* microseconds */
    g_assert_cmpint(veu_ring_put(&ring, &nop.header), ==, VEU_OK);
    veu_ring_submit(&ring);
    g_assert_cmpint(veu_ring_wait(&ring, 5000000), ==, VEU_OK);
    g_assert_cmpuint(port.state_reads, >=, 2);
    g_assert_cmpuint(port.state_reads, <=, 4);
    dev_free(port.dev);
}

/* Reading a register is an exit of the VM. */
static void test_short_waits_read_no_register(void)
{
    struct veu_device d;
    struct veu_ring ring = start_ring(&d);
    struct veu_command_nop nop = veu_make_nop(1);
    unsigned before = port.state_reads;

    port.dev->host.now_ns = 1000000000;
    port.late = 900; /* microseconds */
    g_assert_cmpint(veu_ring_put(&ring, &nop.header), ==, VEU_OK);
    veu_ring_submit(&ring);
    g_assert_cmpint(veu_ring_wait(&ring, 5000000), ==, VEU_OK);
    g_assert_cmpuint(port.late, ==, 0);
    g_assert_cmpuint(port.state_reads, ==, before);
    dev_free(port.dev);
}

static void test_a_stuck_device_is_given_up(void)
{
    struct veu_device d;
    struct veu_ring ring = start_ring(&d);
    struct veu_command_nop nop = veu_make_nop(1);
    uint64_t begin;

    port.dev->host.now_ns = begin = 1000000000;
    port.is_stuck = true;
    g_assert_cmpint(veu_ring_put(&ring, &nop.header), ==, VEU_OK);
    veu_ring_submit(&ring);
    port.ring_control = VEU_RING_ENABLE | VEU_RING_RELOAD;
    g_assert_cmpint(veu_ring_reload(&ring, 1000000), ==, VEU_TIMEOUT);
    g_assert_cmpuint(port.dev->host.now_ns, ==, begin + 1001000);
    port.dev->host.now_ns = begin;
    g_assert_cmpint(veu_ring_stop(&ring, 1000000), ==, VEU_TIMEOUT);
    g_assert_cmpuint(port.dev->host.now_ns, ==, begin + 1001000);
    dev_free(port.dev);
}

/* Both are registers of a ring that runs. */
static void test_priority_and_reload(void)
{
    struct veu_device d;
    struct veu_ring ring = start_ring(&d);
    struct veu_command_nop nop = veu_make_nop(1);

    veu_ring_set_priority(&ring, VEU_PRIORITY_LOW);
    g_assert_cmpuint(veu_ring_read32(&ring, VEU_REG_RING_PRIORITY), ==,
                     VEU_PRIORITY_LOW);
    g_assert_cmpint(veu_ring_put(&ring, &nop.header), ==, VEU_OK);
    veu_ring_submit(&ring);
    g_assert_cmpint(veu_ring_wait(&ring, 1000000), ==, VEU_OK);
    g_assert_cmpint(veu_ring_reload(&ring, 1000000), ==, VEU_OK);
    g_assert_cmphex(port.control, ==, VEU_RING_ENABLE | VEU_RING_RELOAD);
    g_assert_cmphex(veu_ring_read32(&ring, VEU_REG_RING_CONTROL), ==,
                    VEU_RING_ENABLE);
    dev_free(port.dev);
}

/* Values that the device would refuse later. */
static void test_illegal_rings_are_refused(void)
{
    struct veu_device d;
    struct veu_ring ring = start_ring(&d);
    struct veu_ring_config good = make_config(), c;
    const struct veu_limits *l = &d.limits;

#define REFUSED(statement) \
    c = good;              \
    statement;             \
    g_assert_cmpint(veu_ring_start(&ring, &d, &c), ==, VEU_BAD_CONFIG)
#define TAKEN(statement) \
    c = good;            \
    statement;           \
    g_assert_cmpint(veu_ring_start(&ring, &d, &c), ==, VEU_OK)
    TAKEN(c.context = l->contexts - 1);
    TAKEN(c.vector = l->vectors - 1);
    TAKEN(c.slot_count = l->ring_slots);
    TAKEN(c.fault_count = l->fault_records);
    TAKEN(c.fault_count = 0; c.faults = NULL);
    TAKEN(c.fault_count = 1);
    TAKEN(c.times = NULL);
    REFUSED(c.number = l->rings);
    REFUSED(c.context = l->contexts);
    REFUSED(c.vector = l->vectors);
    REFUSED(c.slot_count = 0);
    REFUSED(c.slot_count = 12);
    REFUSED(c.slot_count = 2 * l->ring_slots);
    REFUSED(c.fault_count = 3);
    REFUSED(c.fault_count = 2 * l->fault_records);
    REFUSED(c.faults = NULL);
    REFUSED(c.slots = ram(DEV_RING) + 32);
    REFUSED(c.slots = NULL);
    REFUSED(c.shared = (void *)(ram(DEV_SHARED) + 8));
    REFUSED(c.times = (void *)(ram(DEV_PAYLOAD) + 8));
#undef TAKEN
#undef REFUSED
    dev_free(port.dev);
}

/* --- Page tables --------------------------------------------------------- */

#define PAGE        UINT64_C(4096)
#define TABLES_FROM (DEV_PROGRAM + 0x1000)
#define SPACE_BASE  UINT64_C(0x7f0000200000)

typedef struct Pages {
    unsigned used;
    unsigned most;
} Pages;

static void *alloc_page(void *opaque)
{
    Pages *p = opaque;

    return p->used == p->most ? NULL : ram(TABLES_FROM + PAGE * p->used++);
}

static void *find_page(void *opaque, uint64_t address)
{
    return ram(address);
}

static uint64_t entry_of(struct veu_space *s, uint64_t address)
{
    return *veu_space_entry(s, address, 1);
}

static void test_pages_are_mapped(void)
{
    Pages pages = { .most = 5 };
    struct veu_space_config config = {
        .context = 1, .alloc = alloc_page, .find = find_page, .opaque = &pages
    };
    struct veu_device d;
    struct veu_space s;
    const uint64_t bits = VEU_PAGE_READ | VEU_PAGE_WRITE;

    start_ring(&d);
    g_assert_cmpint(veu_space_start(&s, &d, &config), ==, VEU_OK);
    /* the last page of a table, and the first of the next one */
    g_assert_cmpint(veu_space_map(&s, SPACE_BASE - PAGE, ram(DEV_DATA),
                                  2 * PAGE, bits),
                    ==, VEU_OK);
    g_assert_cmpuint(pages.used, ==, 5);
    g_assert_cmphex(entry_of(&s, SPACE_BASE - PAGE), ==,
                    DEV_DATA | bits | VEU_PAGE_VALID);
    g_assert_cmphex(entry_of(&s, SPACE_BASE), ==,
                    (DEV_DATA + PAGE) | bits | VEU_PAGE_VALID);
    g_assert_cmphex(entry_of(&s, SPACE_BASE + PAGE), ==, 0);
    g_assert_cmpint(veu_space_map(&s, SPACE_BASE + (1 << 21) + PAGE,
                                  ram(DEV_DATA), PAGE, bits),
                    ==, VEU_FULL);
    veu_space_protect(&s, SPACE_BASE, 2 * PAGE, VEU_PAGE_READ);
    g_assert_cmphex(port.invalidate, ==, VEU_INVALIDATE(SPACE_BASE, 1));
    g_assert_cmphex(entry_of(&s, SPACE_BASE), ==,
                    (DEV_DATA + PAGE) | VEU_PAGE_READ | VEU_PAGE_VALID);
    g_assert_cmphex(entry_of(&s, SPACE_BASE + PAGE), ==, 0);
    /* four pages are the smallest aligned range that has pages 1 and 2 */
    veu_space_protect(&s, SPACE_BASE + PAGE, 2 * PAGE, VEU_PAGE_READ);
    g_assert_cmphex(port.invalidate, ==, VEU_INVALIDATE(SPACE_BASE + PAGE, 2));
    veu_space_unmap(&s, SPACE_BASE, PAGE);
    g_assert_cmphex(port.invalidate, ==, VEU_INVALIDATE(SPACE_BASE, 0));
    g_assert_cmphex(entry_of(&s, SPACE_BASE), ==, 0);
    g_assert_cmphex(entry_of(&s, SPACE_BASE - PAGE), !=, 0);
    /* nothing is done to the page after the last one */
    veu_space_map(&s, SPACE_BASE, ram(DEV_DATA), PAGE, bits);
    veu_space_protect(&s, SPACE_BASE - PAGE, PAGE, 0);
    veu_space_unmap(&s, SPACE_BASE - PAGE, PAGE);
    g_assert_cmphex(entry_of(&s, SPACE_BASE - PAGE), ==, 0);
    g_assert_cmphex(entry_of(&s, SPACE_BASE), ==,
                    DEV_DATA | bits | VEU_PAGE_VALID);
    dev_free(port.dev);
}

static uint64_t context_reg(uint32_t reg, unsigned bytes)
{
    return dev_read(port.dev,
                    VEU_CONTEXT_BLOCK + VEU_CONTEXT_BLOCK_STRIDE + reg, bytes);
}

static void test_a_space_is_in_the_registers(void)
{
    Pages pages = { .most = 1 };
    struct veu_space_config config = { .context = 1,
                                       .alloc = alloc_page,
                                       .find = find_page,
                                       .opaque = &pages,
                                       .records = 128,
                                       .vector = 2 };
    struct veu_device d;
    struct veu_space s;

    start_ring(&d);
    g_assert_cmpint(veu_space_start(&s, &d, &config), ==, VEU_OK);
    g_assert_cmphex(context_reg(VEU_REG_CONTEXT_OPTIONS, 4), ==, 0);
    g_assert_cmpuint(context_reg(VEU_REG_CONTEXT_TYPE, 4), ==,
                     VEU_CONTEXT_TABLES);
    g_assert_cmphex(context_reg(VEU_REG_CONTEXT_ROOT, 8), ==, TABLES_FROM);
    g_assert_cmphex(context_reg(VEU_REG_CONTEXT_QUEUE, 8), ==, 0);
    g_assert_cmpint(veu_space_start(&s, &d, &config), ==, VEU_FULL);
    pages.used = 0;
    config.queue = (void *)ram(DEV_RESULT);
    g_assert_cmpint(veu_space_start(&s, &d, &config), ==, VEU_OK);
    g_assert_cmphex(context_reg(VEU_REG_CONTEXT_OPTIONS, 4), ==,
                    VEU_CONTEXT_REQUESTS);
    g_assert_cmphex(context_reg(VEU_REG_CONTEXT_QUEUE, 8), ==, DEV_RESULT);
    g_assert_cmpuint(context_reg(VEU_REG_CONTEXT_QUEUE_RECORDS, 4), ==, 128);
    g_assert_cmpuint(context_reg(VEU_REG_CONTEXT_QUEUE_VECTOR, 4), ==, 2);
    dev_free(port.dev);
}

/* Page tables and requests are options of a device. */
static void test_a_device_without_spaces_is_refused(void)
{
    Pages pages = { .most = 2 };
    struct veu_space_config config = {
        .context = 1, .alloc = alloc_page, .find = find_page, .opaque = &pages
    };
    struct veu_device d;
    struct veu_space s;

    start_ring(&d);
    port.context_types = ~(1u << VEU_CONTEXT_TABLES);
    g_assert_cmpint(veu_space_start(&s, &d, &config), ==, VEU_OTHER_ABI);
    port.context_types = 0;
    port.context_options = ~VEU_CONTEXT_REQUESTS;
    g_assert_cmpint(veu_space_start(&s, &d, &config), ==, VEU_OK);
    config.queue = (void *)ram(DEV_RESULT);
    g_assert_cmpint(veu_space_start(&s, &d, &config), ==, VEU_OTHER_ABI);
    dev_free(port.dev);
}

/* Provides pages at even addresses. */
static bool provide_even(void *opaque, const struct veu_request *request)
{
    (*(unsigned *)opaque)++;
    return request->address / PAGE % 2 == 0;
}

/*
 * A group of requests gets one response: it is refused if no page of it is
 * there. The head is stored before.
 */
static void test_requests_get_responses(void)
{
    static const struct veu_request requests[] = {
        { .address = 3 * PAGE, .id = 7 },
        { .address = 5 * PAGE, .id = 7, .flags = VEU_REQUEST_LAST },
        { .address = 0 * PAGE, .id = 8 },
        { .address = 1 * PAGE, .id = 8, .flags = VEU_REQUEST_LAST },
        { .address = 7 * PAGE, .id = 9, .flags = VEU_REQUEST_LAST },
        { .address = 2 * PAGE, .id = 10 },
    };
    Pages pages = { .most = 1 };
    struct veu_space_config config = { .context = 1,
                                       .alloc = alloc_page,
                                       .find = find_page,
                                       .opaque = &pages,
                                       .records = 128,
                                       .vector = VEU_NO_VECTOR };
    struct veu_device d;
    struct veu_space s;
    unsigned count = 0;

    start_ring(&d);
    config.queue = (void *)ram(DEV_RESULT);
    g_assert_cmpint(veu_space_start(&s, &d, &config), ==, VEU_OK);
    g_assert_cmpuint(veu_space_serve(&s, provide_even, &count), ==, 0);
    s.head = 126; /* the last two records, and the first four */
    for (unsigned i = 0; i < G_N_ELEMENTS(requests); i++) {
        memcpy((struct veu_request *)(config.queue + 1) + (126 + i) % 128,
               &requests[i], sizeof(requests[i]));
    }
    config.queue->tail = 126 + G_N_ELEMENTS(requests);
    g_assert_cmpuint(veu_space_serve(&s, provide_even, &count), ==, 3);
    g_assert_cmpuint(count, ==, G_N_ELEMENTS(requests));
    g_assert_cmpuint(port.response_count, ==, 3);
    g_assert_cmphex(port.responses[0], ==, 7 | VEU_RESPONSE_REFUSED);
    g_assert_cmpuint(port.response_heads[0], ==, 128);
    g_assert_cmphex(port.responses[1], ==, 8);
    g_assert_cmpuint(port.response_heads[1], ==, 130);
    g_assert_cmphex(port.responses[2], ==, 9 | VEU_RESPONSE_REFUSED);
    g_assert_cmpuint(port.response_heads[2], ==, 131);
    dev_free(port.dev);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/guest-library/" #name, test_##name)
    RULE(functions_are_found);
    RULE(several_functions_are_found);
    RULE(a_device_is_opened);
    RULE(limits_are_those_of_the_device);
    RULE(bars_get_addresses);
    RULE(bars_have_sizes);
    RULE(bars_of_ports_are_left_alone);
    RULE(lists_of_capabilities_end);
    RULE(other_devices_are_refused);
    RULE(vectors);
    RULE(a_ring_is_in_the_registers);
    RULE(commands_are_done);
    RULE(a_full_ring_takes_nothing);
    RULE(only_a_sleeping_device_is_woken);
    RULE(faults_are_read_in_order);
    RULE(waits_end);
    RULE(waits_have_all_of_their_time);
    RULE(short_waits_read_no_register);
    RULE(a_stuck_device_is_given_up);
    RULE(priority_and_reload);
    RULE(illegal_rings_are_refused);
    RULE(pages_are_mapped);
    RULE(a_space_is_in_the_registers);
    RULE(a_device_without_spaces_is_refused);
    RULE(requests_get_responses);
#undef RULE
    return g_test_run();
}
