/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: the address space of a process, in page tables.
 */
#include "veu_space.h"

#include "veu_port.h"

#define PAGE_BYTES UINT64_C(4096)

static void write32(struct veu_space *s, enum veu_reg offset, uint32_t value)
{
    veu_write32(s->device, veu_context_register(s->config.context, offset),
                value);
}

static void write64(struct veu_space *s, enum veu_reg offset, uint64_t value)
{
    veu_write64(s->device, veu_context_register(s->config.context, offset),
                value);
}

static bool is_supported(const struct veu_device *device, bool requests)
{
    uint32_t types = veu_read32(device, VEU_REG_CAP_CONTEXT_TYPES);
    uint32_t options = veu_read32(device, VEU_REG_CAP_CONTEXT_OPTIONS);

    return types >> VEU_CONTEXT_TABLES & 1 &&
           (!requests || options & VEU_CONTEXT_REQUESTS);
}

/* Empties the queue for both sides; its reserved bytes become 0, too. */
static void start_queue(struct veu_space *s)
{
    *s->config.queue = (struct veu_request_queue){ 0 };
    write32(s, VEU_REG_CONTEXT_QUEUE_RECORDS, s->config.records);
    write32(s, VEU_REG_CONTEXT_QUEUE_VECTOR, s->config.vector);
    write64(s, VEU_REG_CONTEXT_QUEUE, veu_port_device_address(s->config.queue));
}

enum veu_status veu_space_start(struct veu_space *s, struct veu_device *device,
                                const struct veu_space_config *config)
{
    if (!is_supported(device, config->queue)) {
        return VEU_OTHER_ABI;
    }
    *s = (struct veu_space){ .device = device, .config = *config };
    s->root = config->alloc(config->opaque);
    if (!s->root) {
        return VEU_FULL;
    }
    if (config->queue) {
        start_queue(s);
    }
    write32(s, VEU_REG_CONTEXT_OPTIONS,
            config->queue ? VEU_CONTEXT_REQUESTS : 0);
    write64(s, VEU_REG_CONTEXT_ROOT, veu_port_device_address(s->root));
    write32(s, VEU_REG_CONTEXT_TYPE, VEU_CONTEXT_TABLES);
    return VEU_OK;
}

/* An entry of a table: compilers for i386 align uint64_t to 4 bytes. */
typedef uint64_t AlignedEntry __attribute__((aligned(8)));

/* An entry is stored as a whole, after the page or table that it leads to. */
static void store_entry(uint64_t *entry, uint64_t value)
{
    __atomic_store_n((AlignedEntry *)entry, value, __ATOMIC_RELEASE);
}

static uint64_t *find_table(const struct veu_space *s, uint64_t entry)
{
    uint64_t address = entry & VEU_PAGE_ADDRESS;

    return s->config.find ? s->config.find(s->config.opaque, address) :
                            (void *)(uintptr_t)address;
}

static uint64_t *next_table(struct veu_space *s, uint64_t *entry)
{
    uint64_t *table;

    if (*entry & VEU_PAGE_VALID) {
        return find_table(s, *entry);
    }
    table = s->config.alloc(s->config.opaque);
    if (table) {
        store_entry(entry, veu_port_device_address(table) | VEU_PAGE_VALID);
    }
    return table;
}

uint64_t *veu_space_entry(struct veu_space *s, uint64_t address, unsigned level)
{
    uint64_t *table = s->root;

    for (unsigned at = VEU_TABLE_LEVELS;; at--) {
        unsigned shift = VEU_TABLE_PAGE_BITS + (at - 1) * VEU_TABLE_BITS;
        uint64_t *entry = &table[address >> shift & (VEU_TABLE_ENTRIES - 1)];

        if (at == level) {
            return entry;
        }
        table = next_table(s, entry);
        if (!table) {
            return NULL;
        }
    }
}

enum veu_status veu_space_map(struct veu_space *s, uint64_t address,
                              const volatile void *memory, uint64_t bytes,
                              uint64_t bits)
{
    uint64_t to = veu_port_device_address(memory);

    for (uint64_t at = 0; at < bytes; at += PAGE_BYTES) {
        uint64_t *entry = veu_space_entry(s, address + at, 1);

        if (!entry) {
            return VEU_FULL;
        }
        store_entry(entry, (to + at) | bits | VEU_PAGE_VALID);
    }
    return VEU_OK;
}

/* The smallest aligned range that contains all of it. */
static void invalidate_range(struct veu_space *s, uint64_t address,
                             uint64_t bytes)
{
    uint64_t last = (address + bytes - 1) / PAGE_BYTES;
    unsigned log2 = 0;

    while (log2 < VEU_INVALIDATE_ALL &&
           address / PAGE_BYTES >> log2 != last >> log2) {
        log2++;
    }
    veu_space_invalidate(s, address, log2);
}

void veu_space_protect(struct veu_space *s, uint64_t address, uint64_t bytes,
                       uint64_t bits)
{
    for (uint64_t at = 0; at < bytes; at += PAGE_BYTES) {
        uint64_t *entry = veu_space_entry(s, address + at, 1);

        if (entry && *entry & VEU_PAGE_VALID) {
            store_entry(entry,
                        (*entry & VEU_PAGE_ADDRESS) | bits | VEU_PAGE_VALID);
        }
    }
    invalidate_range(s, address, bytes);
}

void veu_space_unmap(struct veu_space *s, uint64_t address, uint64_t bytes)
{
    for (uint64_t at = 0; at < bytes; at += PAGE_BYTES) {
        uint64_t *entry = veu_space_entry(s, address + at, 1);

        if (entry) {
            store_entry(entry, 0);
        }
    }
    invalidate_range(s, address, bytes);
}

void veu_space_invalidate(struct veu_space *s, uint64_t address,
                          unsigned log2_pages)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    write64(s, VEU_REG_CONTEXT_INVALIDATE, VEU_INVALIDATE(address, log2_pages));
    veu_read32(s->device, VEU_REG_MAGIC);
}

/* The head comes first: the response makes the device read it. */
static void respond(struct veu_space *s, uint32_t id, bool ok)
{
    __atomic_store_n(&s->config.queue->head, s->head, __ATOMIC_RELEASE);
    write64(s, VEU_REG_CONTEXT_RESPONSE, id | (ok ? 0 : VEU_RESPONSE_REFUSED));
}

unsigned veu_space_serve(struct veu_space *s, veu_space_provide *provide,
                         void *opaque)
{
    const struct veu_request *records = (const void *)(s->config.queue + 1);
    unsigned groups = 0;
    bool ok = false;

    while (__atomic_load_n(&s->config.queue->tail, __ATOMIC_ACQUIRE) !=
           s->head) {
        const struct veu_request *r =
            &records[s->head & (s->config.records - 1)];
        struct veu_request request = *r;

        s->head++;
        ok |= provide(opaque, &request);
        if (request.flags & VEU_REQUEST_LAST) {
            respond(s, request.id, ok);
            ok = false;
            groups++;
        }
    }
    return groups;
}
