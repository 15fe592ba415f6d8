/*
 * veu tests: an EU thread without a device around it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/decode/field.h"
#include "hw/veu/eu/decode/load.h"
#include "hw/veu/eu/decode/message.h"
#include "hw/veu/eu/program/room.h"
#include "hw/veu/eu/surface/descriptor.h"
#include "tests/lib/eu_fixture.h"

static void add_memory(EuFixture *eu)
{
    test_memory_add(&eu->memory, EU_RAM, EU_RAM_BYTES, true);
    test_memory_add(&eu->memory, EU_ROM, 2 * TEST_PAGE_BYTES, false);
}

EuFixture *eu_new(void)
{
    EuFixture *eu = g_new0(EuFixture, 1);

    eu->simd = 32;
    eu->grf_bytes = 32;
    eu->program = veu_program_new();
    eu->surfaces = g_new0(VeuSurfaceTable, 1);
    test_memory_init(&eu->memory);
    add_memory(eu);
    eu->thread = (VeuThread){
        .config = &eu->config,
        .program = eu->program,
        .surfaces = eu->surfaces,
        .mem = &eu->memory.mem,
        .registers = eu->registers,
        .predicates = eu->predicates,
        .addresses = eu->addresses,
        .exec_mask = UINT32_MAX,
        .slm = eu->slm,
        .slm_bytes = EU_SLM_BYTES,
    };
    return eu;
}

void eu_free(EuFixture *eu)
{
    test_memory_free(&eu->memory);
    g_free(eu->surfaces);
    g_free(eu->program);
    g_free(eu);
}

EuFixture *eu_standard(void)
{
    EuFixture *eu = eu_new();

    eu_variable(eu, EU_OFFSETS_AT, 256, VEU_TYPE_UD);
    eu_variable(eu, EU_DATA_AT, 512, VEU_TYPE_UD);
    eu_variable(eu, EU_ADDRESSES_AT, 128, VEU_TYPE_UQ);
    eu_variable(eu, EU_V_AT, 256, VEU_TYPE_UD);
    eu_variable(eu, EU_R_AT, 256, VEU_TYPE_UD);
    eu_variable(eu, EU_LOD_AT, 256, VEU_TYPE_UD);
    eu_variable(eu, EU_SCALAR_AT, 256, VEU_TYPE_UD);
    eu_variable(eu, EU_SRC0_AT, 256, VEU_TYPE_UD);
    eu_variable(eu, EU_SRC1_AT, 256, VEU_TYPE_UD);
    eu_variable(eu, EU_DATA_AT, 256, VEU_TYPE_UQ);
    eu_variable(eu, EU_SRC0_AT, 128, VEU_TYPE_UQ);
    eu_variable(eu, EU_SRC1_AT, 128, VEU_TYPE_UQ);
    eu_predicate(eu, 32, 0);
    eu_buffer(eu, EU_RAM, EU_BUFFER_BYTES);
    return eu;
}

EuFixture *eu_joined(void)
{
    EuFixture *eu = eu_standard();

    test_memory_free(&eu->memory);
    test_memory_init(&eu->memory);
    eu->memory.joined = true;
    add_memory(eu);
    return eu;
}

TestMessage eu_message(TestKind kind)
{
    bool svm = test_layouts[kind].opcode == 0x4e;
    bool svm_blocks = kind == TEST_SVM_GATHER || kind == TEST_SVM_SCATTER;
    bool scaled = kind == TEST_GATHER_SCALED || kind == TEST_SCATTER_SCALED;
    bool qw = kind == TEST_QW_GATHER || kind == TEST_QW_SCATTER;

    return (TestMessage){
        .kind = kind,
        .elt_size = 2,
        .num_elts = 0,
        .exec = TEST_LANES_8,
        .block_size = svm_blocks ? 1 : 0,
        .num_blocks = scaled ? 2 : 0,
        .channels = 0xf,
        .surface = EU_BUFFER,
        .op = TEST_ADD,
        .width = 4,
        .height = 1,
        .offset = test_immediate(0),
        .y = test_immediate(0),
        .address = { svm ? EU_ADDRESSES : EU_OFFSETS, 0 },
        .src0 = { EU_SRC0, 0 },
        .data = { qw ? EU_QW_DATA : EU_DATA, 0 },
    };
}

TestMessage eu_svm(TestKind kind, uint8_t exec, uint8_t block_size,
                   uint8_t num_blocks)
{
    TestMessage m = eu_message(kind);

    m.exec = exec;
    m.block_size = block_size;
    m.num_blocks = num_blocks;
    return m;
}

uint32_t eu_variable(EuFixture *eu, uint32_t offset, unsigned elements,
                     enum veu_type type)
{
    g_assert_cmpuint(eu->variable_count, <, EU_VARIABLES);
    eu->variables[eu->variable_count] = (struct veu_variable){
        .offset = offset,
        .elements = elements,
        .type = type,
    };
    return 32 + eu->variable_count++;
}

unsigned eu_predicate(EuFixture *eu, unsigned bits, uint32_t value)
{
    g_assert_cmpuint(eu->predicate_count, <, EU_PREDICATES);
    eu->predicate_bits[eu->predicate_count] = bits;
    eu->predicates[eu->predicate_count] = value;
    return 1 + eu->predicate_count++;
}

uint16_t *eu_address_variable(EuFixture *eu, unsigned elements)
{
    VeuAddressVariable *next = &eu->address_variables[eu->address_count];

    g_assert_cmpuint(eu->address_count, <, EU_ADDRESS_VARIABLES);
    g_assert_cmpuint(elements, <=, EU_ADDRESS_ELEMENTS);
    next->first = eu->address_count ? next[-1].first + next[-1].elements : 0;
    next->elements = elements;
    eu->address_count++;
    return eu->addresses + next->first;
}

unsigned eu_surface(EuFixture *eu, const struct veu_surface *surface)
{
    uint32_t detail = UINT32_MAX;
    bool ok = veu_surface_decode(surface,
                                 &eu->surfaces->surface[eu->surfaces->count],
                                 &detail);

    g_assert_cmpuint(detail, ==, UINT32_MAX);
    g_assert_true(ok);
    return 6 + eu->surfaces->count++;
}

unsigned eu_buffer(EuFixture *eu, uint64_t base, uint32_t bytes)
{
    struct veu_surface s = {
        .base = base,
        .format = VEU_FORMAT_RAW,
        .type = VEU_SURFACE_BUFFER,
        .width = bytes,
    };

    return eu_surface(eu, &s);
}

unsigned eu_typed_buffer(EuFixture *eu, uint16_t format, uint32_t width)
{
    struct veu_surface s = {
        .base = EU_RAM,
        .format = format,
        .type = VEU_SURFACE_BUFFER,
        .width = width,
    };

    return eu_surface(eu, &s);
}

/* Opens a program with the fixture's declarations. */
static void open_program(EuFixture *eu, const uint8_t *code, uint32_t bytes)
{
    bool ok = veu_program_open_inline(eu->program, eu->simd, eu->grf_bytes,
                                      eu->variables, eu->variable_count,
                                      eu->predicate_count, code, bytes,
                                      &eu->fault);

    g_assert_true(ok);
    for (unsigned i = 0; i < eu->predicate_count; i++) {
        eu->program->predicate_bits[i] = eu->predicate_bits[i];
    }
    eu->program->address_count = eu->address_count;
    memcpy(eu->program->addresses, eu->address_variables,
           sizeof(eu->address_variables));
    g_assert_cmpuint(eu->program->register_bytes, <=, EU_REGISTER_BYTES);
}

/*
 * Decodes from a block of exactly that size, so that ASan finds reads past it.
 */
bool eu_decode_bytes(EuFixture *eu, const uint8_t *bytes, uint32_t count)
{
    g_autofree uint8_t *code = g_memdup2(bytes, count);

    memset(&eu->fault, 0, sizeof(eu->fault));
    open_program(eu, code, count);
    return veu_message_decode(eu->program, code, count, 0, &eu->message,
                              &eu->next, &eu->fault);
}

bool eu_decode(EuFixture *eu, const TestMessage *message)
{
    TestCode code = test_encode(message);

    return eu_decode_bytes(eu, code.bytes, code.count);
}

bool eu_run(EuFixture *eu, const TestMessage *message)
{
    bool ok;

    eu_assert_legal(eu, message);
    ok = veu_execute(&eu->thread, &eu->message);
    eu->fault = eu->thread.fault;
    g_assert_cmpint(ok, ==, eu->fault.code == 0);
    return ok;
}

/* veu_execute() would forget the miss, and find the page. */
void eu_assert_waits(EuFixture *eu)
{
    VeuMem *mem = &eu->memory.mem;
    g_autofree TestMemory *before = g_new(TestMemory, 1);
    g_autofree uint8_t *registers = NULL;

    memset(eu->registers + EU_DATA_AT, 0xee, 2048);
    registers = g_memdup2(eu->registers, sizeof(eu->registers));
    test_memory_copy(before, &eu->memory);
    mem->asks = true;
    veu_mem_miss(mem, EU_RAM, VEU_ACCESS_READ, VEU_FAULT_ADDRESS, true);
    g_assert_false(eu->message.info->execute(&eu->thread, &eu->message));
    g_assert_cmpmem(eu->registers, sizeof(eu->registers), registers,
                    sizeof(eu->registers));
    g_assert_true(test_memory_equal(&eu->memory, before));
    mem->asks = false;
    test_memory_free(before);
}

void eu_assert_refused(EuFixture *eu, const TestMessage *message,
                       enum veu_fault_code code, uint32_t detail)
{
    g_assert_false(eu_decode(eu, message));
    g_assert_cmphex(eu->fault.code, ==, code);
    g_assert_cmpuint(eu->fault.detail, ==, detail);
    g_assert_cmphex(eu->fault.lane, ==, VEU_FAULT_NO_LANE);
    g_assert_cmphex(eu->fault.element, ==, VEU_FAULT_NO_LANE);
}

void eu_assert_legal(EuFixture *eu, const TestMessage *message)
{
    TestCode code = test_encode(message);
    bool ok = eu_decode(eu, message);

    if (!ok) {
        g_test_message("refused: fault %#x, detail %u", eu->fault.code,
                       eu->fault.detail);
    }
    g_assert_true(ok);
    g_assert_cmpuint(eu->next, ==, code.count);
}

void eu_assert_faulted(const EuFixture *eu, enum veu_fault_code code,
                       unsigned lane, unsigned element, uint64_t address)
{
    g_assert_cmphex(eu->fault.code, ==, code);
    g_assert_cmpuint(eu->fault.lane, ==, lane);
    g_assert_cmpuint(eu->fault.element, ==, element);
    g_assert_cmphex(eu->fault.address, ==, address);
}

void eu_set32(EuFixture *eu, uint32_t at, unsigned lane, uint32_t value)
{
    memcpy(eu->registers + at + lane * 4, &value, 4);
}

void eu_set64(EuFixture *eu, uint32_t at, unsigned lane, uint64_t value)
{
    memcpy(eu->registers + at + lane * 8, &value, 8);
}

void eu_set_address(EuFixture *eu, unsigned lane, uint64_t address)
{
    eu_set64(eu, EU_ADDRESSES_AT, lane, address);
}

uint32_t eu_get32(const EuFixture *eu, uint32_t at, unsigned lane)
{
    uint32_t value;

    memcpy(&value, eu->registers + at + lane * 4, 4);
    return value;
}

uint64_t eu_get64(const EuFixture *eu, uint32_t at, unsigned lane)
{
    uint64_t value;

    memcpy(&value, eu->registers + at + lane * 8, 8);
    return value;
}

uint32_t eu_read_one(EuFixture *eu, const TestMessage *message, uint32_t offset)
{
    TestMessage m = *message;

    m.exec = TEST_LANES_1;
    m.num_elts = 2;
    eu_set32(eu, EU_OFFSETS_AT, 0, offset);
    eu_set32(eu, EU_DATA_AT, 0, UINT32_C(0xeeeeeeee));
    g_assert_true(eu_run(eu, &m));
    return eu_get32(eu, EU_DATA_AT, 0);
}

void eu_write_one(EuFixture *eu, const TestMessage *message, uint32_t offset,
                  uint32_t value)
{
    TestMessage m = *message;

    m.exec = TEST_LANES_1;
    eu_set32(eu, EU_OFFSETS_AT, 0, offset);
    eu_set32(eu, EU_DATA_AT, 0, value);
    g_assert_true(eu_run(eu, &m));
}
