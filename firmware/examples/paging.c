/*
 * SPDX-License-Identifier: MIT
 *
 * Demand paging: the device works on a sparse buffer of 1 GiB of virtual
 * addresses, for which there are 16 MiB of RAM. Pages are provided on request,
 * and the oldest page is evicted for them. Evicted pages go to a "disk", which
 * remembers the one word of each page that this program stores.
 */
#include "veu_command.h"
#include "veu_guest.h"
#include "veu_ring.h"
#include "veu_space.h"
#include "machine.h"

#define BUFFER       UINT64_C(0x123400000000) /* virtual */
#define BUFFER_PAGES (UINT64_C(1) << 18)      /* 1 GiB */
#define PAGE_BYTES   4096
#define FRAMES       4096 /* 16 MiB */
#define STORES       12000
#define SLOTS        64
#define RECORDS      128
/* odd: visits pages in a scattered order */
#define STEP         UINT64_C(98317)

/* The address of the results for the device; never paged out. */
#define RESULTS UINT64_C(0x200000000000)

struct pager {
    struct veu_device device;
    struct veu_ring ring;
    struct veu_space space;
    uint8_t *frames;     /* FRAMES pages */
    uint32_t *page_of;   /* a frame's page + 1; 0: it is free */
    uint64_t *disk;      /* a word for each page */
    uint64_t *results;   /* for each page: words that were read back */
    uint32_t next_frame; /* the oldest */
    uint32_t came, left;
};

static uint64_t page_of_store(uint64_t n)
{
    return n * STEP % BUFFER_PAGES;
}

/* The word of a page has a place of its own, which depends on the page. */
static uint64_t place_of_word(uint64_t page)
{
    return page % (PAGE_BYTES / 8) * 8;
}

static uint64_t *word_in_frame(struct pager *p, uint32_t frame, uint64_t page)
{
    return (uint64_t *)(p->frames + (uint64_t)frame * PAGE_BYTES +
                        place_of_word(page));
}

static void *alloc_table(void *opaque)
{
    return machine_alloc(PAGE_BYTES, PAGE_BYTES);
}

/* Once the page is unmapped, the device no longer accesses it. */
static void evict(struct pager *p, uint32_t frame)
{
    uint64_t page = p->page_of[frame] - 1;
    uint64_t *word = word_in_frame(p, frame, page);

    veu_space_unmap(&p->space, BUFFER + page * PAGE_BYTES, PAGE_BYTES);
    p->disk[page] = *word;
    *word = 0;
    p->left++;
}

static bool provide(void *opaque, const struct veu_request *request)
{
    struct pager *p = opaque;
    uint64_t page = (request->address - BUFFER) / PAGE_BYTES;
    uint32_t frame = p->next_frame;

    if (request->address < BUFFER || page >= BUFFER_PAGES) {
        return false;
    }
    p->next_frame = (frame + 1) % FRAMES;
    if (p->page_of[frame]) {
        evict(p, frame);
    }
    p->page_of[frame] = page + 1;
    *word_in_frame(p, frame, page) = p->disk[page];
    p->came++;
    return veu_space_map(&p->space, request->address,
                         p->frames + (uint64_t)frame * PAGE_BYTES, PAGE_BYTES,
                         VEU_PAGE_READ | VEU_PAGE_WRITE) == VEU_OK;
}

static enum veu_status start_space(struct pager *p)
{
    struct veu_space_config config = {
        .alloc = alloc_table,
        .queue = machine_alloc(sizeof(struct veu_request_queue) +
                                   RECORDS * sizeof(struct veu_request),
                               64),
        .records = RECORDS,
        .vector = VEU_NO_VECTOR,
    };
    enum veu_status status = veu_space_start(&p->space, &p->device, &config);

    return status ? status :
                    veu_space_map(&p->space, RESULTS, p->results, PAGE_BYTES,
                                  VEU_PAGE_READ | VEU_PAGE_WRITE);
}

static enum veu_status start(struct pager *p)
{
    struct veu_ring_config config = {
        .vector = VEU_NO_VECTOR,
        .slots = machine_alloc(SLOTS * VEU_SLOT_BYTES, 64),
        .slot_count = SLOTS,
        .shared = machine_alloc(sizeof(struct veu_ring_shared), 64),
    };
    enum veu_status status = veu_open(&p->device,
                                      &(struct veu_open_options){ 0 });

    p->frames = machine_alloc((uint64_t)FRAMES * PAGE_BYTES, PAGE_BYTES);
    p->page_of = machine_alloc(FRAMES * sizeof(uint32_t), 64);
    p->disk = machine_alloc(BUFFER_PAGES * sizeof(uint64_t), 64);
    p->results = machine_alloc(PAGE_BYTES, PAGE_BYTES);
    status = status ? status : start_space(p);
    return status ? status : veu_ring_start(&p->ring, &p->device, &config);
}

/* Puts a command, and serves requests while the ring is full. */
static bool put(struct pager *p, const struct veu_command_header *command)
{
    while (veu_ring_put(&p->ring, command) == VEU_FULL) {
        veu_space_serve(&p->space, provide, p);
        if (veu_read32(&p->device, veu_ring_register(0, VEU_REG_RING_STATE)) !=
            VEU_RING_RUNNING) {
            return false;
        }
        machine_pause();
    }
    veu_ring_submit(&p->ring);
    return true;
}

/* Serves requests until all commands are done. */
static bool finish(struct pager *p)
{
    enum veu_status status;

    do {
        veu_space_serve(&p->space, provide, p);
        status = veu_ring_wait(&p->ring, 0);
    } while (status == VEU_TIMEOUT);
    return status == VEU_OK;
}

static bool store_all(struct pager *p)
{
    for (uint64_t n = 0; n < STORES; n++) {
        uint64_t page = page_of_store(n);
        struct veu_command_fence fence = {
            .header = { .opcode = VEU_COMMAND_FENCE, .slots = 1 },
            .address = BUFFER + page * PAGE_BYTES + place_of_word(page),
            .value = ~page,
        };

        if (!put(p, &fence.header)) {
            return false;
        }
    }
    return finish(p);
}

/* Reads one word back through the device. */
static bool is_right(struct pager *p, uint64_t page)
{
    struct veu_command_copy copy = {
        .header = { .opcode = VEU_COMMAND_COPY, .slots = 1 },
        .source = BUFFER + page * PAGE_BYTES + place_of_word(page),
        .destination = RESULTS,
        .bytes = sizeof(uint64_t),
    };

    return put(p, &copy.header) && finish(p) &&
           *(volatile uint64_t *)p->results == ~page;
}

int program_main(const char *command_line)
{
    static struct pager p;
    enum veu_status status = start(&p);
    unsigned wrong = 0;

    if (status) {
        machine_panic("paging: %s\n", veu_status_text(status));
    }
    if (!store_all(&p)) {
        machine_panic("paging: a fault stopped the ring\n");
    }
    for (uint64_t n = 0; n < STORES; n++) {
        wrong += !is_right(&p, page_of_store(n));
    }
    machine_print("paging: %s, %u stores, %u pages came, %u left, %u wrong\n",
                  wrong ? "FAILED" : "ok", STORES, p.came, p.left, wrong);
    return wrong != 0;
}
