#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-run --gdb: packets of gdb's remote protocol, and gdb itself.

Usage: run_gdb.py VEU-RUN VEU-SPEC DATA

DATA has skl-lines.zebin: tests/kernels/src/vadd.cl, which ocloc has compiled as
skl-lines.cl with -g."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time

from runner import main

DATA = os.path.abspath(sys.argv.pop())

SOURCE = b"""\
.version 4.1
.kernel "k"
.decl V32 v_type=G type=ud num_elts=8 align=GRF
.decl V33 v_type=G type=ud num_elts=8 align=GRF
.decl P1 v_type=P num_elts=8
.decl T6 v_type=T num_elts=1
.input V32 offset=0 size=32
again:
  add (M1, 8) V33(0,0)<1> V32(0,0)<1;1,0> 0x64:ud
  cmp.ne (M1, 8) P1 V32(0,0)<1;1,0> 0x0:ud
  (P1) add (M1, 8) V32(0,0)<1> V32(0,0)<1;1,0> -1:d
  (P1) goto (M1, 8) again
  movs (M1_NM, 1) T6(0) 0x0:ud
  shl (M1, 8) V32(0,0)<1> V33(0,0)<1;1,0> 0x2:ud
  scatter4_scaled.R (M1, 8) T6 0x0:ud V32.0 V33.0
  ret (M1, 1)
"""
RUN = ["k.visaasm", "--simd", "8", "--set", "V32=2,2,2,2,2,2,2,2", "--memory",
       "0x1000:4096", "--surface", "base=0x1000,width=4096", "--set",
       "P1=0x5", "--gdb", "0"]
# Eight lanes, 16 bytes apart, at 0x1000 and 0x1100.
ACCESSES = b"""\
.version 4.1
.kernel "k"
.decl V32 v_type=G type=ud num_elts=8 align=GRF
.decl V33 v_type=G type=ud num_elts=16 align=GRF
.decl T6 v_type=T num_elts=1
.input V32 offset=0 size=32
  movs (M1_NM, 1) T6(0) 0x0:ud
  gather4_scaled.R (M1, 8) T6 0x0:ud V32.0 V33.0
  scatter4_scaled.RB (M1, 8) T6 0x100:ud V32.0 V33.0
  dword_atomic.add (M1, 8) T6 V32.0 V32.0 %null.0 V33.0
  ret (M1, 1)
"""
ACCESS = ["k.visaasm", "--simd", "8", "--set",
          "V32=0,16,32,48,64,80,96,112", "--memory", "0x1000:4096",
          "--surface", "base=0x1000,width=4096", "--gdb", "0"]
# All lanes remain in the loop.
ENDLESS = SOURCE.replace(b"(P1) add", b"(!P1) add")
LINES = ["--kernel", os.path.join(DATA, "skl-lines.zebin"), "vadd",
         "b:1024:randf", "b:1024:randf", "b:1024:0", "i:250", "--global",
         "256", "--local", "64", "--gdb", "0"]
PORT = re.compile(r"target remote :(\d+)")


class Target:
    """veu-run, which waits for gdb."""

    def __init__(self, veu, *args, source=SOURCE):
        veu.file("k.visaasm", source)
        self.process = subprocess.Popen(
            [veu.tool, *(args or RUN)], cwd=veu.folder, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.port = int(PORT.search(self.process.stderr.readline())[1])

    def end(self):
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out + err


class Client:
    """Packets without gdb."""

    def __init__(self, target):
        self.socket = socket.create_connection(("127.0.0.1", target.port), 60)
        self.file = self.socket.makefile("rwb")

    def receive(self):
        while self.file.read(1) != b"$":
            pass
        text = b""
        while not text.endswith(b"#"):
            text += self.file.read(1)
        assert int(self.file.read(2), 16) == sum(text[:-1]) % 256, text
        return text[:-1].decode()

    def send(self, text):
        self.file.write(b"$%s#%02x" % (text.encode(),
                                       sum(text.encode()) % 256))
        self.file.flush()

    def ask(self, text):
        self.send(text)
        return self.receive()

    def monitor(self, command):
        return bytes.fromhex(self.ask("qRcmd," + command.encode().hex())
                             ).decode()

    def register(self, number):
        return int.from_bytes(bytes.fromhex(self.ask(f"p{number:x}")),
                              "little")

    def dwords(self, number):
        data = bytes.fromhex(self.ask(f"p{number:x}"))
        return [int.from_bytes(data[i:i + 4], "little")
                for i in range(0, len(data), 4)]


RIP, LANES, P1, G0, G1 = 16, 40, 41, 42, 43


def test_packets(tap, veu):
    trace = veu.file("k.visaasm", SOURCE) and veu.run(
        *RUN[:-2], "--trace").err
    places = [int(at, 16) for at in re.findall(r"^thread 0 \+(\w+)", trace,
                                               re.M)]
    target = Target(veu)
    gdb = Client(target)
    tap.true("features", "qXfer:features:read+" in gdb.ask("qSupported:a+"))
    xml = gdb.ask("qXfer:features:read:target.xml:0,3fff")
    tap.equal("registers of the description",
              re.findall(r'<reg name="([pag]\d+)" bitsize="(\d+)"', xml),
              [("p1", "32"), ("g0", "256"), ("g1", "256")])
    tap.equal("nothing is past its end",
              [gdb.ask(f"qXfer:features:read:target.xml:{len(xml) + n:x},10")
               for n in (-1, 0)], ["l", "E01"])
    tap.equal("it stops before the first instruction", gdb.ask("?"),
              "T05thread:1;")
    tap.equal("threads", (gdb.ask("qfThreadInfo"), gdb.ask("qsThreadInfo"),
                          gdb.ask("qC")), ("m1", "l", "QC1"))
    tap.equal("the initial registers",
              (gdb.register(RIP), gdb.register(LANES), gdb.register(P1),
               gdb.dwords(G0), gdb.dwords(G1)),
              (places[0], 0xff, 5, [2] * 8, [0] * 8))
    seen = [gdb.register(RIP)]
    while len(seen) < len(places) and gdb.ask("s").startswith("T05"):
        seen.append(gdb.register(RIP))
    tap.equal("steps go where the trace does", seen, places)
    tap.equal("the end", (gdb.ask("c"), target.end()[0]), ("W00", 0))


def test_breaks_and_memory(tap, veu):
    target = Target(veu)
    gdb = Client(target)
    lines = gdb.monitor("where")
    tap.true("monitor where names the instruction and its variables",
             lines.startswith("thread 0 +0x0 label L0 0xff"), lines)
    store = [at for at in range(200) if gdb.ask(f"Z0,{at:x},1") == "OK"][-2]
    for at in range(200):
        if at != store:
            gdb.ask(f"z0,{at:x},1")
    tap.equal("no breakpoint is set inside of an instruction",
              gdb.ask(f"Z0,{store + 1:x},1"), "E01")
    tap.equal("it stops at a breakpoint",
              (gdb.ask("c"), gdb.register(RIP)),
              ("T05swbreak:;thread:1;", store))
    lines = gdb.monitor("where")
    tap.true("... whose variables have values",
             "V33 UD[8] 0:100 1:100" in lines, lines)
    tap.equal("memory is written and read",
              (gdb.ask("M1190,4:11223344"), gdb.ask("m1190,4")),
              ("OK", "11223344"))
    tap.equal("there is no memory elsewhere", gdb.ask("m5000,4"), "E0e")
    for text in ["m1000,0", "m1000,4 ", "m1000,-4", "m 1000,4", "m0x1000,4",
                 "m1000,4:", "m,4", "m1000,", "m00000000000001000,4",
                 f"Z0,{store:x},1x", "Z0,,1", "Z1, 0,1"]:
        tap.equal(f"{text!r} is an error", gdb.ask(text), "E01")
    gdb.ask("s")
    tap.equal("the message has stored", gdb.ask("m1190,4"), "64000000")
    tap.equal("detached, it runs to its end",
              (gdb.ask("D"), target.end()[0]), ("OK", 0))


def test_odd_packets(tap, veu):
    """Of a client that is no gdb."""
    target = Target(veu)
    gdb = Client(target)
    for text in ["", "m", "m1", "m1000,ffffffffff", "M1000,4:11", "Z0,",
                 "Z2,1000,4", "Zx", "p9999", "qRcmd,6", "qRcmd,zz",
                 "qXfer:features:read:target.xml:fffff,10", "vMustReply",
                 "M1000,2:zzqq", "pffffffffffffffff", "G00", "H", "\x03"]:
        answer = gdb.ask(text)
        tap.true(f"{text!r} is answered", answer in ("", "OK", "E01", "E0e") or
                 text.startswith("qRcmd"), answer)
    gdb.send("k")
    status, text = target.end()
    tap.true("killed, it ends", status == 0, text)
    for packets in [b"", b"$?#3f$g#67"]:
        target = Target(veu)
        gdb = Client(target)
        gdb.file.write(packets)
        gdb.file.flush()
        gdb.file.close()
        gdb.socket.close()
        tap.equal("a connection that breaks leaves it to itself",
                  target.end()[0], 0)


def test_a_fault(tap, veu):
    target = Target(veu, *["base=0x9000,width=4096" if a.startswith("base")
                           else a for a in RUN])
    gdb = Client(target)
    tap.equal("a fault stops the run", gdb.ask("c"), "T0bthread:1;")
    tap.equal("gdb continues with the signal", gdb.ask("C0b"), "W01")
    tap.equal("the run has ended with the fault", target.end()[0], 1)


def test_a_fault_of_a_replay(tap, veu):
    """gdb accesses memory before the fault is recorded."""
    veu.file("k.visaasm", SOURCE)
    veu.run(*["base=0x9000,width=4096" if a.startswith("base") else a
              for a in RUN[:-2]], "--page-table", "--capture", "c.veucap")
    for packets in ([], ["m1000,4"], ["m9000,4"], ["M1000,4:11223344"],
                    ["M9000,4:11223344"]):
        target = Target(veu, "--replay", "c.veucap", "--gdb", "0")
        gdb = Client(target)
        gdb.ask("c")
        for packet in packets:
            answer = gdb.ask(packet)
            tap.true(f"{packet}: memory is accessed",
                     answer not in ("", "E01"), answer)
        reply = gdb.ask("C0b")
        status, text = target.end()
        tap.true(f"{packets}: the replay has the fault of the capture",
                 (reply, status) == ("W01", 1) and "NOT_VALID" in text and
                 "as the captured launch left" in text, (reply, text))


def test_delays(tap, veu):
    """The system waits before it sends a reply, or confirms one, if it may."""
    target = Target(veu)
    gdb = Client(target)
    times = []
    for _ in range(60):
        begin = time.monotonic()
        gdb.ask("?")
        times.append(time.monotonic() - begin)
    gdb.send("k")
    target.end()
    median = sorted(times[20:])[20]
    tap.true("a reply comes at once", median < 0.03, median)


def run_watched(veu, packets, *args):
    """The stops, as replies and offsets, and the output."""
    target = Target(veu, *ACCESS, *args, source=ACCESSES)
    gdb = Client(target)
    for packet in packets:
        assert gdb.ask(packet) == "OK", packet
    stops = []
    while (reply := gdb.ask("c")).startswith("T05"):
        stops.append((reply, gdb.register(RIP)))
    return stops, target.end()[1]


def test_watchpoints(tap, veu):
    veu.file("k.visaasm", ACCESSES)
    _, gather, scatter, atomic, end = [
        int(at, 16) for at in re.findall(
            r"^thread 0 \+(\w+)", veu.run(*ACCESS[:-2], "--trace").err, re.M)]
    for packets, stops in [
            (["Z2,1010,4"], [("watch:1010", end)]),
            (["Z3,1010,4"], [("rwatch:1010", scatter),
                             ("rwatch:1010", end)]),
            (["Z4,1010,4"], [("awatch:1010", scatter),
                             ("awatch:1010", end)]),
            (["Z2,1012,8"], [("watch:1012", end)]),
            (["Z2,1013,1"], [("watch:1013", end)]),
            (["Z2,1004,d"], [("watch:1010", end)]),
            (["Z2,1014,c"], []),
            (["Z3,1100,80"], []),
            (["Z2,10ff,2"], [("watch:1100", atomic)]),
            (["Z4,1108,1"], [("awatch:1108", atomic)]),
            # Channel G is not written.
            (["Z2,1104,4"], []),
            (["Z2,0,ffffffffffffffff"], [("watch:1100", atomic),
                                         ("watch:1000", end)]),
            (["Z2,1010,4", "Z3,1010,4", "z2,1010,4", "z3,1010,8",
              "z3,1014,4", "z4,1010,4"],
             [("rwatch:1010", scatter), ("rwatch:1010", end)]),
            (["Z2,1010,4", "Z2,1010,4", "z2,1010,4"], []),
            # A breakpoint, where gdb is told of the watchpoint
            (["Z2,1010,4", f"Z0,{end:x},1"], [("watch:1010", end)])]:
        tap.equal(f"{packets}", run_watched(veu, packets)[0],
                  [(f"T05{text};thread:1;", at) for text, at in stops])
    stops, text = run_watched(veu, ["Z3,1010,4"], "--trace")
    tap.true("--trace prints the lanes that stop it",
             len(stops) == 2 and f"+{gather:#x} gather4" in text and
             "1:0x1010->00000000" in text, (stops, text))
    target = Target(veu, *[a.replace(":4096", ":320") for a in ACCESS],
                    source=ACCESSES)
    gdb = Client(target)
    gdb.ask("Z2,1100,4")
    tap.equal("a fault is reported first",
              (gdb.ask("c"), gdb.register(RIP)), ("T0bthread:1;", scatter))
    gdb.send("k")
    target.end()


def test_odd_watchpoints(tap, veu):
    target = Target(veu)
    gdb = Client(target)
    for text, answer in [("Z2,fffffffffffffff0,10", "OK"),
                         ("Z2,fffffffffffffff0,11", "E01"),
                         ("Z2,2,ffffffffffffffff", "E01"),
                         ("Z2,1000,0", "E01"), ("Z3,1000,", "E01"),
                         ("Z4,1000", "E01"), ("Z4,1000,4,4", "E01"),
                         ("Z3,-1,4", "E01"), ("Z5,1000,4", ""),
                         ("Z2", ""), ("z4,1000,4", "OK"),
                         ("z4,1000,", "E01")]:
        tap.equal(f"{text!r}", gdb.ask(text), answer)
    set_ones = [gdb.ask(f"Z2,{at:x},1") for at in range(64)]
    tap.equal("there are 64 watchpoints", set_ones, 63 * ["OK"] + ["E01"])
    tap.equal("... each of them once", gdb.ask("Z2,3e,1"), "OK")
    tap.equal("... and a new one after one is removed",
              (gdb.ask("z2,0,1"), gdb.ask("Z2,3f,1")), ("OK", "OK"))
    gdb.send("k")
    target.end()


def test_interrupts(tap, veu):
    target = Target(veu, source=ENDLESS)
    gdb = Client(target)
    gdb.ask("?")
    gdb.send("c")
    gdb.file.write(b"+\x03")
    gdb.file.flush()
    tap.equal("Ctrl-C stops a run that proceeds", gdb.receive(),
              "T02thread:1;")
    tap.equal("... in the loop", (gdb.register(LANES), gdb.dwords(G0)),
              (0xff, [2] * 8))
    gdb.send("c")
    gdb.file.write(b"\x03")
    gdb.file.flush()
    tap.equal("... and once more", gdb.receive(), "T02thread:1;")
    gdb.send("k")
    tap.equal("killed, it ends", target.end()[0], 0)


def test_lines(tap, veu):
    """256 work-items are 8 EU threads of 32 lanes."""
    target = Target(veu, *LINES)
    gdb = Client(target)
    lines = gdb.monitor("lines")
    tap.equal("each line of the source is printed once",
              re.findall(r"^\*\w+ \S+/skl-lines.cl:(\d+)$", lines, re.M),
              ["5", "6", "7", "8"])
    at, = re.findall(r"^\*(\w+) \S+/skl-lines.cl:6$", lines, re.M)
    tap.equal("a breakpoint at a line", gdb.monitor("break skl-lines.cl:6"),
              f"stops at *{at}\n")
    for text in ["break skl-lines.cl:4", "break lines.cl:6", "break :6",
                 "break skl-lines.cl:0x100000006"]:
        tap.true(f"{text}: there is no such line",
                 "no instruction" in gdb.monitor(text))
    for text in ["break skl-lines.cl", "break 6", "break skl-lines.cl:x"]:
        tap.true(f"{text} is not one", gdb.monitor(text).startswith("write"))
    stops = []
    while (reply := gdb.ask("c")) == "T05thread:1;":
        thread, = re.findall(r"^thread (\d+) ", gdb.monitor("where"), re.M)
        stops.append((thread, gdb.register(RIP)))
    tap.equal("each EU thread stops there",
              stops, [(str(n), int(at, 16)) for n in range(8)])
    tap.equal("it computes the same", ("4db5afc8341d3c2e" in target.end()[1],
                                       reply), (True, "W00"))
    target = Target(veu, *LINES)
    gdb = Client(target)
    gdb.monitor("break skl-lines.cl:6")
    gdb.monitor("delete")
    tap.equal("none is left", (gdb.ask("c"), target.end()[0]), ("W00", 0))


def test_errors(tap, veu):
    veu.file("k.visaasm", SOURCE)
    for args, text in [(["x"], "a port"), (["70000"], "a port")]:
        done = veu.run(*RUN[:-1], *args)
        tap.true("a port that is none", done.status == 2 and text in done.err,
                 done)


def test_gdb(tap, veu):
    if not shutil.which("gdb"):
        tap.skip("gdb", "there is no gdb")
        return
    target = Target(veu)
    done = subprocess.run(
        ["gdb", "-nx", "-batch", "-ex", f"target remote :{target.port}",
         "-ex", "info registers lanes", "-ex", "print $g0", "-ex", "stepi",
         "-ex", "stepi", "-ex", "print $g1", "-ex", "monitor where", "-ex",
         "info threads", "-ex", "x/2xw 0x1000", "-ex",
         "watch *(int *)0x1190", "-ex", "continue", "-ex", "continue"],
        capture_output=True, text=True, check=False, timeout=60,
        env=dict(os.environ, LC_ALL="C", HOME=veu.folder))
    text = done.stdout + done.stderr
    for name, part in [
            ("registers", "lanes          0xff"),
            ("vectors", "{2, 2, 2, 2, 2, 2, 2, 2}"),
            ("steps", "{102, 102, 102, 102, 102, 102, 102, 102}"),
            ("threads", "Thread 1"),
            ("instructions", "cmp.ne (M1, 8) P1"),
            ("memory", "0x1000:\t0x00000000\t0x00000000"),
            ("watchpoints", "Old value = 0\nNew value = 100\n"),
            ("the end", "exited normally")]:
        tap.true(f"gdb shows {name}", part in text, text)
    tap.equal("the run has ended", target.end()[0], 0)


if __name__ == "__main__":
    raise SystemExit(main(test_packets, test_breaks_and_memory,
                          test_odd_packets, test_a_fault,
                          test_a_fault_of_a_replay, test_delays,
                          test_watchpoints, test_odd_watchpoints,
                          test_interrupts, test_lines, test_errors,
                          test_gdb))
