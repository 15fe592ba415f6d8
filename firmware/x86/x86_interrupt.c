/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The interrupt descriptor table and the code that it leads to.
 */
#include "x86.h"

#define VECTORS                256
#define STUB_BYTES             16
#define CODE64                 0x10
#define PRESENT_INTERRUPT_GATE 0x8e00
#define MESSAGE_VECTOR         0x41

#define PIC1_DATA 0x21
#define PIC2_DATA 0xa1

struct gate {
    uint16_t offset_low;
    uint16_t selector;
    uint16_t flags;
    uint16_t offset_middle;
    uint32_t offset_high;
    uint32_t reserved;
};

struct handler {
    machine_handler *call;
    void *opaque;
};

/* vectors.S */
extern const uint8_t x86_vector_stubs[VECTORS][STUB_BYTES];
void x86_interrupt(const struct x86_frame *frame);

static struct gate idt[VECTORS];
static struct handler handlers[VECTORS];

void x86_interrupt_load(void)
{
    struct __attribute__((packed)) {
        uint16_t limit;
        uint64_t base;
    } pointer = { sizeof(idt) - 1, (uintptr_t)idt };

    __asm__ volatile("lidt %0" : : "m"(pointer));
}

void x86_set_entry(unsigned vector, const void *entry)
{
    uintptr_t at = (uintptr_t)entry;

    idt[vector] = (struct gate){
        .offset_low = at,
        .selector = CODE64,
        .flags = PRESENT_INTERRUPT_GATE,
        .offset_middle = at >> 16,
        .offset_high = at >> 32,
    };
}

static void ignore(void *opaque)
{
    (void)opaque;
}

void x86_interrupt_init(void)
{
    for (unsigned i = 0; i < VECTORS; i++) {
        x86_set_entry(i, x86_vector_stubs[i]);
    }
    /* all lines are masked: interrupts arrive through the local APIC */
    x86_out8(PIC1_DATA, 0xff);
    x86_out8(PIC2_DATA, 0xff);
    x86_set_handler(X86_SPURIOUS_VECTOR, ignore, NULL);
    x86_interrupt_load();
}

void x86_set_handler(unsigned vector, machine_handler *handler, void *opaque)
{
    handlers[vector] = (struct handler){ handler, opaque };
}

bool machine_set_message(machine_handler *handler, void *opaque,
                         struct machine_message *message)
{
    x86_set_handler(MESSAGE_VECTOR, handler, opaque);
    message->address = x86_msi_address(x86_lapic_id());
    message->data = x86_msi_data(MESSAGE_VECTOR);
    return true;
}

static uint64_t fault_address(void)
{
    uint64_t cr2;

    __asm__ volatile("movq %%cr2, %0" : "=r"(cr2));
    return cr2;
}

static void exception(const struct x86_frame *f)
{
    machine_print("\nexception %lu, error 0x%lx, rip 0x%lx, cr2 0x%lx\n",
                  f->vector, f->error, f->rip, fault_address());
    machine_print("rax %016lx rbx %016lx rcx %016lx rdx %016lx\n", f->rax,
                  f->rbx, f->rcx, f->rdx);
    machine_print("rsi %016lx rdi %016lx rbp %016lx rsp %016lx\n", f->rsi,
                  f->rdi, f->rbp, f->rsp);
    machine_print("r8  %016lx r9  %016lx r10 %016lx r11 %016lx\n", f->r8, f->r9,
                  f->r10, f->r11);
    machine_print("r12 %016lx r13 %016lx r14 %016lx r15 %016lx\n", f->r12,
                  f->r13, f->r14, f->r15);
    machine_panic("exception on processor %u", x86_lapic_id());
}

void x86_interrupt(const struct x86_frame *frame)
{
    const struct handler *handler = &handlers[frame->vector];

    if (frame->vector < X86_FIRST_VECTOR) {
        exception(frame);
    }
    if (!handler->call) {
        machine_panic("interrupt %lu, which was not asked for", frame->vector);
    }
    handler->call(handler->opaque);
    x86_lapic_end_of_interrupt();
}
