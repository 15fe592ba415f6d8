#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-run --capture, --replay, --state and --watch.

Usage: run_capture.py VEU-RUN VEU-SPEC DATA

DATA has zebins, as for run_kernels.py. Captures that are made here by hand
follow docs/capture.md; their frames of zstd have blocks that are not
compressed.
"""

import json
import os
import random
import struct
import sys

from runner import main

DATA = os.path.abspath(sys.argv.pop())
SIZES = ["--global", "256", "--local", "64"]
VADD = ["--kernel", os.path.join(DATA, "skl-vadd.zebin"), "vadd",
        "b:1024:randf", "b:1024:randf", "b:1024:0", "i:250", *SIZES]
SCOPE = ["--kernel", os.path.join(DATA, "skl-scope.zebin"), "pgmscope",
         "b:256:0", "b:256:0", "--global", "64", "--local", "32"]
REDUCE = ["--kernel", os.path.join(DATA, "skl-reduce.zebin"), "reduce_slm",
          "b:4096:rand", "b:64:0", "l:512", "--global", "1024", "--local",
          "128"]
PICTURE = ["--kernel", os.path.join(DATA, "tgllp-picture.zebin"), "image_copy",
           "img:16x8:R8G8B8A8_UNORM:rand", "img:20x12:R8G8B8A8_UNORM:0",
           "--global", "20,12", "--local", "20,4"]
CALLS = ["--kernel", os.path.join(DATA, "skl-calls.zebin"), "calls",
         "b:256:idx", "b:1024:randf", "--global", "64", "--local", "32"]
SUM = b"""\
.version 4.1
.kernel "k"
.decl V32 v_type=G type=ud num_elts=8 align=GRF
.decl V33 v_type=G type=ud num_elts=8 align=GRF
.decl V34 v_type=G type=uq num_elts=8 align=GRF
.input V32 offset=0 size=32
.input V34 offset=32 size=64
  add (M1, 8) V33(0,0)<1> V32(0,0)<1;1,0> 0x64:ud
  svm_scatter.4.1 (M1, 8) V34.0 V33.0
  ret (M1, 1)
"""
# lanes with a number below 4 skip a message, which faults
SPLIT = SUM.replace(b"""\
  add (M1, 8) V33(0,0)<1> V32(0,0)<1;1,0> 0x64:ud
""", b"""\
.decl P1 v_type=P num_elts=8
  cmp.lt (M1, 8) P1 V32(0,0)<1;1,0> 0x4:ud
  (P1) goto (M1, 8) skip
""").replace(b"  ret", b"skip:\n  ret")
# include/veu/ring.h: opcode 0, one slot
NOP = bytes([0, 1]) + bytes(62)
NOP_WITH_TIMES = bytes([0, 1, 2, 0]) + bytes(60)  # VEU_COMMAND_TIMES
# gather.1 (M1, 8) T6 0x0:ud V32.0 V33.0
GATHER = bytes.fromhex("39000000" "06" "050000000000" "200000000000"
                       "210000000000")

# --- Captures made by hand ---------------------------------------------------


def frame(content):
    """zstd, RFC 8878: a frame of raw blocks."""
    blocks = [content[at:at + 65536]
              for at in range(0, len(content), 65536)] or [b""]
    out = struct.pack("<IBB", 0xfd2fb528, 0, 0x38)
    for number, block in enumerate(blocks):
        last = number == len(blocks) - 1
        out += struct.pack("<I", len(block) << 3 | last)[:3] + block
    return out


def capture_file(content, version=1, length=None):
    return (b"veu\x1acap\n" +
            struct.pack("<IIQ", version, 0,
                        len(content) if length is None else length) +
            frame(content))


def chunk(kind, data):
    return struct.pack("<IIQ", kind, 0, len(data)) + data + bytes(
        -len(data) % 8)


def launch(command, kernel=b"", **fields):
    values = {"number": 1, "time": 0, "root": 0, "ring": 0, "policy": 0,
              "budget": 0, "type": 0, "options": 0, "handle": 0, "simd": 0,
              "slot": 0}
    values.update(fields)
    return chunk(1, struct.pack("<3Q9I4B64s256s", *values.values(),
                                len(command), 0, 0, 0, 0, kernel, command))


def piece(kind, address, data, permissions=3):
    return chunk(kind, struct.pack("<QII", address, len(data), permissions) +
                 data)


# include/veu/program.h: no messages, no registers
EMPTY = struct.pack("<IHHIHHII8x4I", 0x50554556, 1, 0, 48, 32, 1, 0, 0,
                    1, 48, 0, 0)
# include/veu/ring.h: byte offsets of fields of MESSAGE
CODE_BYTES, SIMD, GRF_BYTES, VARIABLE_COUNT, PREDICATE_COUNT = 16, 20, 21, 22, \
    23
VARIABLES, MESSAGE_BYTES = 128, 192


def dispatch(simd):
    """DISPATCH of EMPTY, from address 0x1000."""
    return struct.pack("<BBHIQIB", 2, 2, 0, 0, 0x1000, len(EMPTY),
                       simd).ljust(128, b"\0")


def state_of(veu):
    return json.loads(veu.run("--state", "c.veucap", "--json").out)


# --- Tests -------------------------------------------------------------------


def test_a_replay_leaves_what_the_launch_left(tap, veu):
    for name, kernel in [("vadd", VADD), ("pgmscope", SCOPE),
                         ("reduce_slm", REDUCE), ("image_copy", PICTURE),
                         ("calls", CALLS)]:
        for more in [], ["--page-table"]:
            done = veu.run(*kernel, *more, "--capture", "c.veucap")
            replay = veu.json("--replay", "c.veucap")["replay"]
            tap.true(f"{name} {more}: the kernel runs as without --capture",
                     done.status == 0 and
                     done.out == veu.run(*kernel, *more).out, done)
            tap.equal(f"{name} {more}: memory and faults are the same",
                      (replay["kernel"], replay["same"],
                       replay["differing_bytes"]), (name, True, 0))


def test_what_the_launch_writes_is_in_the_capture(tap, veu):
    veu.run(*VADD, "--capture", "c.veucap", "--dump", "v")
    state = state_of(veu)
    tap.equal("vadd changes one page, which has its third buffer",
              [(p["bytes"], p["permissions"]) for p in state["after"]],
              [(1024, 2)])
    tap.equal("its two other buffers are read only",
              [p["permissions"] for p in state["before"]
               if p["bytes"] == 1024], [1, 1, 2])


def test_a_program_of_messages(tap, veu):
    veu.file("text", b"DEREHTAG")
    args = ["--simd", 8, "--memory", "0x1000:text", "--message", GATHER.hex(),
            "--var", "ud:8", "--var", "ud:8", "--surface",
            "base=0x1000,width=8", "--set", "V32=7..0", "--show", "V33"]
    done = veu.run(*args, "--capture", "c.veucap")
    tap.true("an inline message is captured", done.status == 0, done)
    done = veu.run("--replay", "c.veucap", "--trace")
    tap.true("and its lanes do the same",
             done.status == 0 and "0:0x1007->47 1:0x1006->41" in done.err,
             done)


def test_windows(tap, veu):
    """The memory of veu-run's ring has a window among those of the launch."""
    # one EU thread of one group
    command = dispatch(8)[:80] + struct.pack("<II", 1, 1) + bytes(40)
    for places, expected in (([0x1000], []), ([0x1000, 1 << 46], []),
                             ([0x2000, 1 << 46], ["PROGRAM_MEMORY"])):
        windows = [struct.pack("<QQII", at, 4096, 1, 0) for at in places]
        veu.file("c.veucap", capture_file(
            launch(command, type=1) + chunk(3, b"".join(windows)) +
            piece(4, 0x1000, EMPTY, 1)))
        found = json.loads(veu.run("--replay", "c.veucap", "--json").out)
        tap.equal(f"windows at {places}: faults {expected}",
                  [fault["name"] for fault in found["faults"]], expected)


def test_faults(tap, veu):
    budget = REDUCE + ["--budget", 40]
    tap.equal("a launch with a fault is captured",
              veu.run(*budget, "--capture", "c.veucap").status, 1)
    replay = veu.run("--replay", "c.veucap")
    tap.true("its replay has the same fault",
             replay.status == 1 and "fault BUDGET" in replay.err and
             "as the captured launch left" in replay.out, replay)
    state = state_of(veu)
    tap.equal("the capture has the EU threads of the group that has begun",
              [(t["group"], t["thread"]) for t in state["threads"]],
              [(0, 0), (0, 1), (0, 2), (0, 3)])
    stores = veu.run(*REDUCE, "--watch", "0x100000000:4096", "--json")
    first = veu.json(*REDUCE, "--trace")["trace"]
    slm = next(m for m in first if m.get("accesses") and
               m["accesses"][0]["place"] == "slm")
    tap.true("local memory is what lanes have stored there",
             state["threads"][0]["slm"].startswith(
                 slm["accesses"][0]["data"]), slm)
    tap.true("the watched buffer is read by each item once",
             stores.out.count('"lane"') == 1024, stores.out[:300])


def test_the_state_where_a_break_would_stop(tap, veu):
    veu.run(*REDUCE, "--budget", 40, "--capture", "c.veucap")
    thread = state_of(veu)["threads"][0]
    stop = veu.json("--replay", "c.veucap", "--break", hex(thread["offset"]))
    tap.true("the state is one of those that --break finds there",
             stop["stopped"] and
             stop["states"][-1]["offset"] == thread["offset"], stop)
    tap.equal("all lanes are at the instruction that is next",
              set(thread["places"]), {thread["offset"]})


def test_variables_of_the_instruction(tap, veu):
    """Of a message that faults: its addresses and its data."""
    veu.file("sum.visaasm", SUM)
    veu.run("sum.visaasm", "--simd", "8", "--set", "V32=7..0", "--set",
            "V34=0x7f0012345678*8", "--capture", "c.veucap")
    thread = state_of(veu)["threads"][0]
    named = {row["variable"]: row for row in thread["variables"]}
    tap.equal("--state has the values of the variables that it names",
              {name: (row["type"], row["values"])
               for name, row in named.items()},
              {"V33": ("UD", [107, 106, 105, 104, 103, 102, 101, 100]),
               "V34": ("UQ", [0x7f0012345678] * 8)})
    text = veu.run("--state", "c.veucap").out
    tap.true("... also as text", "V33 UD[8] 0:107 1:106 2:105 3:104 4:103 "
             "5:102 6:101 7:100\n" in text, text)
    tap.true("... with addresses in hexadecimal",
             "V34 UQ[8] 0:0x7f0012345678 1:0x7f0012345678 " in text, text)


def test_lanes_that_wait(tap, veu):
    veu.file("split.visaasm", SPLIT)
    veu.run("split.visaasm", "--simd", "8", "--set", "V32=7..0", "--set",
            "V34=0x7f0012345678*8", "--capture", "c.veucap")
    places = state_of(veu)["threads"][0]["places"]
    text = veu.run("--state", "c.veucap").out
    tap.true("lanes of two places", len(set(places[4:8])) == 1 and
             places[4] > places[0], places)
    tap.true("--state tells where lanes wait",
             f"\nlanes 0xf0 wait at +0x{places[4]:x}\n" in text, text)


def test_local_memory_as_text(tap, veu):
    veu.run(*REDUCE, "--budget", 40, "--capture", "c.veucap")
    slm = bytes.fromhex(state_of(veu)["threads"][0]["slm"])
    text = veu.run("--state", "c.veucap").out
    rows = [(at, slm[at:at + 32]) for at in range(0, len(slm), 32)]
    lines = [f"slm+0x{at:04x}" + "".join(
        f" {dword:08x}" for dword in struct.unpack(f"<{len(row) // 4}I", row))
             for at, row in rows if any(row)]
    tap.true("there are several lines of local memory", len(lines) > 1, lines)
    tap.equal("--state prints those that are not 0",
              [line for line in text.splitlines()
               if line.startswith("slm+")][:len(lines)], lines)


def test_local_memory_is_watched(tap, veu):
    """As the trace of all messages has it."""
    rows = [(message["thread"], message["message_offset"], access)
            for message in veu.json(*REDUCE, "--trace")["trace"]
            for access in message.get("accesses", [])
            if access["place"] == "slm" and
            access["address"] <= 0x107 and
            access["address"] + len(access["data"]) // 2 > 0x102]
    found = [(message["thread"], message["message_offset"], access)
             for message in veu.json(*REDUCE, "--watch",
                                     "slm+0x102:6")["trace"]
             for access in message["accesses"]]
    tap.true("several messages access them", len({row[1] for row in rows}) > 1,
             rows)
    tap.equal("--watch slm+OFFSET prints the accesses to its bytes", found,
              rows)
    for text in ["", "slm", "slm+", "slm+x", "slm+4:0", "SLM+4"]:
        done = veu.run(*REDUCE, "--watch", text)
        tap.true(f"--watch {text} is refused",
                 done.status == 2 and "slm+OFFSET" in done.err, done)


def test_rules(tap, veu):
    for rules, captured in [("launch=1", True), ("launch=2", False),
                            ("launch=2..3; tag=0", True), ("tag=5", False),
                            ("fault=any", False), ("kernel=vadd", True),
                            ("kernel=other", False), ("ring=0", True),
                            ("program=0x1", False)]:
        done = veu.run(*VADD, "--capture", "r.veucap", "--capture-rules",
                       rules)
        tap.equal(f"{rules}: captured: {captured}", done.status == 0, captured)
    budget = VADD + ["--budget", 20, "--capture", "r.veucap",
                     "--capture-rules"]
    for rules, captured in [("fault=any", True), ("fault=BUDGET", True),
                            ("fault=ADDRESS", False), ("offset=0x40", False)]:
        done = veu.run(*budget, rules)
        tap.equal(f"{rules} of a launch over its budget",
                  "no launch was captured" not in done.err, captured)
    for rules in ["", "fault", "fault=NO", "launch=0", "launch=3..1", "x=1",
                  ";", "tag=-1", "kernel=", "offset=0x", "launch=1;"]:
        done = veu.run(*VADD, "--capture", "r.veucap", "--capture-rules",
                       rules)
        tap.true(f"'{rules}' is refused with a hint",
                 done.status == 2 and "write" in done.err, done)


def test_errors(tap, veu):
    content = launch(NOP)
    for name, data, words in [
            ("an empty file", b"", "not a veu capture"),
            ("another file", b"ELF" * 20, "not a veu capture"),
            ("a newer version", capture_file(content, version=2),
             "version 2"),
            ("too much", capture_file(content, length=1 << 40), "512M"),
            ("a wrong length", capture_file(content, length=5), "longer"),
            ("a longer length", capture_file(content, length=5000),
             "shorter"),
            ("a cut file", capture_file(content)[:-9], "cut off"),
            ("a damaged frame", capture_file(content)[:30] + b"\xff" * 90,
             "damaged"),
            ("no launch", capture_file(b""), "no launch"),
            ("two launches", capture_file(content * 2), "launch"),
            ("a launch with bytes after it",
             capture_file(chunk(1, content[16:] + bytes(8))),
             "launch is damaged"),
            ("an unknown chunk", capture_file(content + chunk(77, b"")),
             "kind 77"),
            ("a chunk that is longer than the content",
             capture_file(content + struct.pack("<IIQ", 4, 0, 16) + bytes(8)),
             "chunk that is cut off"),
            ("a part of a chunk's header",
             capture_file(content + struct.pack("<II", 4, 0)),
             "damaged chunk"),
            ("a chunk with reserved bits",
             capture_file(content + struct.pack("<IIQ", 4, 1, 0)),
             "damaged chunk"),
            ("memory across a page",
             capture_file(content + piece(4, 0xfff, b"ab")), "memory"),
            ("a fault of no name",
             capture_file(content + chunk(6, b"\xff" * 64)), "fault records"),
            ("memory twice",
             capture_file(content + piece(4, 0x1000, b"ab") * 2), "memory")]:
        veu.file("bad.veucap", data)
        for option in "--replay", "--state":
            done = veu.run(option, "bad.veucap")
            tap.true(f"{option} of {name}: a sentence",
                     done.status == 2 and words in done.err and
                     len(done.err.splitlines()) == 1, done)


def content_of(veu, *args):
    """Returns a capture's chunks, from what --state prints."""
    veu.run(*args, "--capture", "c.veucap")
    state = state_of(veu)
    return state, bytes.fromhex(state["command_bytes"])


def test_a_capture_made_by_hand(tap, veu):
    """A NOP is not a launch; a KERNEL without memory faults."""
    _, command = content_of(veu, *VADD)
    veu.file("hand.veucap", capture_file(launch(command, handle=1, simd=32)))
    done = veu.run("--replay", "hand.veucap")
    tap.true("a kernel without its program faults, and that is reported",
             done.status == 2 and "fault PROGRAM_HANDLE" in done.err and
             "faults differ" in done.out, done)
    veu.file("hand.veucap", capture_file(launch(NOP)))
    done = veu.run("--replay", "hand.veucap")
    tap.true("a NOP does nothing", done.status == 0, done)
    veu.file("hand.veucap", capture_file(launch(NOP_WITH_TIMES)))
    done = veu.run("--replay", "hand.veucap")
    tap.true("a replay has no array for the times of a command",
             done.status == 0 and not done.err, done)


def test_names_do_not_command_the_terminal(tap, veu):
    files = chunk(9, b"a\x1b]0;b\x07\xc2\x9bc.cl\0")
    veu.file("hand.veucap",
             capture_file(launch(dispatch(8), b"k\x1b[2J\n", type=0, simd=8) +
                          chunk(2, EMPTY) +
                          chunk(8, struct.pack("<3I", 0, 7, 0)) + files))
    for more in [], ["--json"]:
        done = veu.run("--state", "hand.veucap", *more)
        tap.true(f"{more}: control characters of names are replaced",
                 done.status == 0 and "\x1b" not in done.out + done.err and
                 "\x9b" not in done.out + done.err, done)
    done = veu.run("--state", "hand.veucap")
    tap.true("the kernel's name", "kernel k?[2J?, ring" in done.out, done)


def test_the_hash_is_that_of_the_rules(tap, veu):
    done = veu.run(*VADD, "--capture", "c.veucap")
    digest = state_of(veu)["program_hash"]
    tap.true("--state prints it",
             digest in veu.run("--state", "c.veucap").out, digest)
    for value, status in (digest, 0), ("0x1", 2):
        done = veu.run(*VADD, "--capture", "c.veucap", "--capture-rules",
                       f"program={value}")
        tap.equal(f"program={value}", done.status, status)


def test_memory_that_differs_is_reported(tap, veu):
    content = (launch(NOP) + piece(4, 0x1000, b"before") +
               piece(5, 0x1000, b"beFORe"))
    veu.file("hand.veucap", capture_file(content))
    done = veu.run("--replay", "hand.veucap")
    tap.true("three bytes differ, from 0x1002 on",
             done.status == 2 and "3 bytes of memory differ" in done.out and
             "the first at 0x1002" in done.out and
             "could wait for pages" not in done.out, done)
    veu.file("hand.veucap", capture_file(
        content.replace(launch(NOP), launch(NOP, type=3, options=1))))
    done = veu.run("--replay", "hand.veucap")
    tap.true("with requests, there is a reason that is no defect",
             done.status == 2 and "could wait for pages" in done.out, done)


def test_pages_that_moved_are_reported(tap, veu):
    """Byte 63 of the launch, after a chunk's header of 16 bytes."""
    for moved in 0, 1:
        content = bytearray(launch(NOP))
        content[16 + 63] = moved
        veu.file("hand.veucap", capture_file(bytes(content)))
        done = veu.run("--replay", "hand.veucap")
        tap.equal("pages that moved are reported before the result",
                  (done.status, "took away pages" in done.out.split("\n")[0]),
                  (0, bool(moved)))
        replay = veu.json("--replay", "hand.veucap")["replay"]
        tap.equal("... and in JSON", replay["pages_moved"], bool(moved))


def test_faults_are_counted(tap, veu):
    """DISPATCH for 7 lanes faults once: COMMAND_FIELD, with detail 20."""
    record = struct.pack("<HHIIBBBB3IBBHQ4IQ", 0x11, 0, 0, 0, 2, 0, 0xff, 0xff,
                         *[0xffffffff] * 3, 0, 0, 0, 0, 0, 0, 0, SIMD, 0)
    for count, status, words in [(1, 1, "as the captured launch left"),
                                 (3, 2, "faults differ"),
                                 (0, 2, "faults differ")]:
        veu.file("hand.veucap", capture_file(launch(dispatch(7)) +
                                             chunk(6, record * count)))
        done = veu.run("--replay", "hand.veucap")
        tap.true(f"{count} captured faults, and one in the replay",
                 done.status == status and words in done.out, done)


def test_illegal_messages_have_no_program(tap, veu):
    """The device reports the field; veu-run does not read the program."""
    args = ["--simd", 8, "--message", GATHER.hex(), "--var", "ud:8", "--var",
            "ud:8", "--surface", "base=0x1000,width=8"]
    _, command = content_of(veu, *args)
    # The bytes of the message could be a ninth variable.
    command = (command[:VARIABLES] + command[VARIABLES:VARIABLES + 8] * 8 +
               command[MESSAGE_BYTES:])
    for at, value in [(CODE_BYTES, 0), (CODE_BYTES, 65), (SIMD, 0), (SIMD, 7),
                      (SIMD, 64), (GRF_BYTES, 0), (GRF_BYTES, 33),
                      (VARIABLE_COUNT, 9), (PREDICATE_COUNT, 9)]:
        made = bytearray(command)
        made[at] = value
        veu.file("hand.veucap", capture_file(launch(bytes(made))))
        done = veu.run("--replay", "hand.veucap", "--break", 0)
        tap.true(f"byte {at} of MESSAGE is {value}",
                 "fault COMMAND_FIELD" in done.err and
                 f"byte {at} of the command" in done.err, done)
    made[VARIABLE_COUNT] = 255
    veu.file("hand.veucap", capture_file(launch(bytes(made))))
    tap.equal("--state of 255 variables",
              veu.run("--state", "hand.veucap").status, 0)


def test_illegal_lanes_have_no_program(tap, veu):
    veu.file("hand.veucap", capture_file(launch(dispatch(8)) +
                                         chunk(2, EMPTY)))
    done = veu.run("--replay", "hand.veucap", "--break", 0)
    tap.true("a program of no messages is legal",
             "has messages only" in done.err, done)
    for simd in 0, 7, 64:
        veu.file("hand.veucap", capture_file(launch(dispatch(simd)) +
                                             chunk(2, EMPTY)))
        done = veu.run("--replay", "hand.veucap", "--break", 0)
        tap.true(f"a program for {simd} lanes is not",
                 f"byte {SIMD} of the command" in done.err, done)


def test_registers_without_a_program(tap, veu):
    """An EU thread with two registers of 32 bytes."""
    thread = struct.pack("<10I", 0, 0, 0, 0xffffffff, 0, 64, 0, 0, 0, 0)
    thread += bytes(32 * 4 + 64 * 8) + struct.pack("<16I", *range(1, 17))
    veu.file("hand.veucap", capture_file(launch(NOP) + chunk(7, thread)))
    done = veu.run("--state", "hand.veucap")
    rows = [line.split()[:2] for line in done.out.splitlines()
            if line.startswith("r") and line[1].isdigit()]
    tap.equal("the registers are shown by 32 bytes", rows,
              [["r0", "00000001"], ["r1", "00000009"]])


def pieces(before, after):
    """Returns pieces of one byte, each in a page of its own."""
    return b"".join(piece(kind, page << 12, b"x")
                    for kind, count in ((4, before), (5, after))
                    for page in range(count))


def test_the_most_that_a_capture_has(tap, veu):
    name = chunk(9, b"\0")
    record = struct.pack("<H62x", 0x11)
    for what, most, more, words in [
            ("65,536 pieces", pieces(65536, 0), pieces(65537, 0),
             "65536 pieces"),
            ("pieces before and after", pieces(32768, 32768),
             pieces(32768, 32769), "65536 pieces"),
            ("4,096 names", chunk(9, bytes(4096)), chunk(9, bytes(4097)),
             "4096 file names"),
            ("1,000,000 places", chunk(8, bytes(12000000)) + name,
             chunk(8, bytes(12000012)) + name, "source lines"),
            ("256 faults", chunk(6, record * 256), chunk(6, record * 257),
             "fault records")]:
        veu.file("hand.veucap", capture_file(launch(NOP) + most))
        done = veu.run("--state", "hand.veucap")
        tap.true(f"{what} are taken", done.status == 0, done.err)
        veu.file("hand.veucap", capture_file(launch(NOP) + more))
        done = veu.run("--state", "hand.veucap")
        tap.true(f"{what} and one more are refused",
                 done.status == 2 and words in done.err, done.err)


def test_hostile_captures(tap, veu):
    rng = random.Random(25)
    veu.run(*REDUCE, "--budget", 40, "--capture", "c.veucap")
    good = veu.read("c.veucap")
    _, command = content_of(veu, *VADD)
    bad = []
    for number in range(30):
        damaged = bytearray(good)
        for _ in range(rng.randrange(1, 5)):
            damaged[rng.randrange(24, len(damaged))] = rng.randrange(256)
        made = bytearray(command)
        for _ in range(rng.randrange(0, 4)):
            made[rng.randrange(4, len(made))] = rng.randrange(256)
        content = launch(bytes(made), type=rng.randrange(4),
                         root=rng.randrange(4) << 12, handle=1, simd=32,
                         budget=2000, options=rng.randrange(4))
        for page in range(rng.randrange(4)):
            content += piece(4, page << 12, rng.randbytes(4096),
                             rng.randrange(1, 4))
        for data in bytes(damaged), capture_file(content):
            veu.file("bad.veucap", data)
            for option in "--replay", "--state":
                done = veu.run(option, "bad.veucap")
                if done.status not in (0, 1, 2):
                    bad.append((number, option, done))
    tap.true("damaged captures are refused or run, and do no harm", not bad,
             bad[:1])


sys.exit(main(*[test for name, test in list(globals().items())
                if name.startswith("test_")]))
