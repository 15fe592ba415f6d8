/*
 * veu unit tests: a session with gdb, whose target is an EU thread without a
 * device: hw/veu/debug/gdb.h, and gdb's manual ("Remote Protocol").
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/debug/gdb.h"
#include "tests/lib/code_builder.h"

#define RING         3
#define THREAD       7
#define INSTRUCTIONS 4
#define MEMORY       0x1000
#define MEMORY_BYTES 0x8000
#define BREAKS       1000

typedef struct Session {
    Code code;
    CodeRun run;
    VeuMem mem;
    VeuGdb *gdb;
    GString *sent; /* to gdb, without acknowledgements */
    uint32_t at[INSTRUCTIONS];
    unsigned acknowledged, resumes, kills;
    uint32_t accessed_ring;
    uint8_t memory[MEMORY_BYTES];
} Session;

/* --- The target ----------------------------------------------------------- */

static void target_send(void *opaque, const char *bytes, size_t count)
{
    Session *s = opaque;

    if (count == 1 && *bytes == '+') {
        s->acknowledged++;
    } else {
        g_string_append_len(s->sent, bytes, count);
    }
}

static void target_resume(void *opaque)
{
    ((Session *)opaque)->resumes++;
}

static void target_kill(void *opaque)
{
    ((Session *)opaque)->kills++;
}

static bool target_access(void *opaque, uint32_t ring, uint64_t address,
                          void *data, uint32_t bytes, enum veu_access access)
{
    Session *s = opaque;
    uint8_t *at;

    s->accessed_ring = ring;
    if (address < MEMORY || address - MEMORY + bytes > MEMORY_BYTES) {
        return false;
    }
    at = s->memory + (address - MEMORY);
    if (bytes && access == VEU_ACCESS_WRITE) {
        memcpy(at, data, bytes);
    } else if (bytes) {
        memcpy(data, at, bytes);
    }
    return true;
}

/* An instruction begins at each even offset. */
static bool target_may_break(void *opaque, uint64_t offset)
{
    return offset % 2 == 0 || offset == UINT32_MAX;
}

static char *target_monitor(void *opaque, const char *command)
{
    return g_strdup_printf("<%s>", command);
}

/* --- A session ------------------------------------------------------------ */

static void start_thread(Session *s)
{
    veu_flow_start(&s->run.thread, 0xff);
    s->run.thread.fault = (VeuFault){ 0 };
}

/* The program: INSTRUCTIONS - 1 additions of 1, and its end. */
static Session *session_with(bool kills)
{
    Session *s = g_new0(Session, 1);
    uint32_t v = code_variable(&s->code, 0, 8, VEU_TYPE_UD);
    VeuGdbTarget target = {
        .layout = { 32, 128, 4, 16 },
        .send = target_send,
        .resume = target_resume,
        .kill = kills ? target_kill : NULL,
        .access = target_access,
        .may_break = target_may_break,
        .monitor = target_monitor,
        .opaque = s,
    };

    for (unsigned i = 0; i + 1 < INSTRUCTIONS; i++) {
        s->at[i] = s->code.count;
        CODE_ADD(&s->code, "add", size_m1(8), 0, 0, op_dst(v), op_lanes(v),
                 op_imm(VEU_TYPE_UD, 1));
    }
    s->at[INSTRUCTIONS - 1] = s->code.count;
    CODE_ADD(&s->code, "ret", size_m1(1), 0, 0, { 0 });
    g_assert_true(code_load(&s->run, &s->code));
    s->run.thread.mem = &s->mem;
    start_thread(s);
    s->sent = g_string_new(NULL);
    s->gdb = veu_gdb_new(&target);
    return s;
}

static Session *session_new(void)
{
    return session_with(true);
}

static void session_free(Session *s)
{
    veu_gdb_free(s->gdb);
    code_free(&s->run);
    g_string_free(s->sent, TRUE);
    g_free(s);
}

static bool receive(Session *s, const char *bytes)
{
    return veu_gdb_receive(s->gdb, bytes, strlen(bytes));
}

static bool send_packet(Session *s, const char *text)
{
    g_autofree char *packet = g_strdup_printf("$%s#00", text);

    return receive(s, packet);
}

/* Asserts what was sent to gdb since the last call: one packet, or "". */
static void assert_sent(Session *s, const char *wanted)
{
    if (s->sent->len) {
        g_assert_cmpint(s->sent->str[0], ==, '$');
        g_assert_cmpint(s->sent->str[s->sent->len - 3], ==, '#');
        g_string_truncate(s->sent, s->sent->len - 3);
        g_string_erase(s->sent, 0, 1);
    }
    g_assert_cmpstr(s->sent->str, ==, wanted);
    g_string_truncate(s->sent, 0);
}

static void assert_answer(Session *s, const char *text, const char *wanted)
{
    g_assert_true(send_packet(s, text));
    assert_sent(s, wanted);
}

static bool pass_of(Session *s, VeuEventKind kind, uint64_t value,
                    uint32_t ring, uint64_t thread)
{
    const VeuInstruction *next = veu_next_instruction(&s->run.thread);
    VeuEvent event = { .kind = kind,
                       .ring = ring,
                       .at = next ? next->offset : 0x999,
                       .value = value,
                       .thread = thread,
                       .eu = &s->run.thread };

    return veu_gdb_event(s->gdb, &event);
}

/* An EU thread begins; returns whether it stops. */
static bool begin(Session *s)
{
    start_thread(s);
    return pass_of(s, VEU_EVENT_THREAD, 0, RING, THREAD);
}

static bool end(Session *s)
{
    return pass_of(s, VEU_EVENT_THREAD, 1, RING, THREAD);
}

/* Executes an instruction; returns whether the next one must wait. */
static bool step(Session *s)
{
    const VeuInstruction *next = veu_next_instruction(&s->run.thread);

    g_assert_true(veu_step(&s->run.thread, next));
    return pass_of(s, VEU_EVENT_INSTRUCTION, 0xff, RING, THREAD);
}

static void report(Session *s, const char *wanted)
{
    g_assert_true(veu_gdb_is_stopped(s->gdb));
    veu_gdb_report(s->gdb);
    assert_sent(s, wanted);
}

/* The session stops at its first event, at instruction 0. */
static Session *session_stopped(void)
{
    Session *s = session_new();

    g_assert_true(begin(s));
    report(s, "");
    assert_answer(s, "?", "T05thread:1;");
    return s;
}

static void resume(Session *s, const char *packet)
{
    unsigned resumes = s->resumes;

    assert_answer(s, packet, "");
    g_assert_cmpuint(s->resumes, ==, resumes + 1);
    g_assert_false(veu_gdb_is_stopped(s->gdb));
}

static void assert_at(const Session *s, unsigned instruction)
{
    g_assert_cmphex(veu_gdb_thread(s->gdb)->offset, ==, s->at[instruction]);
}

static void set_break(Session *s, char set, unsigned instruction)
{
    g_autofree char *text = g_strdup_printf("%c0,%x,1", set,
                                            s->at[instruction]);

    assert_answer(s, text, "OK");
}

/* --- Stops ---------------------------------------------------------------- */

/* gdb asks for it when it connects. */
static void test_the_first_stop_is_not_reported(void)
{
    Session *s = session_new();

    g_assert_false(veu_gdb_is_stopped(s->gdb));
    g_assert_true(begin(s));
    report(s, "");
    assert_at(s, 0);
    assert_answer(s, "?", "T05thread:1;");
    g_assert_cmpuint(s->acknowledged, ==, 1);
    resume(s, "s");
    g_assert_true(step(s));
    report(s, "T05thread:1;");
    assert_at(s, 1);
    session_free(s);
}

static void test_packets_wait_for_the_stop(void)
{
    Session *s = session_new();

    g_assert_true(send_packet(s, "?"));
    g_assert_true(send_packet(s, "qC"));
    assert_sent(s, "");
    g_assert_true(begin(s));
    veu_gdb_report(s->gdb);
    g_assert_true(g_str_has_prefix(s->sent->str, "$T05thread:1;#"));
    g_assert_nonnull(strstr(s->sent->str, "$QC1#"));
    session_free(s);
}

static void test_a_stop_has_the_place_of_the_thread(void)
{
    Session *s = session_new();
    const VeuGdbThread *t = veu_gdb_thread(s->gdb);

    g_assert_true(begin(s));
    g_assert_cmpuint(t->ring, ==, RING);
    g_assert_cmpuint(t->number, ==, THREAD);
    g_assert_cmphex(t->lanes, ==, 0xff);
    g_assert_cmpuint(t->registers->len, ==, CODE_REGISTER_BYTES);
    veu_gdb_forget(s->gdb);
    g_assert_true(veu_gdb_is_stopped(s->gdb));
    g_assert_cmpuint(t->number, ==, 0);
    g_assert_cmphex(t->offset, ==, 0);
    g_assert_cmphex(t->lanes, ==, 0);
    g_assert_cmpuint(t->registers->len, ==, 0);
    assert_answer(s, "?", "T05thread:1;");
    session_free(s);
}

/* Another event does not change where it has stopped. */
static void test_nothing_stops_while_it_is_stopped(void)
{
    Session *s = session_stopped();

    g_assert_false(step(s));
    assert_at(s, 0);
    resume(s, "s");
    g_assert_true(step(s));
    assert_at(s, 2);
    session_free(s);
}

static void test_a_step_is_one_of_the_same_thread(void)
{
    Session *s = session_stopped();

    resume(s, "s");
    g_assert_false(pass_of(s, VEU_EVENT_THREAD, 0, RING, THREAD + 1));
    g_assert_false(pass_of(s, VEU_EVENT_INSTRUCTION, 1, RING, THREAD + 1));
    g_assert_false(pass_of(s, VEU_EVENT_INSTRUCTION, 1, RING + 1, THREAD));
    g_assert_false(pass_of(s, VEU_EVENT_THREAD, 1, RING + 1, THREAD));
    g_assert_false(pass_of(s, VEU_EVENT_INSTRUCTION, 1, RING + 1, THREAD));
    g_assert_true(step(s));
    report(s, "T05thread:1;");
    session_free(s);
}

static void test_a_step_from_the_end_stops_in_the_next_thread(void)
{
    Session *s = session_stopped();

    resume(s, "s");
    g_assert_false(end(s));
    g_assert_true(pass_of(s, VEU_EVENT_THREAD, 0, RING + 1, THREAD + 1));
    g_assert_cmpuint(veu_gdb_thread(s->gdb)->ring, ==, RING + 1);
    g_assert_cmpuint(veu_gdb_thread(s->gdb)->number, ==, THREAD + 1);
    resume(s, "s");
    g_assert_false(pass_of(s, VEU_EVENT_INSTRUCTION, 1, RING, THREAD));
    session_free(s);
}

/* A thread that has executed its last instruction has none to stop at. */
static void test_there_is_no_stop_after_the_last_instruction(void)
{
    Session *s = session_stopped();

    for (unsigned i = 1; i < INSTRUCTIONS; i++) {
        resume(s, "s");
        g_assert_true(step(s));
        assert_at(s, i);
    }
    resume(s, "s");
    g_assert_false(step(s));
    g_assert_false(end(s));
    g_assert_true(begin(s));
    session_free(s);
}

/* After a reset there is no thread that a step could be of. */
static void test_a_step_without_a_thread_stops_in_any(void)
{
    Session *s = session_stopped();

    veu_gdb_forget(s->gdb);
    resume(s, "s");
    g_assert_true(pass_of(s, VEU_EVENT_THREAD, 0, RING + 1, THREAD + 1));
    session_free(s);
}

static void test_what_continues_does_not_step(void)
{
    static const char *const packets[] = { "c", "C05" };

    for (unsigned i = 0; i < G_N_ELEMENTS(packets); i++) {
        Session *s = session_stopped();

        resume(s, "S05");
        g_assert_true(step(s));
        report(s, "T05thread:1;");
        resume(s, packets[i]);
        g_assert_false(step(s));
        g_assert_false(step(s));
        g_assert_false(end(s));
        g_assert_false(begin(s));
        session_free(s);
    }
}

static void test_a_breakpoint_stops_before_its_instruction(void)
{
    Session *s = session_stopped();

    set_break(s, 'Z', 2);
    resume(s, "c");
    g_assert_false(step(s));
    g_assert_true(step(s));
    assert_at(s, 2);
    report(s, "T05swbreak:;thread:1;");
    resume(s, "s");
    g_assert_true(step(s));
    report(s, "T05thread:1;");
    set_break(s, 'Z', 0);
    resume(s, "c");
    g_assert_true(begin(s));
    report(s, "T05swbreak:;thread:1;");
    set_break(s, 'z', 0);
    set_break(s, 'z', 2);
    resume(s, "c");
    g_assert_false(step(s));
    g_assert_false(step(s));
    session_free(s);
}

/* gdb does not know them, so that the reply does not name them. */
static void test_breakpoints_of_the_host_stop_until_they_are_cleared(void)
{
    Session *s = session_stopped();

    g_assert_true(veu_gdb_break(s->gdb, s->at[1]));
    set_break(s, 'z', 1);
    resume(s, "c");
    g_assert_true(step(s));
    report(s, "T05thread:1;");
    veu_gdb_clear(s->gdb);
    g_assert_false(send_packet(s, "c") && begin(s));
    g_assert_false(step(s));
    session_free(s);
}

static void test_there_are_1000_breakpoints(void)
{
    Session *s = session_stopped();

    for (unsigned i = 0; i <= BREAKS; i++) {
        g_autofree char *set = g_strdup_printf("Z1,%x,1", 2 * i);

        assert_answer(s, set, i < BREAKS ? "OK" : "E01");
        g_assert_true(veu_gdb_break(s->gdb, 2 * i) == (i < BREAKS));
    }
    assert_answer(s, "Z1,0,1", "OK"); /* is set already */
    assert_answer(s, "Z1,2,1", "OK");
    g_assert_true(veu_gdb_break(s->gdb, 0));
    assert_answer(s, "z1,2,1", "OK");
    assert_answer(s, "z1,7d2,1", "OK"); /* was not set */
    assert_answer(s, "Z1,7d0,1", "OK");
    assert_answer(s, "Z1,7d2,1", "E01");
    session_free(s);
}

static void test_a_breakpoint_is_where_an_instruction_begins(void)
{
    Session *s = session_stopped();

    assert_answer(s, "Z0,3,1", "E01");
    assert_answer(s, "z0,3,1", "E01");
    assert_answer(s, "Z0,ffffffff,1", "OK");
    assert_answer(s, "Z0,100000000,1", "E01");
    assert_answer(s, "Z1,2,1", "OK");
    assert_answer(s, "Z5,2,1", "");
    assert_answer(s, "Z/,2,1", "");
    assert_answer(s, "Z0;2,1", "");
    assert_answer(s, "Z0,2,1;", "E01");
    session_free(s);
}

/* --- Faults, interrupts, watchpoints -------------------------------------- */

/* The instruction that faults is still the next one. */
static bool fault(Session *s, enum veu_access access)
{
    s->run.thread.fault = (VeuFault){ .code = VEU_FAULT_ADDRESS,
                                      .access = access };
    return pass_of(s, VEU_EVENT_INSTRUCTION, 0, RING, THREAD);
}

static void test_a_fault_is_a_signal(void)
{
    Session *s = session_stopped();

    set_break(s, 'Z', 1);
    resume(s, "c");
    g_assert_true(step(s));
    report(s, "T05swbreak:;thread:1;");
    resume(s, "c");
    g_assert_true(fault(s, VEU_ACCESS_READ));
    assert_at(s, 1);
    report(s, "T0bthread:1;");
    session_free(s);
}

/* An instruction that waits for a page runs again. */
static void test_a_wait_for_a_page_is_no_fault(void)
{
    Session *s = session_stopped();

    s->mem.asks = true;
    s->mem.miss_count = 1;
    s->mem.miss[0].can_ask = true;
    resume(s, "s");
    g_assert_false(fault(s, VEU_ACCESS_READ));
    g_assert_true(fault(s, 0)); /* not one of memory */
    report(s, "T0bthread:1;");
    resume(s, "s");
    s->mem.miss[0].can_ask = false;
    g_assert_true(fault(s, VEU_ACCESS_READ));
    report(s, "T0bthread:1;");
    session_free(s);
}

/* What a thread begins with is not the fault of the last one. */
static void test_a_thread_that_begins_has_no_fault(void)
{
    Session *s = session_stopped();

    resume(s, "c");
    s->run.thread.fault.code = VEU_FAULT_ADDRESS;
    g_assert_false(pass_of(s, VEU_EVENT_THREAD, 0, RING, THREAD));
    session_free(s);
}

static void test_an_interrupt_stops_at_the_next_instruction(void)
{
    Session *s = session_stopped();

    resume(s, "c");
    g_assert_false(veu_gdb_is_interrupted(s->gdb));
    g_assert_true(receive(s, "+\x03"));
    g_assert_true(receive(s, "+"));
    g_assert_true(veu_gdb_is_interrupted(s->gdb));
    g_assert_true(step(s));
    g_assert_false(veu_gdb_is_interrupted(s->gdb));
    report(s, "T02thread:1;");
    resume(s, "c");
    g_assert_false(step(s));
    session_free(s);
}

static void test_an_interrupt_at_a_breakpoint_is_not_named(void)
{
    Session *s = session_stopped();

    set_break(s, 'Z', 1);
    resume(s, "c");
    g_assert_true(receive(s, "\x03"));
    g_assert_true(step(s));
    report(s, "T05swbreak:;thread:1;");
    session_free(s);
}

/* The instruction that is next reads @address. */
static void hit(Session *s, uint64_t address)
{
    VeuObserver *o = veu_gdb_observer(s->gdb, NULL);
    VeuLaneAccess access = { .address = address,
                             .bytes = 4,
                             .access = VEU_ACCESS_READ };

    o->lane(o, &access, VEU_LANE_MEMORY, NULL);
}

/* A reset of the device ends all threads. */
static void test_a_thread_that_is_forgotten_has_no_reason(void)
{
    Session *s = session_stopped();

    set_break(s, 'Z', 1);
    resume(s, "c");
    g_assert_true(step(s));
    veu_gdb_forget(s->gdb);
    assert_answer(s, "?", "T05thread:1;");
    resume(s, "c");
    g_assert_true(fault(s, VEU_ACCESS_READ));
    veu_gdb_forget(s->gdb);
    assert_answer(s, "?", "T05thread:1;");
    s->run.thread.fault.code = 0;
    assert_answer(s, "Z4,1000,4", "OK");
    resume(s, "c");
    hit(s, 0x1000);
    g_assert_true(step(s));
    veu_gdb_forget(s->gdb);
    assert_answer(s, "?", "T05thread:1;");
    session_free(s);
}

/* As when gdb interrupts a device that executes no instruction. */
static void assert_host_stops(Session *s)
{
    resume(s, "c");
    veu_gdb_stop(s->gdb, VEU_GDB_SIGNAL_INT, 0, 0, 0, NULL);
    report(s, "T02thread:1;");
}

static void test_a_stop_of_the_host_is_none_of_the_last_reason(void)
{
    Session *s = session_stopped();

    set_break(s, 'Z', 1);
    resume(s, "c");
    g_assert_true(step(s));
    assert_host_stops(s);
    assert_answer(s, "Z4,1000,4", "OK");
    resume(s, "c");
    hit(s, 0x1000);
    g_assert_true(step(s));
    assert_host_stops(s);
    session_free(s);
}

static void test_a_watchpoint_stops_after_the_access(void)
{
    Session *s = session_stopped();

    assert_answer(s, "Z4,1000,4", "OK");
    set_break(s, 'Z', 1);
    resume(s, "c");
    hit(s, 0x1002);
    g_assert_true(receive(s, "\x03"));
    g_assert_true(step(s));
    assert_at(s, 1);
    report(s, "T05awatch:1002;thread:1;");
    resume(s, "c");
    g_assert_false(step(s));
    assert_answer(s, "", "");
    session_free(s);
}

static void test_a_watchpoint_is_removed(void)
{
    Session *s = session_stopped();

    assert_answer(s, "Z2,1000,0", "E01");
    assert_answer(s, "Z3,1000,4", "OK");
    assert_answer(s, "z3,1000,4", "OK");
    assert_answer(s, "z3,1000,0", "OK");
    resume(s, "c");
    hit(s, 0x1000);
    g_assert_false(step(s));
    session_free(s);
}

static void test_a_fault_is_reported_before_a_watchpoint(void)
{
    Session *s = session_stopped();

    assert_answer(s, "Z4,1000,4", "OK");
    resume(s, "c");
    hit(s, 0x1000);
    g_assert_true(fault(s, VEU_ACCESS_READ));
    report(s, "T0bthread:1;");
    resume(s, "c");
    s->run.thread.fault.code = 0;
    g_assert_false(step(s)); /* the hit was of what has faulted */
    session_free(s);
}

/* --- Packets -------------------------------------------------------------- */

static void test_memory_is_that_of_the_ring_that_stopped(void)
{
    Session *s = session_stopped();

    s->memory[0x10] = 0xab;
    s->memory[0x11] = 0xcd;
    assert_answer(s, "m1010,2", "abcd");
    g_assert_cmpuint(s->accessed_ring, ==, RING);
    s->accessed_ring = 0;
    assert_answer(s, "M1011,2:1234", "OK");
    g_assert_cmpuint(s->accessed_ring, ==, RING);
    assert_answer(s, "m1010,4", "ab123400");
    assert_answer(s, "mfff,2", "E0e");
    assert_answer(s, "Mfff,1:00", "E0e");
    assert_answer(s, "m1000,0", "E01");
    assert_answer(s, "m1000", "E01");
    assert_answer(s, "m1000,1:", "E01");
    session_free(s);
}

/* gdb asks for the rest of what it reads. */
static void test_an_access_has_16_kib_at_most(void)
{
    Session *s = session_stopped();
    g_autofree char *zeros = g_strnfill(2 * 0x4000, '0');
    g_autofree char *most = g_strdup_printf("M1000,4000:%s", zeros);
    g_autofree char *more = g_strdup_printf("M1000,4001:%s00", zeros);

    assert_answer(s, "m1000,4001", zeros);
    assert_answer(s, "m1000,ffffffffffffffff", zeros);
    assert_answer(s, most, "OK");
    assert_answer(s, more, "E01");
    session_free(s);
}

static void test_a_write_has_the_bytes_that_it_names(void)
{
    static const char *const wrong[] = {
        "M1000,1:",   "M1000,1:0", "M1000,1:0000", "M1000,2:00",
        "M1000,1;00", "M1000:00",  "M1000,1:0x",   "M1000,1:00 ",
    };
    Session *s = session_stopped();

    memset(s->memory, 0x55, 4);
    for (unsigned i = 0; i < G_N_ELEMENTS(wrong); i++) {
        assert_answer(s, wrong[i], "E01");
    }
    assert_answer(s, "M1000,0:", "OK");
    assert_answer(s, "m1000,4", "55555555");
    session_free(s);
}

static void test_registers_have_numbers(void)
{
    Session *s = session_stopped();
    g_autofree char *zeros = g_strnfill(64, '0');

    g_assert_true(send_packet(s, "g"));
    g_assert_cmpuint(s->sent->len, ==,
                     4 + 2 * (16 * 8 + 8 + 15 * 4 + 8 * 10 + 4 + 4 * 4 +
                              16 * 2 + CODE_REGISTER_BYTES));
    g_string_truncate(s->sent, 0);
    assert_answer(s, "p28", "ff000000");
    assert_answer(s, "pbc", zeros); /* 41 + 4 + 16 + 128 = 189 registers */
    assert_answer(s, "pbd", "E01");
    assert_answer(s, "pffffffff", "E01");
    assert_answer(s, "p100000000", "E01");
    assert_answer(s, "pffffffffffffffff", "E01");
    session_free(s);
}

/* The description is longer than what gdb asks for at once. */
static void test_the_description_is_read_in_parts(void)
{
    Session *s = session_stopped();
    VeuGdbLayout layout = { 32, 128, 4, 16 };
    g_autofree char *xml = veu_gdb_description(&layout);
    const size_t bytes = strlen(xml);
    GString *read = g_string_new(NULL);
    char mark = 'm';

    while (mark == 'm') {
        g_autofree char *text = g_strdup_printf(
            "qXfer:features:read:target.xml:%zx,3e8", read->len);

        g_assert_true(send_packet(s, text));
        mark = s->sent->str[1];
        g_assert_cmpint(mark, ==, read->len + 1000 < bytes ? 'm' : 'l');
        g_string_truncate(s->sent, s->sent->len - 3);
        g_string_append(read, s->sent->str + 2);
        g_string_truncate(s->sent, 0);
    }
    g_assert_cmpstr(read->str, ==, xml);
    for (unsigned i = 0; i < 3; i++) {
        g_autofree char *text = g_strdup_printf(
            "qXfer:features:read:target.xml:%zx,1", bytes - 1 + i);

        assert_answer(s, text, i == 0 ? "l>" : i == 1 ? "l" : "E01");
    }
    assert_answer(s, "qXfer:features:read:target.xml:0", "E01");
    assert_answer(s, "qXfer:features:read:target.xml:0,1x", "E01");
    g_string_free(read, TRUE);
    session_free(s);
}

static void test_queries_are_answered(void)
{
    static const char *const pairs[][2] = {
        { "qSupported:multiprocess+;xmlRegisters=i386",
          "PacketSize=40000;swbreak+;qXfer:features:read+" },
        { "qfThreadInfo", "m1" },
        { "qsThreadInfo", "l" },
        { "qC", "QC1" },
        { "qAttached", "1" },
        { "qCRC:0,1", "" },
        { "qAttachedX", "" },
        { "qXfer:libraries:read::0,1", "" },
        { "vMustReplyEmpty", "" },
        { "Hg0", "OK" },
        { "T1", "OK" },
        { "!", "" },
        { "", "" },
        /* "a b" is performed; the reply is "<a b>". */
        { "qRcmd,612062", "3c6120623e" },
        { "qRcmd,", "3c3e" },
        { "qRcmd,6120x", "3c3e" },
    };
    Session *s = session_stopped();

    for (unsigned i = 0; i < G_N_ELEMENTS(pairs); i++) {
        assert_answer(s, pairs[i][0], pairs[i][1]);
        g_assert_cmpuint(s->acknowledged, ==, i + 2);
    }
    session_free(s);
}

/* --- The end -------------------------------------------------------------- */

static void test_nothing_stops_after_gdb_has_left(void)
{
    static const struct {
        const char *packet, *reply;
        unsigned kills;
    } ways[] = { { "D", "OK", 0 }, { "k", "", 1 } };

    for (unsigned i = 0; i < G_N_ELEMENTS(ways); i++) {
        Session *s = session_stopped();

        set_break(s, 'Z', 1);
        g_assert_false(send_packet(s, ways[i].packet));
        assert_sent(s, ways[i].reply);
        g_assert_cmpuint(s->resumes, ==, 1);
        g_assert_cmpuint(s->kills, ==, ways[i].kills);
        g_assert_false(veu_gdb_is_stopped(s->gdb));
        g_assert_false(step(s));
        g_assert_false(fault(s, VEU_ACCESS_READ));
        veu_gdb_exit(s->gdb, 0);
        assert_sent(s, "");
        session_free(s);
    }
}

static void test_a_target_need_not_be_killed(void)
{
    Session *s = session_with(false);

    begin(s);
    veu_gdb_report(s->gdb);
    g_assert_false(send_packet(s, "k"));
    g_assert_cmpuint(s->resumes, ==, 1);
    session_free(s);
}

static void test_the_exit_has_a_status(void)
{
    Session *s = session_stopped();

    resume(s, "c");
    veu_gdb_exit(s->gdb, 0x1a);
    assert_sent(s, "W1a");
    session_free(s);
}

/* Bytes without an end would fill the memory of the host. */
static void test_a_packet_has_256_kib_at_most(void)
{
    Session *s = session_stopped();
    g_autofree char *most = g_strnfill(0x40000 - 1, 'x');

    g_assert_true(receive(s, "$"));
    g_assert_true(receive(s, most));
    g_assert_false(receive(s, "x"));
    session_free(s);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gdb-session/the-first-stop-is-not-reported",
                    test_the_first_stop_is_not_reported);
    g_test_add_func("/gdb-session/packets-wait-for-the-stop",
                    test_packets_wait_for_the_stop);
    g_test_add_func("/gdb-session/a-stop-has-the-place-of-the-thread",
                    test_a_stop_has_the_place_of_the_thread);
    g_test_add_func("/gdb-session/nothing-stops-while-it-is-stopped",
                    test_nothing_stops_while_it_is_stopped);
    g_test_add_func("/gdb-session/a-step-is-one-of-the-same-thread",
                    test_a_step_is_one_of_the_same_thread);
    g_test_add_func("/gdb-session/a-step-from-the-end-stops-in-the-next-thread",
                    test_a_step_from_the_end_stops_in_the_next_thread);
    g_test_add_func("/gdb-session/there-is-no-stop-after-the-last-instruction",
                    test_there_is_no_stop_after_the_last_instruction);
    g_test_add_func("/gdb-session/a-step-without-a-thread-stops-in-any",
                    test_a_step_without_a_thread_stops_in_any);
    g_test_add_func("/gdb-session/what-continues-does-not-step",
                    test_what_continues_does_not_step);
    g_test_add_func("/gdb-session/a-breakpoint-stops-before-its-instruction",
                    test_a_breakpoint_stops_before_its_instruction);
    g_test_add_func(
        "/gdb-session/breakpoints-of-the-host-stop-until-they-are-cleared",
        test_breakpoints_of_the_host_stop_until_they_are_cleared);
    g_test_add_func("/gdb-session/there-are-1000-breakpoints",
                    test_there_are_1000_breakpoints);
    g_test_add_func("/gdb-session/a-breakpoint-is-where-an-instruction-begins",
                    test_a_breakpoint_is_where_an_instruction_begins);
    g_test_add_func("/gdb-session/a-fault-is-a-signal",
                    test_a_fault_is_a_signal);
    g_test_add_func("/gdb-session/a-wait-for-a-page-is-no-fault",
                    test_a_wait_for_a_page_is_no_fault);
    g_test_add_func("/gdb-session/a-thread-that-begins-has-no-fault",
                    test_a_thread_that_begins_has_no_fault);
    g_test_add_func("/gdb-session/an-interrupt-stops-at-the-next-instruction",
                    test_an_interrupt_stops_at_the_next_instruction);
    g_test_add_func("/gdb-session/an-interrupt-at-a-breakpoint-is-not-named",
                    test_an_interrupt_at_a_breakpoint_is_not_named);
    g_test_add_func("/gdb-session/a-thread-that-is-forgotten-has-no-reason",
                    test_a_thread_that_is_forgotten_has_no_reason);
    g_test_add_func(
        "/gdb-session/a-stop-of-the-host-is-none-of-the-last-reason",
        test_a_stop_of_the_host_is_none_of_the_last_reason);
    g_test_add_func("/gdb-session/a-watchpoint-stops-after-the-access",
                    test_a_watchpoint_stops_after_the_access);
    g_test_add_func("/gdb-session/a-watchpoint-is-removed",
                    test_a_watchpoint_is_removed);
    g_test_add_func("/gdb-session/a-fault-is-reported-before-a-watchpoint",
                    test_a_fault_is_reported_before_a_watchpoint);
    g_test_add_func("/gdb-session/memory-is-that-of-the-ring-that-stopped",
                    test_memory_is_that_of_the_ring_that_stopped);
    g_test_add_func("/gdb-session/an-access-has-16-kib-at-most",
                    test_an_access_has_16_kib_at_most);
    g_test_add_func("/gdb-session/a-write-has-the-bytes-that-it-names",
                    test_a_write_has_the_bytes_that_it_names);
    g_test_add_func("/gdb-session/registers-have-numbers",
                    test_registers_have_numbers);
    g_test_add_func("/gdb-session/the-description-is-read-in-parts",
                    test_the_description_is_read_in_parts);
    g_test_add_func("/gdb-session/queries-are-answered",
                    test_queries_are_answered);
    g_test_add_func("/gdb-session/nothing-stops-after-gdb-has-left",
                    test_nothing_stops_after_gdb_has_left);
    g_test_add_func("/gdb-session/a-target-need-not-be-killed",
                    test_a_target_need_not_be_killed);
    g_test_add_func("/gdb-session/the-exit-has-a-status",
                    test_the_exit_has_a_status);
    g_test_add_func("/gdb-session/a-packet-has-256-kib-at-most",
                    test_a_packet_has_256_kib_at_most);
    return g_test_run();
}
