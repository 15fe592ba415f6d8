/*
 * veu ABI: PCI identity, BARs and registers.
 *
 * SPDX-License-Identifier: MIT
 *
 * Every register is one row of a table below. The rows make the offsets
 * (VEU_REG_*), the device's behaviour and the tables of docs/spec.md.
 */
#ifndef VEU_REGS_H
#define VEU_REGS_H

#include "veu/base.h"

/** Default PCI identity; every id is a property of the device. */
#define VEU_PCI_VENDOR_ID 0x1234
#define VEU_PCI_DEVICE_ID 0x7665
/** Class "processing accelerator" (12h), subclass and interface 0. */
#define VEU_PCI_CLASS     0x1200

/** BAR0: registers, MSI-X table and pending bits. 32-bit memory. */
#define VEU_BAR_REGS          0
#define VEU_BAR_REGS_BYTES    0x10000
#define VEU_MSIX_TABLE_OFFSET 0xe000
#define VEU_MSIX_PBA_OFFSET   0xf000

/**
 * BAR2: doorbells. The doorbell of ring n is the 4-byte word at n * stride
 * (register CAP_DOORBELL_STRIDE); its page holds nothing else. A write of any
 * value kicks the ring; a read returns 0.
 */
#define VEU_BAR_DOORBELLS 2

/** "VEU1", little endian: the value of register MAGIC. */
#define VEU_MAGIC       0x31554556u
/**
 * The version of these headers, and of the device in register ABI_VERSION:
 * major version in bits 31..16, minor version in bits 15..0. A driver works
 * with a device whose major version is its own and whose minor version is at
 * least the one that introduced what the driver uses.
 */
#define VEU_ABI_VERSION 0x00010002u
/** The version of everything that is not marked with a later version. */
#define VEU_ABI_1_0     0x00010000u
/** The version that introduced CAP_FLAGS. */
#define VEU_ABI_1_1     0x00010001u
/** The version that introduced programs of instructions and page tables. */
#define VEU_ABI_1_2     0x00010002u

/** The maximum number of rings that any device of this ABI has. */
#define VEU_MAX_RINGS 64

/** Block n of the ring registers is at VEU_RING_BLOCK + n * its stride. */
#define VEU_RING_BLOCK           0x4000
#define VEU_RING_BLOCK_STRIDE    0x100
/** Block n of the context registers, likewise. */
#define VEU_CONTEXT_BLOCK        0x8000
#define VEU_CONTEXT_BLOCK_STRIDE 0x100
/** The scanout registers, where the device has a display. */
#define VEU_SCANOUT_BLOCK        0xc000
#define VEU_SCANOUT_BLOCK_BYTES  0x100

/*
 * Columns: name, offset (bytes, in the block), size (bytes), access, reset
 * value, writable bits, text. Access: RO; RW; RWD, writable while the ring is
 * disabled. Reset value CAP: fixed when the device is made, from its
 * properties. Registers of 8 bytes may be accessed as two of 4.
 */

/** Registers of the device, at offset 0 of BAR0. */
#define VEU_DEVICE_REGS(X)                                                     \
    X(MAGIC, 0x000, 4, RO, VEU_MAGIC, 0, "Identifies the device: \"VEU1\".")   \
    X(ABI_VERSION, 0x004, 4, RO, VEU_ABI_VERSION, 0,                           \
      "Version of this interface: major << 16 | minor.")                       \
    X(CONTROL, 0x008, 4, RW, 0, VEU_CONTROL_RESET,                             \
      "Bit 0 RESET: resets the device; reads as 0.")                           \
    X(CAP_RINGS, 0x010, 4, RO, CAP, 0, "Number of rings.")                     \
    X(CAP_CONTEXTS, 0x014, 4, RO, CAP, 0, "Number of contexts.")               \
    X(CAP_CONTEXT_TYPES, 0x018, 4, RO, CAP, 0,                                 \
      "Bit n is set if contexts of type n exist.")                             \
    X(CAP_DOORBELL_STRIDE, 0x01c, 4, RO, CAP, 0,                               \
      "Bytes from one doorbell to the next in BAR2.")                          \
    X(CAP_VECTORS, 0x020, 4, RO, CAP, 0, "MSI-X vectors of the device.")       \
    X(CAP_RING_SLOTS, 0x024, 4, RO, CAP, 0,                                    \
      "Maximum number of slots of a ring.")                                    \
    X(CAP_GRF_BYTES, 0x028, 4, RO, CAP, 0,                                     \
      "Sum of the register sizes (bytes) that programs may use.")              \
    X(CAP_SIMD, 0x02c, 4, RO, CAP, 0,                                          \
      "Sum of the SIMD sizes (lanes) that dispatches may use.")                \
    X(CAP_FLAGS, 0x06c, 4, RO, CAP, 0,                                         \
      "How the host set up this device; version 1.1.")                         \
    X(CAP_PROGRAM_KINDS, 0x070, 4, RO, CAP, 0,                                 \
      "Bit n is set if programs of kind n can run; version 1.2.")              \
    X(CAP_VA_BITS, 0x08c, 4, RO, CAP, 0,                                       \
      "Bits of the virtual addresses of contexts of type 3; version 1.2.")     \
    X(CAP_CONTEXT_OPTIONS, 0x094, 4, RO, CAP, 0,                               \
      "Bits of CONTEXT_OPTIONS that can be set; version 1.2.")                 \
    X(LIMIT_PROGRAM_BYTES, 0x030, 4, RO, CAP, 0,                               \
      "Maximum size of a program, bytes.")                                     \
    X(LIMIT_MESSAGES, 0x034, 4, RO, CAP, 0, "Maximum messages of a program.")  \
    X(LIMIT_VARIABLES, 0x038, 4, RO, CAP, 0,                                   \
      "Maximum variables of a program.")                                       \
    X(LIMIT_PREDICATES, 0x03c, 4, RO, CAP, 0,                                  \
      "Maximum predicates of a program.")                                      \
    X(LIMIT_REGISTER_BYTES, 0x040, 4, RO, CAP, 0,                              \
      "Maximum size of an EU thread's register file, bytes.")                  \
    X(LIMIT_SURFACES, 0x044, 4, RO, CAP, 0, "Maximum surfaces of a dispatch.") \
    X(LIMIT_SLM_BYTES, 0x048, 4, RO, CAP, 0,                                   \
      "Maximum shared local memory of a group, bytes.")                        \
    X(LIMIT_THREADS, 0x04c, 4, RO, CAP, 0, "Maximum EU threads of a group.")   \
    X(LIMIT_GROUPS, 0x050, 4, RO, CAP, 0, "Maximum groups of a dispatch.")     \
    X(LIMIT_FAULT_RECORDS, 0x054, 4, RO, CAP, 0,                               \
      "Maximum records of a ring's fault queue.")                              \
    X(LIMIT_ADDRESSES, 0x064, 4, RO, CAP, 0,                                   \
      "Maximum address variables of a program.")                               \
    X(LIMIT_WINDOWS, 0x060, 4, RO, CAP, 0, "Maximum windows of a context.")    \
    X(LIMIT_INSTRUCTIONS, 0x074, 4, RO, CAP, 0,                                \
      "Maximum instructions of a program, messages included; version 1.2.")    \
    X(LIMIT_LABELS, 0x078, 4, RO, CAP, 0,                                      \
      "Maximum labels of a program; version 1.2.")                             \
    X(LIMIT_ROUTINES, 0x07c, 4, RO, CAP, 0,                                    \
      "Maximum routines of a program: the kernel, its subroutines and "        \
      "functions; version 1.2.")                                               \
    X(LIMIT_FUNCTIONS, 0x080, 4, RO, CAP, 0,                                   \
      "Maximum functions of a program; version 1.2.")                          \
    X(LIMIT_CALLS, 0x084, 4, RO, CAP, 0,                                       \
      "Maximum depth of calls in an EU thread; version 1.2.")                  \
    X(LIMIT_STATES, 0x088, 4, RO, CAP, 0,                                      \
      "Maximum state variables of a program; version 1.2.")                    \
    X(LIMIT_LAUNCH_BYTES, 0x090, 4, RO, CAP, 0,                                \
      "Maximum size of a KERNEL's groups in flight, bytes; version 1.2.")      \
    X(LIMIT_PROGRAM_MEMORY, 0x098, 4, RO, CAP, 0,                              \
      "Memory for all loaded programs, bytes; 0: LOAD fails; version 1.2.")    \
    X(LIMIT_PROGRAMS, 0x09c, 4, RO, CAP, 0,                                    \
      "Maximum loaded programs, of all contexts; version 1.2.")                \
    X(LIMIT_LOAD_BYTES, 0x0a0, 4, RO, CAP, 0,                                  \
      "Maximum size of a program that is loaded, bytes; version 1.2.")         \
    X(LIMIT_LOAD_INSTRUCTIONS, 0x0a4, 4, RO, CAP, 0,                           \
      "Maximum instructions of a program that is loaded, messages included, "  \
      "or messages; version 1.2.")                                             \
    X(LIMIT_LOAD_VARIABLES, 0x0a8, 4, RO, CAP, 0,                              \
      "Maximum variables of a program that is loaded; version 1.2.")           \
    X(TIME, 0x058, 8, RO, 0, 0,                                                \
      "Device clock, ns. It stands still while the VM is stopped.")            \
    X(COUNTER_CONTROL, 0x068, 4, RW, 0,                                        \
      VEU_COUNTER_SNAPSHOT | VEU_COUNTER_SNAPSHOT_RINGS,                       \
      "Bit 0 SNAPSHOT: copies all counters into COUNTER_*; reads as 0. Bit 1 " \
      "RINGS: copies those of all rings and contexts into their registers; "   \
      "reads as 0; version 1.2.")

/*
 * Counters since the device was reset. Columns: name, number, text. The
 * register COUNTER_name at 0x100 + number * 8 (8 bytes, RO, reset 0) is its
 * value at the last snapshot, so that all of them belong to one moment.
 */
#define VEU_COUNTERS(X)                                                  \
    X(COMMANDS, 0, "Commands that have ended, with or without a fault.") \
    X(MESSAGES, 1, "Messages executed.")                                 \
    X(LANES, 2, "Lanes that ran in these messages.")                     \
    X(BYTES, 3, "Bytes that these lanes moved.")                         \
    X(FAULTS, 4, "Faults, recorded or not.")                             \
    X(CACHE_HITS, 5,                                                     \
      "Address look-ups that the host answered from its cache.")         \
    X(CACHE_MISSES, 6,                                                   \
      "Address look-ups for which the host searched its memory map.")    \
    X(IDLE_NS, 7, "Time that the device has been asleep, ns of TIME.")

/*
 * Counters of one ring or context, since the device was reset. Each register is
 * the counter's value at the last snapshot. block: RING or CONTEXT, of: whose
 * commands are counted.
 */
#define VEU_WORK_REGS(X, block, of)                   \
    X(block##_COUNTER_COMMANDS, 0x58, 8, RO, 0, 0,    \
      "As COUNTER_COMMANDS, of " of "; version 1.2.") \
    X(block##_COUNTER_MESSAGES, 0x60, 8, RO, 0, 0,    \
      "As COUNTER_MESSAGES, of " of "; version 1.2.") \
    X(block##_COUNTER_LANES, 0x68, 8, RO, 0, 0,       \
      "As COUNTER_LANES, of " of "; version 1.2.")    \
    X(block##_COUNTER_BYTES, 0x70, 8, RO, 0, 0,       \
      "As COUNTER_BYTES, of " of "; version 1.2.")    \
    X(block##_COUNTER_FAULTS, 0x78, 8, RO, 0, 0,      \
      "As COUNTER_FAULTS, of " of "; version 1.2.")   \
    X(block##_BUSY_NS, 0x80, 8, RO, 0, 0,             \
      "Time that the device has worked for " of ", ns of TIME; version 1.2.")

/** Registers of one ring. */
#define VEU_RING_REGS(X)                                                       \
    X(RING_CONTROL, 0x00, 4, RW, 0,                                            \
      VEU_RING_ENABLE | VEU_RING_RESET | VEU_RING_RELOAD | VEU_RING_PAUSE,     \
      "Bit 0 ENABLE: 1 starts a disabled ring, 0 drains a ring that runs or "  \
      "has halted; 1 is ignored while the ring drains. Bit 1 RESET: resets "   \
      "the ring at once; reads as 0. Bit 2 RELOAD: 1 makes a running ring "    \
      "reload its context; reads as 1 until the reload is complete. Bit 3 "    \
      "PAUSE: while it is 1, the ring does nothing; version 1.2.")             \
    X(RING_STATE, 0x04, 4, RO, VEU_RING_DISABLED, 0,                           \
      "0 disabled, 1 running, 2 draining, 3 halted by a fault.")               \
    X(RING_BASE, 0x08, 8, RWD, 0, ~0x3full,                                    \
      "Address of the slots; a multiple of 64.")                               \
    X(RING_SHARED, 0x10, 8, RWD, 0, ~0x3full,                                  \
      "Address of struct veu_ring_shared; a multiple of 64.")                  \
    X(RING_FAULTS, 0x18, 8, RWD, 0, ~0x3full,                                  \
      "Address of the fault records; a multiple of 64.")                       \
    X(RING_SLOTS, 0x20, 4, RWD, 0, 0xffffffff,                                 \
      "Number of slots: a power of two.")                                      \
    X(RING_FAULT_RECORDS, 0x24, 4, RWD, 0, 0xffffffff,                         \
      "Number of fault records: a power of two, or 0 for no queue.")           \
    X(RING_CONTEXT, 0x28, 4, RWD, 0, 0xffffffff,                               \
      "Context that translates every address of the ring.")                    \
    X(RING_VECTOR, 0x2c, 4, RWD, VEU_NO_VECTOR, 0xffffffff,                    \
      "MSI-X vector of the ring, or all ones for none.")                       \
    X(RING_POLICY, 0x30, 4, RWD, VEU_POLICY_HALT, 0xffffffff,                  \
      "What a fault stops: 0 the ring, 1 the message, 2 the command.")         \
    X(RING_HEAD, 0x34, 4, RWD, 0, 0xffffffff,                                  \
      "Index of the next slot to execute. Write it before enabling the ring.") \
    X(RING_LAST_FAULT, 0x38, 4, RO, 0, 0,                                      \
      "Code of the newest fault since the ring was enabled; 0: none.")         \
    X(RING_FAULT_COUNT, 0x3c, 4, RO, 0, 0,                                     \
      "Faults since the ring was enabled, recorded or not.")                   \
    X(RING_LAST_DETAIL, 0x40, 4, RO, 0, 0, "Detail of that newest fault.")     \
    X(RING_PRIORITY, 0x44, 4, RW, VEU_PRIORITY_NORMAL, 0x3,                    \
      "Share of the device: 0 low, 1 normal, 2 high, 3 highest.")              \
    X(RING_BUDGET, 0x48, 4, RWD, 0, 0xffffffff,                                \
      "Maximum cost of a command, in units; 0: no limit.")                     \
    X(RING_TIMES, 0x50, 8, RWD, 0, ~0x3full,                                   \
      "Address of the array of struct veu_command_times, one for each slot, "  \
      "a multiple of 64; 0: none. Version 1.2.")                               \
    VEU_WORK_REGS(X, RING, "the ring")

/** Registers of one context. */
#define VEU_CONTEXT_REGS(X)                                                    \
    X(CONTEXT_TYPE, 0x00, 4, RW, VEU_CONTEXT_IDENTITY, 0xffffffff,             \
      "0 identity: addresses are the device's DMA addresses. 1 windows: "      \
      "likewise, but only within the context's windows. 3 page tables: "       \
      "commands use virtual addresses.")                                       \
    X(CONTEXT_WINDOW_COUNT, 0x04, 4, RW, 0, 0xffffffff, "Number of windows.")  \
    X(CONTEXT_WINDOWS, 0x08, 8, RW, 0, ~0x7ull,                                \
      "DMA address of the array of struct veu_window; a multiple of 8.")       \
    X(CONTEXT_ROOT, 0x10, 8, RW, 0, ~0xfffull,                                 \
      "DMA address of the top table of type 3; a multiple of 4096. Version "   \
      "1.2.")                                                                  \
    X(CONTEXT_INVALIDATE, 0x18, 8, RW, 0, ~0ull,                               \
      "A write of the lower half drops cached translations: bits 12 to 63 "    \
      "address, bits 0 to 5 log2 of pages. The lower half reads as 0. "        \
      "Version 1.2.")                                                          \
    X(CONTEXT_OPTIONS, 0x20, 4, RW, 0, 0xffffffff,                             \
      "Bit 0 REQUESTS: misses of type 3 become requests. Bit 1 ACCESSED: "     \
      "accesses set ACCESSED and DIRTY in entries. Version 1.2.")              \
    X(CONTEXT_QUEUE, 0x28, 8, RW, 0, ~0x3full,                                 \
      "DMA address of struct veu_request_queue; a multiple of 64. A write of " \
      "the lower half starts an empty queue. Version 1.2.")                    \
    X(CONTEXT_QUEUE_RECORDS, 0x30, 4, RW, 0, 0xffffffff,                       \
      "Records of that queue: a power of two, 128 to 65,536. Version 1.2.")    \
    X(CONTEXT_QUEUE_VECTOR, 0x34, 4, RW, VEU_NO_VECTOR, 0xffffffff,            \
      "MSI-X vector for requests, or all ones for none. Version 1.2.")         \
    X(CONTEXT_RESPONSE, 0x38, 8, RW, 0, ~0ull,                                 \
      "A write of the lower half responds to the request group with that id; " \
      "bit 32: refused. The lower half reads as 0. Version 1.2.")              \
    VEU_WORK_REGS(X, CONTEXT, "rings that were bound to the context")

/** Registers of the scanout: what the device's display shows. */
#define VEU_SCANOUT_REGS(X)                                                 \
    X(SCANOUT_LIMIT_WIDTH, 0x00, 4, RO, CAP, 0,                             \
      "Maximum texels in a row of a surface that is shown; 0: no display.") \
    X(SCANOUT_LIMIT_HEIGHT, 0x04, 4, RO, CAP, 0,                            \
      "Maximum rows of a surface that is shown.")                           \
    X(SCANOUT_CONTROL, 0x08, 4, RW, 0, VEU_SCANOUT_ENABLE,                  \
      "Bit 0 ENABLE: 0 blanks the display and drops a flip under way.")     \
    X(SCANOUT_CONTEXT, 0x0c, 4, RW, 0, 0xffffffff,                          \
      "Context that translates SCANOUT_SURFACE and the surface's base.")    \
    X(SCANOUT_SURFACE, 0x10, 8, RW, 0, ~0x7ull,                             \
      "Address of the struct veu_surface to be shown; a multiple of 8.")    \
    X(SCANOUT_VECTOR, 0x18, 4, RW, VEU_NO_VECTOR, 0xffffffff,               \
      "MSI-X vector for the end of a flip, or all ones for none.")          \
    X(SCANOUT_FLIP, 0x1c, 4, RW, 0, 0xffffffff,                             \
      "A write begins a flip with this number; ignored while ENABLE is 0.") \
    X(SCANOUT_DONE, 0x20, 4, RO, 0, 0,                                      \
      "Number of the flip that ended last, with or without a fault.")       \
    X(SCANOUT_FAULT, 0x24, 4, RO, 0, 0,                                     \
      "Code of that flip's fault; 0: its surface is shown.")                \
    X(SCANOUT_DETAIL, 0x28, 4, RO, 0, 0, "Detail of that fault.")           \
    X(SCANOUT_ADDRESS, 0x30, 8, RO, 0, 0,                                   \
      "Address of that fault: the one that could not be read.")

/** Offsets: VEU_REG_MAGIC, ..., in the block of the register. */
#define VEU_REG_OFFSET(name, offset, bytes, access, reset, writable, text) \
    VEU_REG_##name = (offset),
#define VEU_COUNTER_OFFSET(name, number, text) \
    VEU_REG_COUNTER_##name = 0x100 + (number)*8,
enum veu_reg {
    VEU_DEVICE_REGS(VEU_REG_OFFSET)
    VEU_COUNTERS(VEU_COUNTER_OFFSET) VEU_RING_REGS(VEU_REG_OFFSET)
        VEU_CONTEXT_REGS(VEU_REG_OFFSET) VEU_SCANOUT_REGS(VEU_REG_OFFSET)
};
#undef VEU_REG_OFFSET
#undef VEU_COUNTER_OFFSET

/**
 * Bits of CAP_FLAGS: those choices of the host that a guest can observe. Bits
 * that are not listed are 0.
 */
#define VEU_FLAG_STRICT_TYPES    0x1u /**< wrong register types are faults */
#define VEU_FLAG_MODERATION      0x2u /**< interrupts have a minimum interval */
#define VEU_FLAG_PARALLEL        0x4u /**< groups may run at the same time */
#define VEU_FLAG_DETERMINISTIC   0x8u /**< steps of the VM's clock; no sleep */
/** Bits 8 to 15: the value of undefined bytes. */
#define VEU_FLAG_UNDEFINED_SHIFT 8
#define VEU_FLAG_UNDEFINED_MASK  0xff00u

/** Bits of CONTROL. */
#define VEU_CONTROL_RESET 0x1u

/** Bits of COUNTER_CONTROL. */
#define VEU_COUNTER_SNAPSHOT       0x1u
#define VEU_COUNTER_SNAPSHOT_RINGS 0x2u /**< version 1.2 */

/** Bits of RING_CONTROL. */
#define VEU_RING_ENABLE 0x1u
#define VEU_RING_RESET  0x2u
#define VEU_RING_RELOAD 0x4u
#define VEU_RING_PAUSE  0x8u

/** Bits of SCANOUT_CONTROL. */
#define VEU_SCANOUT_ENABLE 0x1u

/** Value of RING_VECTOR and SCANOUT_VECTOR: no interrupt is raised. */
#define VEU_NO_VECTOR 0xffffffffu

/** Values of RING_STATE. */
enum veu_ring_state {
    VEU_RING_DISABLED = 0, /**< executes nothing; registers are writable */
    VEU_RING_RUNNING = 1,  /**< executes what the tail offers, or sleeps */
    VEU_RING_DRAINING = 2, /**< finishes its command, then is disabled */
    VEU_RING_HALTED = 3,   /**< stopped by a fault; disable or reset it */
};

/** Values of RING_POLICY: how far a fault reaches. */
enum veu_policy {
    VEU_POLICY_HALT = 0,         /**< the ring halts at the command */
    VEU_POLICY_SKIP_MESSAGE = 1, /**< continue with the next message */
    VEU_POLICY_SKIP_COMMAND = 2, /**< continue with the next command */
};

/**
 * Values of RING_PRIORITY. Of rings that all have work, one gets four times as
 * much of the device as a ring of the next lower priority.
 */
enum veu_priority {
    VEU_PRIORITY_LOW = 0,
    VEU_PRIORITY_NORMAL = 1,
    VEU_PRIORITY_HIGH = 2,
    VEU_PRIORITY_HIGHEST = 3,
};

/** Values of CONTEXT_TYPE. 2 (PASID) is reserved. */
enum veu_context_type {
    VEU_CONTEXT_IDENTITY = 0, /**< addresses are the device's DMA addresses */
    VEU_CONTEXT_WINDOWS = 1,  /**< the same, within windows: context.h */
    VEU_CONTEXT_TABLES = 3,   /**< virtual addresses: page.h; version 1.2 */
};

#endif /* VEU_REGS_H */
