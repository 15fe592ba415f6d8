/*
 * SPDX-License-Identifier: MIT
 *
 * Demand paging: the device works on a sparse buffer of 1 GiB of virtual
 * addresses, for which there are 16 MiB of RAM. Pages are provided on request,
 * and the oldest page is evicted for them. Evicted pages go to a "disk", which
 * remembers the one word of each page that this program stores. At the end,
 * launches move words between pages, none of which are in RAM when they begin.
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

#define LAUNCHES 16
#define LANES    8 /* of a launch: words that it moves */

/* Memory that is never paged out: its addresses for the device. */
#define RESULTS        UINT64_C(0x200000000000)
#define PROGRAM        (RESULTS + PAGE_BYTES)
#define PAYLOAD        (RESULTS + 2 * PAGE_BYTES)
#define RESIDENT_BYTES (3 * PAGE_BYTES)

struct pager {
    struct veu_device device;
    struct veu_ring ring;
    struct veu_space space;
    uint8_t *frames;     /* FRAMES pages */
    uint32_t *page_of;   /* a frame's page + 1; 0: it is free */
    uint64_t *disk;      /* a word for each page */
    uint8_t *resident;   /* the pages from RESULTS on */
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

/* The address of a page's word for the device. */
static uint64_t address_of_word(uint64_t page)
{
    return BUFFER + page * PAGE_BYTES + place_of_word(page);
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

    return status ?
               status :
               veu_space_map(&p->space, RESULTS, p->resident, RESIDENT_BYTES,
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
    p->resident = machine_alloc(RESIDENT_BYTES, PAGE_BYTES);
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
            .address = address_of_word(page),
            .value = ~page,
        };

        if (!put(p, &fence.header)) {
            return false;
        }
    }
    return finish(p);
}

/* Reads one word back through the device. */
static bool is_right(struct pager *p, uint64_t page, uint64_t word)
{
    struct veu_command_copy copy = {
        .header = { .opcode = VEU_COMMAND_COPY, .slots = 1 },
        .source = address_of_word(page),
        .destination = RESULTS,
        .bytes = sizeof(uint64_t),
    };

    return put(p, &copy.header) && finish(p) &&
           *(volatile uint64_t *)p->resident == word;
}

/* ---- launches ---- */

/* Each lane adds the word at its first address to that at its second one. */
static bool make_launch(struct pager *p, struct veu_command_dispatch *command,
                        struct veu_program *program)
{
    uint32_t from, to, words, bytes;

    veu_program_begin(program, p->resident + PAGE_BYTES, PAGE_BYTES, 32);
    from = veu_program_variable(program, VEU_TYPE_UQ, LANES);
    to = veu_program_variable(program, VEU_TYPE_UQ, LANES);
    words = veu_program_variable(program, VEU_TYPE_UQ, LANES);
    veu_encode_svm_gather(&program->code, 0, 8, 1, veu_m(1, LANES), veu_v(from),
                          veu_v(words));
    veu_encode_svm_atomic(&program->code, 0, VEU_ATOMIC_ADD, 64,
                          veu_m(1, LANES), veu_v(to), VEU_NULL, veu_v(words),
                          VEU_NULL);
    bytes = veu_program_end(program);
    *command = veu_make_dispatch(1, (void *)(uintptr_t)PROGRAM, bytes, LANES);
    veu_launch_payload(&command->launch, (void *)(uintptr_t)PAYLOAD,
                       veu_payload_bytes(program));
    return bytes != 0;
}

/* The pages of a lane: one that was stored, and one that never came. */
static uint64_t page_from(unsigned launch, unsigned lane)
{
    return page_of_store(launch * LANES + lane);
}

static uint64_t page_to(unsigned launch, unsigned lane)
{
    return page_of_store(STORES + launch * LANES + lane);
}

static bool launch_all(struct pager *p)
{
    uint8_t *payload = p->resident + 2 * PAGE_BYTES;
    struct veu_command_dispatch command;
    struct veu_program program;
    uint64_t *addresses;

    if (!make_launch(p, &command, &program)) {
        return false;
    }
    *(uint32_t *)payload = UINT32_MAX; /* struct veu_payload_header.exec_mask */
    addresses = (uint64_t *)veu_payload_registers(payload, &program);
    for (unsigned n = 0; n < LAUNCHES; n++) {
        for (unsigned lane = 0; lane < LANES; lane++) {
            addresses[lane] = address_of_word(page_from(n, lane));
            addresses[LANES + lane] = address_of_word(page_to(n, lane));
        }
        if (!put(p, &command.header) || !finish(p)) {
            return false;
        }
    }
    return true;
}

static unsigned count_wrong(struct pager *p)
{
    unsigned wrong = 0;

    for (uint64_t n = 0; n < STORES; n++) {
        wrong += !is_right(p, page_of_store(n), ~page_of_store(n));
    }
    if (!launch_all(p)) {
        machine_panic("paging: a launch stopped the ring\n");
    }
    for (unsigned n = 0; n < LAUNCHES * LANES; n++) {
        wrong += !is_right(p, page_to(n / LANES, n % LANES),
                           ~page_from(n / LANES, n % LANES));
    }
    return wrong;
}

int program_main(const char *command_line)
{
    static struct pager p;
    enum veu_status status = start(&p);
    unsigned wrong;

    if (status) {
        machine_panic("paging: %s\n", veu_status_text(status));
    }
    if (!store_all(&p)) {
        machine_panic("paging: a fault stopped the ring\n");
    }
    wrong = count_wrong(&p);
    machine_print("paging: %s, %u stores, %u pages came, %u left, %u wrong\n",
                  wrong ? "FAILED" : "ok", STORES, p.came, p.left, wrong);
    return wrong != 0;
}
