/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The device's description of itself, and whether it is plausible.
 */
#include "checks.h"

#define PCI_COMMAND    0x04
#define PCI_CLASS      0x08
#define PCI_SUBSYSTEM  0x2c
#define PCI_BAR0       0x10
#define COMMAND_MEMORY 0x0002

static enum veu_status open_device(struct bench *b,
                                   struct veu_pci_window window)
{
    struct veu_open_options options = {
        .vendor_id = b->options.vendor_id,
        .device_id = b->options.device_id,
        .window = window,
    };

    return veu_open(&b->device, &options);
}

static void identity(struct bench *b)
{
    uint16_t f = b->device.function;
    uint32_t ids = veu_port_config_read(f, 0, 4);
    uint32_t subsystem = veu_port_config_read(f, PCI_SUBSYSTEM, 4);
    uint32_t class = veu_port_config_read(f, PCI_CLASS, 4);

    report_info("PCI address", "%02x:%02x.%x%s", f >> 8, f >> 3 & 31, f & 7,
                veu_pci_capability(f, VEU_PCI_CAP_EXPRESS) ? ", PCI Express" :
                                                             "");
    report_info("PCI ids",
                "%04x:%04x, subsystem %04x:%04x, class %04x, "
                "revision %02x",
                ids & 0xffff, ids >> 16, subsystem & 0xffff, subsystem >> 16,
                class >> 16, class & 0xff);
    report_info("registers", "%lu bytes at 0x%lx",
                veu_pci_bar_bytes(f, VEU_BAR_REGS),
                veu_pci_bar_address(f, VEU_BAR_REGS));
    report_info("doorbells", "%lu bytes at 0x%lx",
                veu_pci_bar_bytes(f, VEU_BAR_DOORBELLS),
                veu_pci_bar_address(f, VEU_BAR_DOORBELLS));
    report_info("ABI version", "%u.%u", b->device.abi_version >> 16,
                b->device.abi_version & 0xffff);
}

static void limits(const struct veu_limits *l)
{
    report_info("rings", "%u of up to %u slots, doorbells %u bytes apart",
                l->rings, l->ring_slots, l->doorbell_stride);
    report_info("contexts", "%u, types 0x%x", l->contexts, l->context_types);
    report_info("MSI-X vectors", "%u", l->vectors);
    report_info("register sizes", "%s%s", l->grf_bytes & 32 ? "32 " : "",
                l->grf_bytes & 64 ? "64 " : "");
    report_info("SIMD sizes", "%s%s%s", l->simd & 8 ? "8 " : "",
                l->simd & 16 ? "16 " : "", l->simd & 32 ? "32 " : "");
    report_info("program",
                "%u bytes, %u messages, %u variables, "
                "%u predicates, %u bytes of registers",
                l->program_bytes, l->messages, l->variables, l->predicates,
                l->register_bytes);
    report_info("dispatch",
                "%u groups of %u EU threads, %u surfaces, "
                "%u bytes of SLM",
                l->groups, l->threads, l->surfaces, l->slm_bytes);
    report_info("fault records", "%u", l->fault_records);
}

static void check_class(struct bench *b)
{
    report_begin("class is \"processing accelerator\"");
    report_result(veu_port_config_read(b->device.function, PCI_CLASS + 2, 2) ==
                      VEU_PCI_CLASS,
                  "it is not 0x%04x", VEU_PCI_CLASS);
}

static void check_limits(const struct veu_limits *l)
{
    report_begin("limits allow the smallest dispatch");
    report_result(l->rings && l->rings <= VEU_MAX_RINGS && l->contexts &&
                      l->context_types & 1 && l->vectors &&
                      l->ring_slots >= 4 && l->grf_bytes & 96 && l->simd & 56 &&
                      l->messages && l->variables && l->register_bytes >= 64 &&
                      l->threads && l->groups && l->doorbell_stride >= 4096,
                  "a capability or limit register is too small");
}

/* Reset values, from the rows of veu/regs.h. */
#define ROW(name, offset, bytes, access, reset, writable, text) \
    { #name, (offset), (bytes), (uint64_t)(reset) },

static void check_reset_values(struct bench *b)
{
    static const struct {
        const char *name;
        unsigned offset;
        unsigned bytes;
        uint64_t reset;
    } rows[] = { VEU_RING_REGS(ROW) };
    unsigned wrong = ARRAY_SIZE(rows);

    report_begin("ring registers have their reset values");
    veu_write64(&b->device, veu_ring_register(0, VEU_REG_RING_BASE), 4096);
    veu_reset(&b->device);
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
        unsigned at = veu_ring_register(0, rows[i].offset);
        uint64_t value = rows[i].bytes == 8 ? veu_read64(&b->device, at) :
                                              veu_read32(&b->device, at);

        if (value != rows[i].reset && wrong == ARRAY_SIZE(rows)) {
            wrong = i;
        }
    }
    report_result(wrong == ARRAY_SIZE(rows), "%s does not",
                  rows[wrong % ARRAY_SIZE(rows)].name);
}
#undef ROW

static void check_reserved(struct bench *b)
{
    unsigned at = veu_ring_register(0, VEU_REG_RING_BASE);
    uint64_t whole;

    report_begin("8-byte registers in halves, reserved bits read as 0");
    veu_write32(&b->device, at, 0x12345fff);
    veu_write32(&b->device, at + 4, 0x9abcdef0);
    whole = veu_read64(&b->device, at);
    report_result(whole == 0x9abcdef012345fc0ull &&
                      veu_read32(&b->device, at + 4) == 0x9abcdef0,
                  "RING_BASE reads 0x%lx", whole);
    veu_reset(&b->device);
}

static void check_clock(struct bench *b)
{
    uint64_t start = veu_time(&b->device), passed;

    report_begin("TIME runs in nanoseconds");
    machine_delay_us(20000);
    passed = veu_time(&b->device) - start;
    report_result(passed >= 18000000 && passed < 2000000000,
                  "%lu ns passed in 20 ms", passed);
}

/*
 * Returns where its BARs may go: on bus 0 to another place than before; below a
 * bridge only into the bridge's window, of which only the previous place is
 * known.
 */
static struct veu_pci_window new_window(uint16_t function)
{
    struct veu_pci_window window;

    machine_pci_window(&window.next, &window.end);
    if (function >> 8) {
        uint64_t a = veu_pci_bar_address(function, VEU_BAR_REGS);
        uint64_t b = veu_pci_bar_address(function, VEU_BAR_DOORBELLS);
        uint64_t a_end = a + veu_pci_bar_bytes(function, VEU_BAR_REGS);
        uint64_t b_end = b + veu_pci_bar_bytes(function, VEU_BAR_DOORBELLS);

        window.next = a < b ? a : b;
        window.end = a_end > b_end ? a_end : b_end;
    }
    return window;
}

/*
 * As after a hotplug, no BAR has an address, and the library must assign one.
 */
static void check_assignment(struct bench *b)
{
    uint16_t f = b->device.function;
    struct veu_pci_window window = new_window(f);
    enum veu_status status;
    uint64_t regs;

    report_begin("BARs without addresses get some");
    veu_port_config_write(f, PCI_COMMAND, 2, 0);
    veu_port_config_write(f, PCI_BAR0 + 4 * VEU_BAR_REGS, 4, 0);
    veu_port_config_write(f, PCI_BAR0 + 4 * VEU_BAR_DOORBELLS, 4, 0);
    status = open_device(b, window);
    regs = veu_pci_bar_address(f, VEU_BAR_REGS);
    report_result(status == VEU_OK && regs >= window.next && regs < window.end,
                  "%s; registers at 0x%lx", veu_status_text(status), regs);
}

bool check_device(struct bench *b)
{
    struct veu_pci_window window;
    enum veu_status status;

    machine_pci_window(&window.next, &window.end);
    status = open_device(b, window);

    report_section("device");
    report_begin("found and identified");
    if (!report_result(status == VEU_OK, "%s", veu_status_text(status))) {
        return false;
    }
    identity(b);
    limits(&b->device.limits);
    if (b->options.checks) {
        check_class(b);
        check_limits(&b->device.limits);
        check_reset_values(b);
        check_reserved(b);
        check_clock(b);
        check_assignment(b);
    }
    return b->device.regs != NULL;
}
