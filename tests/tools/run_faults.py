#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-run: faults: exit status 1, and their description.

Usage: run_faults.py VEU-RUN VEU-SPEC
"""

import struct
import sys

import visa
from runner import main

GATHER = visa.gather_scaled(4, 8, 6, visa.ud(0), 32, 33)
SVM = visa.svm_gather(4, 2, 8, 34, 33)
BUFFER = ["--surface", "base=0x1000,width=64", "--memory", "0x1000:64"]
VARS = ["--simd", 8, "--var", "ud:8", "--var", "ud:16", "--var", "uq:8",
        "--var", "f:32"]


def patched(code, at, byte):
    return code[:at] + bytes([byte]) + code[at + 1:]


def typed(lod=0):
    return visa.scatter4_typed(15, 8, 6, 32, 0, 0, lod, 35)


# the message, further arguments, the fault's name, detail and what it names
MESSAGES = [
    (b"\x01", [], "MESSAGE_OPCODE", 0, None),
    (b"\x4e", [], "MESSAGE_TRUNCATED", 1, "1 bytes are left"),
    (GATHER[:-1], [], "MESSAGE_TRUNCATED", 26, "26 bytes are left"),
    (patched(GATHER, 5, 3), BUFFER, "MESSAGE_FIELD", 5,
     "Num_blocks, at byte 5 of the message"),
    (patched(GATHER, 9, 1), BUFFER, "MESSAGE_FIELD", 9,
     "Offset, at byte 9 of the message"),
    (patched(typed(), 4, 0), BUFFER, "MESSAGE_FIELD", 4,
     "Channels, at byte 4 of the message"),
    (patched(GATHER, 15, 36), BUFFER, "MESSAGE_OPERAND", 15,
     "Element_offset, at byte 15 of the message"),
    (patched(GATHER, 2, 1), BUFFER, "MESSAGE_PREDICATE", 2,
     "Pred, at byte 2 of the message"),
    (patched(GATHER, 1, 0x23), BUFFER, "MESSAGE_LANES", 1,
     "Exec_size, at byte 1 of the message"),
    (GATHER, [], "SURFACE_INDEX", 0, None),
    (GATHER, ["--surface", "type=null"], "SURFACE_KIND", 0, None),
    (patched(GATHER, 8, 3), [], "SURFACE_NOT_MODELLED", 0, None),
    (patched(GATHER, 8, 7), ["--surface", "type=null", "--surface",
                             "base=0x1000,width=64,height=1"],
     "SURFACE_FIELD", 64 + 16, "field height of surface T7"),
    (GATHER, ["--surface", "width=0"], "SURFACE_FIELD", 12,
     "field width of surface T6"),
    # a buffer has none of these: include/veu/surface.h has their places
    *((GATHER, ["--surface", f"base=0x1000,width=64,{field}"], "SURFACE_FIELD",
       at, f"field {field.split('=')[0]} of surface T6")
      for field, at in [("tiling=y", 11), ("depth=5", 20), ("pitch=4", 24),
                        ("qpitch=4", 28), ("min_array_element=2", 32),
                        ("view_extent=2", 36), ("levels=2", 40),
                        ("min_lod=1", 41), ("flags=8", 42), ("halign=3", 44),
                        ("valign=3", 46)]),
    (typed(), ["--surface", "type=1d,format=r32_uint,base=0x1000,width=1",
               "--memory", "0x1000:4", "--strict-types"], "REGISTER_TYPE", 0,
     None),
    (GATHER + GATHER, BUFFER, "COMMAND_FIELD", 16,
     "byte 16 of the command (veu-spec veu_command_message)"),
]


def test_messages(tap, veu):
    for code, args, name, detail, text in MESSAGES:
        result = veu.json("--message", code.hex(), *VARS, *args)
        fault = result["faults"][0]
        tap.equal(f"{name}: {text or detail}",
                  (result["fault_count"], fault["name"], fault["detail"],
                   fault.get("detail_text")), (1, name, detail, text))


def test_lanes(tap, veu):
    """Tests everything that a record contains about lanes and addresses."""
    addresses = [0x1000, 0x1004, 0x2000, 0x1008, 0x103c, 0x1000, 0x1001, 0]
    args = ["--message", SVM.hex(), *VARS, "--memory", "0x1000:64", "--set",
            "V34=" + ",".join(map(str, addresses))]
    result = veu.json(*args)
    fault = result["faults"][0]
    wanted = {"code": 0x50, "name": "ADDRESS", "group": 0, "thread": 0,
              "message_offset": 0, "message": "svm_gather",
              "message_opcode": 0x4e, "lane": 2, "element": 0,
              "address": 0x2000, "bytes": 4, "access": "read",
              "lanes": 0b11010100, "bytes_done": 32, "detail": 0}
    tap.equal("ADDRESS: JSON", {key: fault.get(key) for key in wanted},
              wanted)
    tap.true("ADDRESS: cause, effect, advice",
             all(fault[key] for key in ("cause", "effect", "advice")), fault)
    done = veu.run(*args)
    tap.true("ADDRESS: exit status 1", done.status == 1 and not done.out,
             done)
    lines = done.err.splitlines()
    for line in ("veu-run: fault ADDRESS (0x50)",
                 "  message  svm_gather, at +0x0 of the code",
                 "  thread   0 of group 0",
                 "  lane     2, block 0; all lanes that faulted: 0xd4",
                 "  address  0x2000, read of 4 bytes",
                 "  moved    32 bytes, by the other lanes",
                 "  option   --memory ADDRESS:BYTES makes RAM"):
        tap.true(f"ADDRESS: text: {line.strip()}", line in lines, done)
    tap.equal("ADDRESS: lines have at most 80 columns",
              [line for line in lines if len(line) > 80], [])
    fault = veu.json(*args[:-1], "V34=0x103c*8")["faults"][0]
    tap.equal("ADDRESS: the second block",
              (fault["element"], fault["address"]), (1, 0x1040))
    fault = veu.json(*args[:-1], "V34=0x1001*8")["faults"][0]
    tap.equal("ALIGNMENT", (fault["name"], fault["address"]),
              ("ALIGNMENT", 0x1001))


def test_places(tap, veu):
    """Tests group, EU thread and offset of a message of a program."""
    code = visa.gather_scaled(4, 8, 0, visa.ud(0), 32, 32) + SVM
    program = veu.file("program", visa.program(
        code, [(0, "ud", 8), (32, "ud", 16), (96, "uq", 8)]))
    payloads = b"".join(
        struct.pack("<I60x", 0xff) + bytes(96) +
        struct.pack("<8Q", *[0x1000 if number < 3 else 0x4000] * 8)
        for number in range(4))
    veu.file("payloads", payloads)
    fault = veu.json(program, "--simd", 8, "--threads", 2, "--groups", 2,
                     "--payload", "payloads", "--payload-stride",
                     len(payloads) // 4, "--memory", "0x1000:8")["faults"][0]
    tap.equal("EU thread 1 of group 1, second message",
              (fault["name"], fault["group"], fault["thread"],
               fault["message_offset"], fault["message"]),
              ("ADDRESS", 1, 1, len(GATHER), "svm_gather"))


def test_programs(tap, veu):
    def fault(content, *args):
        program = veu.file("program", content)
        record = veu.json(program, *args)["faults"][0]
        return record["name"], record["detail"]

    good = visa.program(b"", [(0, "ud", 8)])
    tap.equal("PROGRAM_FIELD: magic",
              fault(visa.program(b"", magic=1)), ("PROGRAM_FIELD", 0))
    tap.equal("PROGRAM_FIELD: an illegal program has no variables to show",
              fault(visa.program(b"", registers=1 << 20), "--set", "V32=1",
                    "--show", "V32", "--save", "V33:out"),
              ("PROGRAM_FIELD", 20))
    tap.equal("PROGRAM_FIELD: cut short", fault(good[:-1]),
              ("PROGRAM_FIELD", 8))
    tap.equal("PROGRAM_MESSAGES",
              fault(visa.program(visa.gather(4, 1, 0, visa.ud(0), 0, 0) *
                                 8193, registers=0)),
              ("PROGRAM_MESSAGES", 0))
    tap.equal("MESSAGE_OPCODE after a message",
              fault(visa.program(visa.gather(4, 1, 0, visa.ud(0), 0, 0) +
                                 b"\xff")), ("MESSAGE_OPCODE", 0))
    payload = veu.file("payload", struct.pack("<II56x", 1, 1))
    tap.equal("PAYLOAD_FIELD", fault(good, "--payload", payload),
              ("PAYLOAD_FIELD", 4))
    payload = veu.file("payload", bytes(63))
    tap.equal("COMMAND_FIELD: a short payload",
              fault(good, "--payload", payload), ("COMMAND_FIELD", 64))
    payload = veu.file("payload", bytes(64 + 1024 + 1))
    tap.equal("COMMAND_FIELD: a long payload",
              fault(good, "--payload", payload), ("COMMAND_FIELD", 64))


sys.exit(main(test_messages, test_lanes, test_places, test_programs))
