/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The parts of a bare machine that programs need to drive a veu, the same on
 * each processor. There is a folder for each machine (x86, aarch64, riscv64).
 *
 * The program's entry is program_main(); memory is identity-mapped, and the
 * device uses the same addresses; interrupts are off until
 * machine_interrupts_on(). PCI functions have BARs.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The machine's processor provides machine_pause(), machine_wait(),
 * machine_ticks(), machine_interrupts_on() and _off(), machine_sync_code().
 */
#include "machine_cpu.h"

/**
 * The program. Its return value is the machine's exit status: 0 is success.
 * The first word of @command_line is the image's name.
 */
int program_main(const char *command_line);

/* ---- console (print.c) ---- */

void machine_put_char(char c);

/** Supports %s %c %d %u %x %lu %lx %p and %%, with -, 0 and a width. */
void machine_print(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/**
 * Prints into @to, which is always terminated. Returns the length that it
 * needs.
 */
size_t machine_format(char *to, size_t size, const char *format,
                      va_list arguments) __attribute__((format(printf, 3, 0)));

/** Prints the reason and exits with a failure. */
void machine_panic(const char *format, ...)
    __attribute__((noreturn, format(printf, 1, 2)));

/* ---- memory (memory.c) ---- */

/** Gives free RAM to the allocator. */
void machine_memory_init(uint64_t start, uint64_t end);

/**
 * Returns zeroed memory, which is never freed. Panics if there is none left.
 */
void *machine_alloc(size_t bytes, size_t alignment);

/** Returns a zeroed page: veu_space_config's alloc, which needs no @opaque. */
void *machine_alloc_page(void *opaque);

/** The size of RAM (on a PC, of the part below 4 GiB). */
uint64_t machine_ram_bytes(void);

/* ---- PCI ---- */

/** Addresses that no BAR on bus 0 has, and that can be given to BARs there. */
void machine_pci_window(uint64_t *start, uint64_t *end);

/* ---- interrupts ---- */

typedef void machine_handler(void *opaque);

/** A message (MSI). */
struct machine_message {
    uint64_t address;
    uint32_t data;
};

/**
 * Gets the message that interrupts this processor, which then calls @handler.
 * There is one for the whole machine. Returns false if it does not accept
 * messages.
 */
bool machine_set_message(machine_handler *handler, void *opaque,
                         struct machine_message *message);

/* ---- other processors ---- */

/** The number of processors. */
unsigned machine_processors(void);

/**
 * Runs @run on processor @number, once. Returns false if that did not start.
 */
bool machine_start_processor(uint32_t number, void (*run)(void *),
                             void *opaque);

/* ---- time and power ---- */

void machine_delay_us(unsigned us);

/** Exits from QEMU, with status 0 or another one. */
void machine_exit(int status) __attribute__((noreturn));

/* ---- code that returns a number, made by hand ---- */

/** The number is in a word of the code, this many bytes after its start. */
#define MACHINE_CODE_WORD MACHINE_CPU_CODE_WORD

/** That word, for numbers up to 2,047. */
uint32_t machine_code_word(uint32_t number);

/** Writes everything except the word. */
void machine_write_code(uint8_t *at);

#endif /* MACHINE_H */
