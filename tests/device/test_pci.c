/*
 * veu device tests: PCI configuration space, BARs and properties.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/rig.h"

/* PCI configuration space, by the PCI specifications. */
#define CONFIG_IDS           0x00
#define CONFIG_COMMAND       0x04
#define CONFIG_CLASS         0x08
#define CONFIG_HEADER_TYPE   0x0e
#define CONFIG_BAR(n)        (0x10 + 4 * (n))
#define CONFIG_SUBSYSTEM     0x2c
#define CONFIG_BUSES         0x18
#define CONFIG_CAPABILITIES  0x34
#define CONFIG_INTERRUPT_PIN 0x3d
#define EXPRESS_FLAGS        2
#define EXPRESS_CAPABILITIES 4
#define EXPRESS_HAS_FLR      (1u << 28)
#define TYPE_ENDPOINT        0
#define TYPE_INTEGRATED      9

#define PC "-M pc -device veu,addr=4"
#define ROOT_PORT                                 \
    "-M q35 -device pcie-root-port,id=rp,addr=2 " \
    "-device veu,bus=rp"

static uint32_t config(Rig *r, unsigned offset, unsigned bytes)
{
    return veu_port_config_read(r->device.function, offset, bytes);
}

static void test_ids_are_those_of_veu(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    g_assert_cmphex(config(r, CONFIG_IDS, 4), ==, 0x76651234);
    g_assert_cmphex(config(r, CONFIG_SUBSYSTEM, 4), ==, 0x76651234);
    g_assert_cmphex(config(r, CONFIG_CLASS, 4), ==, 0x12000000);
    g_assert_cmphex(config(r, CONFIG_HEADER_TYPE, 1), ==, 0);
    g_assert_cmphex(config(r, CONFIG_INTERRUPT_PIN, 1), ==, 0);
}

static void test_ids_are_properties(const char *accel)
{
    Vm *vm = vm_new(accel, "-M q35 -device veu,addr=4,vendor-id=0xabcd,"
                           "device-id=0x5678,subsystem-vendor-id=0x4321,"
                           "subsystem-id=0x8765,revision=0x9a");
    const uint16_t function = 4 << 3;

    port_use(vm);
    g_assert_cmphex(veu_port_config_read(function, CONFIG_IDS, 4), ==,
                    0x5678abcd);
    g_assert_cmphex(veu_port_config_read(function, CONFIG_SUBSYSTEM, 4), ==,
                    0x87654321);
    g_assert_cmphex(veu_port_config_read(function, CONFIG_CLASS, 4), ==,
                    0x1200009a);
    vm_free(vm);
}

static void assert_bars(Rig *r, uint64_t doorbell_bytes)
{
    const uint16_t function = r->device.function;

    for (unsigned bar = 0; bar < 6; bar++) {
        uint64_t bytes = bar == 0 ? 0x10000 : bar == 2 ? doorbell_bytes : 0;

        g_assert_cmphex(veu_pci_bar_bytes(function, bar), ==, bytes);
        /* 32-bit memory, not prefetchable */
        g_assert_cmphex(config(r, CONFIG_BAR(bar), 1) & 0xf, ==, 0);
    }
}

static void test_bars_are_32_bit_memory(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    assert_bars(r, 0x4000);
}

static void test_doorbell_stride_of_64K(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, "-M q35 -device veu,doorbell-stride=64K");

    assert_bars(r, 0x40000);
    g_assert_cmphex(rig_read(r, 0x1c), ==, 0x10000);
    rig_start(r);
    rig_wait_asleep(r);
    rig_assert_works(r);
}

/* Checks the register CAP_FLAGS of a device with these properties. */
static void assert_flags(const char *accel, const char *properties,
                         uint32_t flags)
{
    g_autofree char *arguments = g_strdup_printf("-M q35 -device veu%s",
                                                 properties);
    g_autoptr(Rig) r = rig_new(accel, arguments);

    g_assert_cmphex(rig_read(r, 0x06c), ==, flags);
}

static void test_flags_tell_the_properties(const char *accel)
{
    assert_flags(accel, "", 0);
    assert_flags(accel, ",strict-types=on,undefined=90", 0x5a01);
    assert_flags(accel, ",interrupt-interval-us=1", 0x2);
    assert_flags(accel, ",workers=2", 0x4);
    assert_flags(accel, ",deterministic=on", 0x8);
}

/* The error names the property and its value, and lists the legal values. */
static void assert_refused(const char *property, const char *value,
                           const char *shown, const char *legal)
{
    g_autofree char *arguments = g_strdup_printf("-M q35 -device veu,%s=%s",
                                                 property, value);
    int status;
    g_autofree char *output = vm_output(arguments, &status);

    g_test_message("%s", output);
    g_assert_cmpint(status, !=, 0);
    g_assert_nonnull(strstr(output, property));
    g_assert_nonnull(strstr(output, shown));
    g_assert_nonnull(strstr(output, legal));
}

static void test_illegal_doorbell_stride_is_explained(const char *accel)
{
    static const char *const legal = "4096 or 65536";

    assert_refused("doorbell-stride", "0", "=0:", legal);
    assert_refused("doorbell-stride", "8K", "=8192:", legal);
    assert_refused("doorbell-stride", "4095", "=4095:", legal);
    assert_refused("doorbell-stride", "128K", "=131072:", legal);
}

static void test_illegal_rings_and_vectors_are_explained(const char *accel)
{
    static const char *const rings = "must be between 1 and 64";
    static const char *const vectors = "must be between -1 and 64";

    assert_refused("rings", "0", "veu: invalid rings=0:", rings);
    assert_refused("rings", "65", "veu: invalid rings=65:", rings);
    assert_refused("rings", "4294967295", "=4294967295:", rings);
    assert_refused("x-tlb-entries", "17", "veu: invalid x-tlb-entries=17:",
                   "must be between 0 and 16");
    assert_refused("vectors", "65", "veu: invalid vectors=65:", vectors);
    assert_refused("vectors", "-2", "veu: invalid vectors=-2:", vectors);
}

static void test_program_memory_is_a_property(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35 ",program-memory=3M");

    g_assert_cmpuint(rig_read(r, VEU_REG_LIMIT_PROGRAM_MEMORY), ==, 3 << 20);
}

static void test_help_lists_the_device(const char *accel)
{
    int status;
    g_autofree char *text = vm_output("-device help", &status);
    const char *misc = strstr(text, "Misc devices:");
    const char *none = strstr(text, "Uncategorized devices:");
    const char *at = strstr(text, "name \"veu\", bus PCI, desc "
                                  "\"virtual GPU execution unit\"");

    g_assert_nonnull(misc);
    g_assert_nonnull(at);
    g_assert_true(misc < at);
    g_assert_true(!none || at < none);
    at = strstr(text, "name \"veu-display\", bus PCI, desc "
                      "\"virtual GPU execution unit with a display\"");
    g_assert_nonnull(at);
    g_assert_true(strstr(text, "Display devices:") < at && at < misc);
}

static void test_help_describes_all_properties(const char *accel)
{
    static const char *const names[] = {
        "vendor-id",
        "device-id",
        "subsystem-vendor-id",
        "subsystem-id",
        "revision",
        "doorbell-stride",
        "undefined",
        "strict-types",
        "check",
        "rings",
        "vectors",
        "workers",
        "counters",
        "last-fault",
        "interrupt-interval-us",
        "deterministic",
        "fault-inject",
        "fault-inject-state",
        "poison",
        "trace-contracts",
        "program-memory",
        "jit",
        "x-tlb-entries",
        "walk",
        "capture",
        "capture-rules",
        "timeline",
        "profile",
        "gdb",
    };
    int status;
    g_autofree char *output = vm_output("-device veu,help", &status);

    g_assert_cmpint(status, ==, 0);
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *pattern =
            g_strdup_printf("^ *(veu\\.)?%s=<\\w+> +- \\S+.*", names[i]);

        if (!g_regex_match_simple(pattern, output, G_REGEX_MULTILINE, 0)) {
            g_error("no description of %s in:\n%s", names[i], output);
        }
    }
}

static void assert_msix(Rig *r)
{
    unsigned at = veu_pci_capability(r->device.function, VEU_PCI_CAP_MSIX);

    g_assert_cmphex(at, !=, 0);
    g_assert_cmphex(config(r, at + 2, 2), ==, 3); /* four vectors, disabled */
    g_assert_cmphex(config(r, at + 4, 4), ==, 0xe000 | 0);
    g_assert_cmphex(config(r, at + 8, 4), ==, 0xf000 | 0);
}

static void test_msix_capability(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    assert_msix(r);
    /* vector 0 starts masked */
    g_assert_cmphex(rig_read(r, 0xe00c), ==, 1);
    g_assert_cmphex(rig_read(r, 0xf000), ==, 0);
}

static void assert_express(Rig *r, unsigned type)
{
    unsigned at = veu_pci_capability(r->device.function, VEU_PCI_CAP_EXPRESS);

    g_assert_cmphex(at, !=, 0);
    g_assert_cmphex(config(r, at + EXPRESS_FLAGS, 2) >> 4 & 0xf, ==, type);
    g_assert_cmphex(config(r, at + EXPRESS_CAPABILITIES, 4) & EXPRESS_HAS_FLR,
                    ==, EXPRESS_HAS_FLR);
}

static void test_express_endpoint_on_root_port(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, ROOT_PORT);

    g_assert_cmphex(r->device.function, ==, 0x0100);
    assert_express(r, TYPE_ENDPOINT);
    assert_msix(r);
    assert_bars(r, 0x4000);
    rig_set_up_msix(r);
    rig_start(r);
    rig_assert_works(r);
}

static void test_integrated_endpoint_on_root_bus(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    assert_express(r, TYPE_INTEGRATED);
}

static void test_express_configuration_space_is_4K(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    uint64_t ecam = 0xb0000000;

    /* the host bridge's PCIEXBAR: enabled, 256 MiB */
    veu_port_config_write(0, 0x60, 4, ecam | 1);
    ecam += (uint64_t)r->device.function << 12;
    g_assert_cmphex(qtest_read(&r->vm->qtest, ecam, 4), ==, 0x76651234);
    g_assert_cmphex(qtest_read(&r->vm->qtest, ecam + 0x100, 4), ==, 0);
    g_assert_cmphex(qtest_read(&r->vm->qtest, ecam + 0xffc, 4), ==, 0);
}

static void test_conventional_on_pc(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, PC);

    g_assert_cmphex(veu_pci_capability(r->device.function, VEU_PCI_CAP_EXPRESS),
                    ==, 0);
    assert_msix(r);
    assert_bars(r, 0x4000);
    rig_set_up_msix(r);
    rig_start(r);
    rig_assert_works(r);
}

static void test_no_vectors_without_msi(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, "-cpu qemu64,-apic " PC);

    g_assert_cmphex(veu_pci_capability(r->device.function, VEU_PCI_CAP_MSIX),
                    ==, 0);
    g_assert_cmpuint(rig_read(r, 0x20), ==, 0);
    rig_start(r);
    rig_assert_works(r);
    /* vector 0 does not exist */
    r->config.vector = 0;
    rig_start_raw(r);
    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
    rig_wait_ring_fault(r, VEU_FAULT_RING_CONFIG);
}

static void test_memory_decoding_can_be_turned_off(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    const uint16_t function = r->device.function;
    uint32_t command = config(r, CONFIG_COMMAND, 2);

    veu_port_config_write(function, CONFIG_COMMAND, 2, command & ~2u);
    g_assert_cmphex(rig_read(r, 0), !=, VEU_MAGIC);
    veu_port_config_write(function, CONFIG_COMMAND, 2, command);
    g_assert_cmphex(rig_read(r, 0), ==, VEU_MAGIC);
}

/*
 * Tests veu_pci of the guest library, which the firmware of other machines
 * uses.
 */
static void test_a_bridge_has_two_bars(const char *accel)
{
    Vm *vm = vm_new(accel, "-M q35 -device pcie-root-port,addr=2");
    struct veu_pci_window window = { 0xe0000000, 0xe0100000 };
    uint32_t before[(CONFIG_CAPABILITIES - CONFIG_BUSES) / 4];
    const uint16_t bridge = 2 << 3;

    port_use(vm);
    for (unsigned i = 0; i < G_N_ELEMENTS(before); i++) {
        before[i] = veu_port_config_read(bridge, CONFIG_BUSES + 4 * i, 4);
    }
    g_assert_true(veu_pci_assign_bars(bridge, &window));
    for (unsigned i = 0; i < G_N_ELEMENTS(before); i++) {
        g_assert_cmphex(veu_port_config_read(bridge, CONFIG_BUSES + 4 * i, 4),
                        ==, before[i]);
    }
    vm_free(vm);
}

/* Management software asks QEMU where a device may be plugged in. */
static void test_both_kinds_of_slot_are_named(const char *accel)
{
    static const char *const kinds[] = { "pci-express-device",
                                         "conventional-pci-device" };
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        g_autofree char *kind = g_strdup_printf("{\"implements\":\"%s\"}",
                                                kinds[i]);
        g_autofree char *types = qmp_ask(&r->vm->qmp, "qom-list-types", kind);

        g_assert_nonnull(strstr(types, "\"veu\""));
        g_assert_nonnull(strstr(types, "\"veu-display\""));
    }
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add("ids-are-those-of-veu", test_ids_are_those_of_veu);
    rig_test_add("both-kinds-of-slot-are-named",
                 test_both_kinds_of_slot_are_named);
    rig_test_add("ids-are-properties", test_ids_are_properties);
    rig_test_add("bars-are-32-bit-memory", test_bars_are_32_bit_memory);
    rig_test_add("flags-tell-the-properties", test_flags_tell_the_properties);
    rig_test_add_both("doorbell-stride-of-64K", test_doorbell_stride_of_64K);
    rig_test_add("illegal-doorbell-stride-is-explained",
                 test_illegal_doorbell_stride_is_explained);
    rig_test_add("illegal-rings-and-vectors-are-explained",
                 test_illegal_rings_and_vectors_are_explained);
    rig_test_add("msix-capability", test_msix_capability);
    rig_test_add_both("express-endpoint-on-root-port",
                      test_express_endpoint_on_root_port);
    rig_test_add("integrated-endpoint-on-root-bus",
                 test_integrated_endpoint_on_root_bus);
    rig_test_add("memory-decoding-can-be-turned-off",
                 test_memory_decoding_can_be_turned_off);
    if (port_is_pc()) {
        rig_test_add("help-describes-all-properties",
                     test_help_describes_all_properties);
        rig_test_add("program-memory-is-a-property",
                     test_program_memory_is_a_property);
        rig_test_add("help-lists-the-device", test_help_lists_the_device);
        rig_test_add("express-configuration-space-is-4K",
                     test_express_configuration_space_is_4K);
        rig_test_add("a-bridge-has-two-bars", test_a_bridge_has_two_bars);
        rig_test_add_both("conventional-on-pc", test_conventional_on_pc);
        rig_test_add("no-vectors-without-msi", test_no_vectors_without_msi);
    }
    return g_test_run();
}
