/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * veu-latency: sets up in ring 0, measures in ring 3, prints in ring 0.
 * The command line: count=N samples of each.
 */
#include "latency.h"
#include "samples.h"

#define SLOTS         256
#define DEFAULT_COUNT 4000
#define MIN_COUNT     8
#define MAX_COUNT     100000
#define LANES         16
#define VEU_VECTOR    0x40
#define FLOOR_VECTOR  0x41
#define MAX_ROWS      8

struct run {
    struct latency latency;
    struct latency_result results[MAX_ROWS];
};

static void check(enum veu_status status, const char *what)
{
    if (status != VEU_OK) {
        machine_panic("%s: %s", what, veu_status_text(status));
    }
}

static void set_interrupt(struct veu_device *device, unsigned vector)
{
    check(veu_msix_enable(device), "MSI-X");
    check(veu_msix_set(device, 0, x86_msi_address(x86_lapic_id()),
                       x86_msi_data(vector)),
          "MSI-X");
    x86_set_entry(vector, latency_interrupt);
}

/* --- The devices --------------------------------------------------------- */

static void start_veu(struct latency *l)
{
    const struct veu_ring_config config = {
        .vector = 0,
        .slots = machine_alloc(SLOTS * VEU_SLOT_BYTES, 4096),
        .slot_count = SLOTS,
        .shared = machine_alloc(sizeof(struct veu_ring_shared), 4096),
    };

    check(veu_open(&l->veu, &(struct veu_open_options){ 0 }), "veu");
    set_interrupt(&l->veu, VEU_VECTOR);
    check(veu_ring_start(&l->ring, &l->veu, &config), "ring");
}

static void start_floor(struct floor *f)
{
    f->pci.function = veu_pci_find(FLOOR_VENDOR_ID, FLOOR_DEVICE_ID, 0);
    if (f->pci.function == VEU_PCI_NONE) {
        machine_panic("there is no veu-floor");
    }
    veu_pci_enable(f->pci.function);
    f->regs = veu_port_map(veu_pci_bar_address(f->pci.function, 0), 8192);
    set_interrupt(&f->pci, FLOOR_VECTOR);
    f->shared = machine_alloc(sizeof(struct floor_shared), 4096);
    veu_port_write64(f->regs + FLOOR_RING, veu_port_device_address(f->shared));
}

/* A gather of 16 numbers, with a payload and a result. */
static void make_message(struct veu_command_message *command)
{
    static uint8_t memory[256];
    uint32_t *numbers = machine_alloc(LANES * 4, 64);
    uint8_t *payload = machine_alloc(256, 64);
    struct veu_program program;
    uint32_t offsets, data, *registers;

    veu_program_begin(&program, memory, sizeof(memory), 32);
    offsets = veu_program_variable(&program, VEU_TYPE_UD, LANES);
    data = veu_program_variable(&program, VEU_TYPE_UD, LANES);
    veu_encode_gather(&program.code, 4, veu_m(1, LANES), 5, veu_ud(0),
                      veu_v(offsets), veu_v(data));
    if (!veu_make_message(command, 0, &program, LANES)) {
        machine_panic("the message is none");
    }
    *(uint32_t *)payload = UINT32_MAX;
    registers = (uint32_t *)veu_payload_registers(payload, &program);
    for (unsigned i = 0; i < LANES; i++) {
        registers[i] = LANES - 1 - i;
    }
    veu_launch_stateless(&command->launch, numbers, LANES * 4);
    veu_launch_payload(&command->launch, payload, veu_payload_bytes(&program));
    veu_launch_result(&command->launch, machine_alloc(LANES * 4, 64),
                      veu_program_offset(&program, data), LANES * 4);
}

/* --- The run ------------------------------------------------------------- */

/* In ring 3. */
static void measure(void *opaque)
{
    struct run *run = opaque;

    latency_calibrate(&run->latency);
    for (unsigned i = 0; i < latency_row_count; i++) {
        latency_measure(&run->latency, &latency_rows[i], &run->results[i]);
    }
}

static void print_result(const char *name, const struct latency_result *r)
{
    machine_print("latency: %s: floor %u %u veu %u %u kicks %u\n", name,
                  r->floor.middle_ns, r->floor.p99_ns, r->veu.middle_ns,
                  r->veu.p99_ns, r->kicks);
}

int program_main(const char *command_line)
{
    static struct run run;
    struct latency *l = &run.latency;

    l->count = samples_count(command_line, DEFAULT_COUNT, MAX_COUNT);
    l->count = l->count < MIN_COUNT ? MIN_COUNT : l->count;
    l->veu_ticks = machine_alloc(l->count * sizeof(uint64_t), 64);
    l->floor_ticks = machine_alloc(l->count * sizeof(uint64_t), 64);
    start_veu(l);
    start_floor(&l->floor);
    make_message(&l->message);
    x86_run_user(measure, &run);
    for (unsigned i = 0; i < latency_row_count; i++) {
        print_result(latency_rows[i].name, &run.results[i]);
    }
    machine_print("latency: done, %u samples\n", l->count);
    return 0;
}
