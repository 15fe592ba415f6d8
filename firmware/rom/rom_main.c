/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The self-test: registers, reset, and a ring that fills memory, gathers from
 * it and stores a fence.
 */
#include "rom.h"
#include "rom_text.h"
#include "veu_command.h"
#include "veu_guest.h"
#include "veu_ring.h"

#define LANES      16
#define SLOTS      16
#define TIMEOUT_NS UINT64_C(5000000000)
#define STATELESS  5 /* the surface */

#define PCI_IDS     0x00
#define PCI_COMMAND 0x04

/* Of RING_BASE, whose low six bits read as 0 */
#define BASE_PATTERN 0x5a5a5a40u
#define FILL_PATTERN UINT64_C(0x0123456789abcdef)
#define FENCE_VALUE  UINT64_C(0x7665756665756576)

/* Memory that the device accesses: the image is in RAM while this runs. */
static struct {
    uint8_t slots[SLOTS * VEU_SLOT_BYTES];
    struct veu_ring_shared shared;
    uint64_t fence;
    uint32_t filled[2 * LANES];
    uint32_t numbers[LANES];
    uint32_t gathered[LANES];
    uint8_t payload[4 * VEU_SLOT_BYTES];
} memory __attribute__((aligned(64)));

/* The stack is small. */
static struct veu_program program;
static struct veu_device device;
static struct veu_ring ring;

/* What failed, and how */
static const char *step;
static char why_buffer[80];
static struct rom_text why;

static bool fails(const char *words)
{
    rom_put(&why, words);
    return false;
}

static bool is_ok(enum veu_status status)
{
    return status == VEU_OK || fails(veu_status_text(status));
}

static bool is_equal(const char *what, unsigned index, uint32_t value,
                     uint32_t expected)
{
    if (value == expected) {
        return true;
    }
    rom_put(&why, what);
    rom_put_decimal(&why, index);
    rom_put(&why, " is 0x");
    rom_put_hex(&why, value, 8);
    rom_put(&why, ", not 0x");
    rom_put_hex(&why, expected, 8);
    return false;
}

static bool registers_work(void)
{
    unsigned base = veu_ring_register(0, VEU_REG_RING_BASE);

    step = "registers";
    veu_write32(&device, base, BASE_PATTERN);
    if (veu_read32(&device, base) != BASE_PATTERN) {
        return fails("RING_BASE does not keep what is written to it");
    }
    veu_reset(&device);
    return veu_read32(&device, base) == 0 ||
           fails("a reset does not clear RING_BASE");
}

static bool ring_starts(void)
{
    const struct veu_ring_config config = {
        .vector = VEU_NO_VECTOR,
        .slots = memory.slots,
        .slot_count = SLOTS,
        .shared = &memory.shared,
    };

    step = "ring";
    return is_ok(veu_ring_start(&ring, &device, &config));
}

static bool ends_well(const char *name,
                      const struct veu_command_header *command)
{
    enum veu_status status = veu_ring_put(&ring, command);

    step = name;
    if (status == VEU_OK) {
        veu_ring_submit(&ring);
        status = veu_ring_wait(&ring, TIMEOUT_NS);
    }
    if (status == VEU_FAULTED) {
        rom_put(&why, "fault ");
        return fails(
            veu_fault_name(veu_ring_read32(&ring, VEU_REG_RING_LAST_FAULT)));
    }
    return is_ok(status);
}

static bool fills(void)
{
    struct veu_command_fill fill = veu_make_fill(1, memory.filled, FILL_PATTERN,
                                                 sizeof(memory.filled));
    bool good = ends_well("fill", &fill.header);

    for (unsigned i = 0; i < 2 * LANES && good; i++) {
        good = is_equal("dword ", i, memory.filled[i],
                        (uint32_t)(FILL_PATTERN >> i % 2 * 32));
    }
    return good;
}

/* Lane i reads number LANES - 1 - i of the stateless surface. */
static void put_payload(void)
{
    uint32_t *registers = (uint32_t *)veu_payload_registers(memory.payload,
                                                            &program);

    *(uint32_t *)memory.payload = UINT32_MAX; /* execution mask */
    for (unsigned i = 0; i < LANES; i++) {
        memory.numbers[i] = i * 0x01010101 + 0x80;
        registers[i] = LANES - 1 - i;
    }
}

static bool make_gather(struct veu_command_message *command)
{
    static uint8_t code[256];
    uint32_t offsets, data;

    veu_program_begin(&program, code, sizeof(code), 32);
    offsets = veu_program_variable(&program, VEU_TYPE_UD, LANES);
    data = veu_program_variable(&program, VEU_TYPE_UD, LANES);
    veu_encode_gather(&program.code, 4, veu_m(1, LANES), STATELESS, veu_ud(0),
                      veu_v(offsets), veu_v(data));
    if (!veu_make_message(command, 2, &program, LANES) ||
        veu_payload_bytes(&program) > sizeof(memory.payload)) {
        return false;
    }
    put_payload();
    veu_launch_stateless(&command->launch, memory.numbers,
                         sizeof(memory.numbers));
    veu_launch_payload(&command->launch, memory.payload,
                       veu_payload_bytes(&program));
    veu_launch_result(&command->launch, memory.gathered,
                      veu_program_offset(&program, data),
                      sizeof(memory.gathered));
    return true;
}

static bool gathers(void)
{
    struct veu_command_message command;
    bool good;

    step = "gather";
    good = make_gather(&command) ? ends_well("gather", &command.header) :
                                   fails("it cannot be encoded");
    for (unsigned i = 0; i < LANES && good; i++) {
        good = is_equal("lane ", i, memory.gathered[i],
                        memory.numbers[LANES - 1 - i]);
    }
    return good;
}

static bool stores_fence(void)
{
    struct veu_command_fence fence = veu_make_fence(3, &memory.fence,
                                                    FENCE_VALUE);

    return ends_well("fence", &fence.header) &&
           is_equal("dword ", 0, memory.fence, (uint32_t)FENCE_VALUE) &&
           is_equal("dword ", 1, memory.fence >> 32, FENCE_VALUE >> 32);
}

static bool works(uint16_t function)
{
    step = "set-up";
    return is_ok(veu_open_function(&device, function,
                                   (struct veu_pci_window){ 0 })) &&
           registers_work() && ring_starts() && fills() && gathers() &&
           stores_fence();
}

/* Leaves the registers as after a reset, and COMMAND as the BIOS set it. */
static bool test(uint16_t function)
{
    uint16_t command = veu_port_config_read(function, PCI_COMMAND, 2);
    bool good = works(function);

    if (device.abi_version) {
        veu_reset(&device);
    }
    veu_port_config_write(function, PCI_COMMAND, 2, command);
    return good;
}

static void put_verdict(struct rom_text *line, bool good)
{
    if (good) {
        rom_put(line, "ABI ");
        rom_put_decimal(line, device.abi_version >> 16);
        rom_put(line, ".");
        rom_put_decimal(line, device.abi_version & 0xffff);
        rom_put(line, ", self-test passed");
    } else {
        rom_put(line, "self-test failed: ");
        rom_put(line, step);
        rom_put(line, ": ");
        rom_put(line, why_buffer);
    }
}

static void put_function(struct rom_text *line, uint16_t function)
{
    rom_put_hex(line, function >> 8, 2);
    rom_put(line, ":");
    rom_put_hex(line, function >> 3 & 0x1f, 2);
    rom_put(line, ".");
    rom_put_decimal(line, function & 7);
    rom_put(line, ": ");
}

/*
 * A BIOS that does not know the device of this ROM, which is in no BAR, passes
 * 0.
 */
static uint16_t find(uint16_t function, const uint16_t ids[2])
{
    return veu_port_config_read(function, PCI_IDS, 4) ==
                   ((uint32_t)ids[1] << 16 | ids[0]) ?
               function :
               veu_pci_find(ids[0], ids[1], 0);
}

void rom_main(uint16_t function, const uint16_t ids[2],
              char line[ROM_LINE_BYTES])
{
    struct rom_text text = { line, line + ROM_LINE_BYTES - 3 };

    why = (struct rom_text){ why_buffer, why_buffer + sizeof(why_buffer) - 1 };
    rom_put(&text, "veu ");
    function = find(function, ids);
    if (function == VEU_PCI_NONE) {
        rom_put(&text, veu_status_text(VEU_NOT_FOUND));
    } else {
        put_function(&text, function);
        put_verdict(&text, test(function));
    }
    text.last = line + ROM_LINE_BYTES - 1;
    rom_put(&text, "\r\n");
}
