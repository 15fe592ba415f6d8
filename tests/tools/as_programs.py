# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-as --program: programs for the device, and veu-run with text."""

import os
import struct
import subprocess
import sys
import tempfile

import data
import visa
from assembler import Kernel, main, make_object

GATHER = visa.gather(4, 16, 6, visa.ud(0), 32, 33)


def sections(program):
    """The header's fields, and the sections by type."""
    header = struct.unpack_from("<IHHIHHII", program)
    assert header[0] == 0x50554556 and header[3] == len(program)
    found = {}
    for i in range(header[5]):
        kind, at, size, _ = struct.unpack_from("<IIII", program, 32 + 16 * i)
        assert at % 4 == 0 and at + size <= len(program)
        found[kind] = program[at:at + size]
    return header, found


def variables(program):
    """(offset, type, elements) of each."""
    names = {code: name for name, code in visa.TYPES.items()}
    return [(at, names[type_], count) for at, count, type_, _ in
            struct.iter_unpack("<IHBB", sections(program)[1].get(2, b""))]


def program_of(tools, text, *args):
    return tools.object(text, "--program", *args)


def a_program_is_as_the_specification_has_it(tap, tools):
    text = (".version 4.1\n.kernel k\n"
            ".decl V32 v_type=G type=ud num_elts=16 align=GRF\n"
            ".decl V33 v_type=G type=ud num_elts=16 align=GRF\n"
            ".decl P1 v_type=P num_elts=16\n.decl A0 v_type=A num_elts=3\n"
            ".decl T6 v_type=T num_elts=1\n"
            "gather.4 (M1, 16) T6 0:ud V32.0 V33.0\n")
    header, found = sections(program_of(tools, text))
    tap.equal("header: version, kind, register size, entry, register bytes",
              (header[1], header[2], header[4], header[6], header[7]),
              (1, 0, 32, 0, 128))
    tap.equal("sections", {k: v.hex() for k, v in found.items()}, {
        1: GATHER.hex(),
        2: (struct.pack("<IHBB", 0, 16, 0, 0) +
            struct.pack("<IHBB", 64, 16, 0, 0)).hex(),
        3: "10000000", 4: "03000000"})
    header = sections(program_of(tools, text, "--grf", "64"))[0]
    tap.equal("--grf 64", header[4], 64)


LAYOUT = """
.kernel k
.decl V32 v_type=G type=ub num_elts=3 align=byte
.decl V33 v_type=G type=uw num_elts=1 align=word
.decl V34 v_type=G type=uq num_elts=1 align=qword
.decl V35 v_type=G type=ud num_elts=8 align=GRF
.decl V36 v_type=G type=f num_elts=4 align=dword alias=<V35, 16>
.decl V37 v_type=G type=uw num_elts=2 align=word alias=<V36, 4>
.decl V38 v_type=G type=ud num_elts=1 align=GRFx2
.decl V39 v_type=G type=ud num_elts=1 align=wordx32
.decl V40 v_type=G type=ud num_elts=1
"""


def variables_are_laid_out_as_declared(tap, tools):
    end = "fence_sw\n"
    for grf, wanted in ((32, [0, 4, 8, 32, 48, 52, 64, 128, 132]),
                        (64, [0, 4, 8, 64, 80, 84, 128, 192, 196])):
        program = program_of(tools, LAYOUT + end, "--grf", grf)
        tap.equal(f"offsets with registers of {grf} bytes",
                  [v[0] for v in variables(program)], wanted)
        tap.equal("the size of all, whole registers",
                  sections(program)[0][7], -(-(wanted[-1] + 4) // grf) * grf)
    program = program_of(tools, LAYOUT + ".input V34 offset=256 size=8\n"
                         ".input V32 offset=96 size=3\n" + end)
    tap.equal("inputs are where they are, others after them",
              [v[0] for v in variables(program)],
              [96, 264, 256, 288, 304, 308, 320, 384, 388])
    text = ".kernel k\n.decl V32 v_type=G type=ud num_elts=1\n" + "".join(
        f".decl T{n} v_type=T num_elts=1\n" for n in range(6, 33))
    program = program_of(tools, text + ".input T32 offset=64 size=4\n" + end)
    tap.equal("an input that is a surface is no variable",
              variables(program), [(0, "ud", 1)])
    half = ".decl {} v_type=G type=ub num_elts={} align=byte\n"
    text = ".kernel k\n" + half.format("V32", 32768)
    program = program_of(tools, text + half.format("V33", 32768) + end)
    tap.equal("all of the register file", variables(program),
              [(0, "ub", 32768), (32768, "ub", 32768)])
    said = tools.error(text + half.format("V33", 32769) + end, "--program")
    tap.true("a byte more", "V33 ends at byte 65537 of the register file" in
             said, said)


def tables_have_limits(tap, tools):
    for name, most, what in (("P", 1024, "predicates"),
                             ("A", 256, "address variables")):
        text = ".kernel k\nfence_sw\n" + "".join(
            f".decl {name}_{n} v_type={name} num_elts=1\n"
            for n in range(most))
        tap.equal(f"{most} {what}", len(sections(program_of(tools, text))[1][
            3 if name == "P" else 4]), 4 * most)
        said = tools.error(
            text + f".decl {name} v_type={name} num_elts=1\n", "--program")
        tap.true("one more", f"'k' has {most + 1} {what}, and a program at "
                 f"most {most}" in said, said)
    text = ".kernel k\n" + "".join(
        f".decl V_{n} v_type=G type=ub num_elts=1\n" for n in range(4096))
    tap.equal("4096 variables of messages",
              len(variables(program_of(tools, text + "fence_sw\n"))), 4096)
    said = tools.error(text + "oword_ld (1) %slm %r0(0,2)<0;1,0> V_0.0\n",
                       "--program")
    tap.true("and %r0", "'k' has 4097 variables, and a program at most 4096" in
             said, said)
    tap.equal("4097 variables of instructions", len(variables(program_of(
        tools, text + ".decl V v_type=G type=ub num_elts=1\n"
        "mov (M1, 1) V(0,0)<1> 0:ub\n"))), 4097)
    said = tools.error(make_object([Kernel("k", b"\x5c\x80",
                                           predicates=[("P1", 0)])]),
                       "--program")
    tap.true("no lanes", "P1 has 0 lanes" in said, said)


def programs_have_sizes(tap, tools):
    tap.equal("no instructions",
              sections(program_of(tools, ".kernel k\n"))[1], {1: b""})
    text = ".kernel k\n" + "fence_sw\n" * 131048
    tap.equal("262144 bytes of messages", len(program_of(tools, text)), 262144)
    said = tools.error(text + "fence_sw\n", "--program")
    tap.true("more", "the program has 262148 bytes, and may have 262144" in
             said, said)
    tap.true("instructions may have more",
             len(program_of(tools, text + "yield\n")) > 262144)


def r0_is_the_first_register(tap, tools):
    for grf in 32, 64:
        program = program_of(tools, ".kernel k\n"
                             ".decl V32 v_type=G type=ud num_elts=1\n"
                             ".decl V33 v_type=G type=ud num_elts=2 align=dword"
                             " alias=<%r0, 8>\n"
                             "oword_ld (1) %slm %r0(0,2)<0;1,0> V32.0\n",
                             "--grf", grf)
        tap.equal(f"GRF {grf}: %r0 is the last variable, at byte 0",
                  variables(program), [(grf, "ud", 1), (8, "ud", 2),
                                       (0, "ud", grf // 4)])
        tap.equal("and the message names it",
                  sections(program)[1][1].hex(),
                  "3500000000" "22000000" "00022101" "200000000000")


def what_does_nothing_is_left_out(tap, tools):
    code = (bytes.fromhex("300000" "310000" "5101000000" "5201000000"
                          "7b0020000000") + GATHER +
            bytes.fromhex("34000000"))
    built = make_object([Kernel("k", code, variables=[
        ("a", "ud", 16), ("b", "ud", 16)], labels=[("l", 1)],
        surfaces=[("T6", 1)])])
    program = program_of(tools, built)
    tap.equal("labels, file, loc, lifetime and the last ret",
              sections(program)[1][1].hex(), GATHER.hex())
    for name, middle in (("ret", "34000000"), ("ret", "34000100"),
                         ("yield", "5f")):
        built = make_object([Kernel("k", bytes.fromhex(middle) + b"\x5c\x80",
                                    predicates=[("P1", 1)])])
        tap.equal(f"{name} in the middle makes a program of instructions",
                  sections(program_of(tools, built))[0][2], 1)
    for last in "34000100", "34000001":
        built = make_object([Kernel(
            "k", b"\x5c\x80" + bytes.fromhex(last),
            predicates=[(f"P{n}", 1) for n in range(1, 257)])])
        tap.equal(f"{last}: a ret of some lanes is no end of messages",
                  sections(program_of(tools, built))[0][2], 1)
    built = make_object([Kernel("k", bytes.fromhex("320000000000"),
                                labels=[("l", 0)])])
    tap.true("a label that is nowhere", "label 'l' is nowhere" in
             tools.error(built, "--program"))


def kernels_are_chosen_by_name(tap, tools):
    text = (".kernel \"one\"\nfence_sw\n.kernel two\nfence_local\n"
            ".global_function three\nfence_global\n")
    tap.true("two kernels", "choose one: veu-as --program --kernel" in
             tools.error(text, "--program"))
    for name, code in ("one", "5c80"), ("two", "5c20"):
        tap.equal(name, sections(program_of(tools, text, "--kernel", name))
                  [1][1].hex(), code)
    tap.true("a function is no kernel", "there is no kernel three" in
             tools.error(text, "--program", "--kernel", "three"))


def what_the_device_refuses_is_a_warning(tap, tools):
    """The program is written nevertheless; the warning names the line and the
    field."""
    head = (".version 4.1\n.kernel k\n"
            ".decl V32 v_type=G type=ud num_elts=16 align=GRF\n"
            ".decl T6 v_type=T num_elts=1\nhere:\nfence_sw\n")
    for line, field, code in (
            ("gather.4 (M2, 16) T6 0:ud V32.0 V32.0", "Num_elts",
             "MESSAGE_FIELD"),
            ("gather.4 (M1, 16) T6 0:ud V32.4 V32.0", "Element_offset",
             "MESSAGE_OPERAND"),
            ("svm_gather.8.8 (M1, 8) V32.0 V32.0", "Num_blocks",
             "MESSAGE_FIELD")):
        done = tools.asm(head + line + "\n", "--program")
        said = done.stderr.decode()
        tap.true(line, done.returncode == 0 and done.stdout and said.startswith(
            "standard input:7:1: warning: ") and
            f"at 0x0005: the device refuses {field}\n" in said and
            code in said, done)
        tap.equal("an object has no warning", tools.asm(
            head + line + "\n").stderr, b"")
    done = tools.asm(head + "gather.4 (M1, 16) T6 0:ud V32.0 V32.0\n",
                     "--program")
    tap.equal("a good one has none", done.stderr, b"")


def programs_are_listed(tap, tools):
    """The places of variables are kept, whatever they are."""
    for name, layout in (
            ("in a row", [(0, "ud", 16), (64, "f", 16), (128, "ub", 3),
                          (132, "ud", 1)]),
            ("with gaps", [(256, "ud", 16), (0, "ud", 16), (100, "uw", 2)]),
            ("overlapping", [(0, "ud", 64), (32, "uw", 8), (40, "ud", 1)]),
            ("crossing", [(0, "ud", 4), (8, "ud", 4)])):
        program = visa.program(GATHER, layout + [(0, "ud", 16)],
                               predicates=[16, 8])
        text = tools.text(program)
        again = program_of(tools, text)
        tap.equal(f"variables {name}", variables(again), variables(program))
        tap.equal("code and predicates",
                  [sections(again)[1][k] for k in (1, 3)],
                  [sections(program)[1][k] for k in (1, 3)])
    text = tools.text(visa.program(GATHER + visa.gather(
        4, 16, 8, visa.ud(0), 32, 33), [(0, "ud", 16), (64, "ud", 16)]))
    tap.equal("surfaces and messages", [
        line.strip() for line in text.splitlines()
        if "decl T" in line or "gather" in line], [
            ".decl T6 v_type=T num_elts=1", ".decl T7 v_type=T num_elts=1",
            ".decl T8 v_type=T num_elts=1",
            "gather.4 (M1, 16) T6 0x0:ud V32.0 V33.0",
            "gather.4 (M1, 16) T8 0x0:ud V32.0 V33.0"])
    done = tools.dis(visa.program(GATHER)[:-1])
    tap.true("a program that is none", done.returncode == 1 and
             b"device would refuse" in done.stderr, done)


KERNEL = """
.version 4.1
.kernel "double gather"
.decl Offsets v_type=G type=ud num_elts=16 align=GRF
.decl Data v_type=G type=ud num_elts=16 align=GRF
.decl T6 v_type=T num_elts=1
.input Offsets offset=64 size=64
GATHER.4 (M1, 16) T6 1:ud Offsets.0 Data.0
ret (M1, 1)
"""


def run(*args, cwd):
    return subprocess.run([os.path.abspath(sys.argv[3]), *args], cwd=cwd,
                          capture_output=True, check=False, text=True,
                          timeout=60)


def veu_run_takes_text_and_objects(tap, tools):
    with tempfile.TemporaryDirectory() as folder:
        def file(name, content):
            with open(os.path.join(folder, name), "wb") as out:
                out.write(content)

        file("k.visaasm", KERNEL.encode())
        file("k.isa", tools.object(KERNEL))
        file("k.veu", program_of(tools, KERNEL))
        file("bad.visaasm", b".kernel k\nfrob V1\n")
        file("ram", struct.pack("<64I", *range(100, 164)))
        for name in ("k.visaasm", "k.isa", "k.veu"):
            done = run(name, "--memory", "0x1000:ram", "--surface",
                       "base=0x1000,width=256", "--set", "V32=0..15",
                       "--show", "V33", "--json", cwd=folder)
            tap.true(f"veu-run {name}", '"values": [' + ", ".join(
                map(str, range(101, 117))) in done.stdout, done)
        done = run("bad.visaasm", cwd=folder)
        tap.true("an error in the text", done.returncode == 2 and
                 done.stderr.startswith("bad.visaasm:2:1: error: there "), done)


INSTRUCTIONS = """.version 4.1
.kernel "k"
.decl V32 v_type=G type=ud num_elts=16 align=GRF
.decl V33 v_type=G type=ud num_elts=16 align=GRF
.decl V34 v_type=G type=ud num_elts=8 align=GRF alias=<%r0, 0>
.decl P1 v_type=P num_elts=16
.decl T6 v_type=T num_elts=1
.decl T7 v_type=T num_elts=1
.input V32 offset=32 size=64
.function "main"
main:
    or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x4c0:ud
    add (M1, 16) V33(0,0)<1> V32(0,0)<8;8,1> 0x5:ud
    cmp.gt (M1, 16) P1 V33(0,0)<8;8,1> 0xa:ud
    (P1) goto (M1, 16) end
    call (M1, 16) times
end:
    ret (M1, 1)
.function "times"
times:
    mul (M1, 16) V33(0,0)<1> V33(0,0)<8;8,1> 0x64:ud
    ret (M1, 16)
"""


def instructions_make_programs_of_their_kind(tap, tools):
    """Labels, places of predefined variables, and state variables."""
    program = program_of(tools, INSTRUCTIONS)
    fields, found = sections(program)
    code = found[1]
    # After the first label (3 bytes): or 31, add 30, cmp 25, goto 6, call 6.
    labels = [(0, 1), (code.index(b"\x31\x01\0"), 0),
              (code.index(b"\x30\x02\0"), 1)]
    tap.equal("kind, GRF, entry", (fields[2], fields[4], fields[6]),
              (1, 32, 0))
    tap.equal("labels: offset and kind", list(struct.iter_unpack(
        "<IB3x", found[5])), labels)
    tap.equal("%r0 and %cr0: offset, elements, type, id",
              list(struct.iter_unpack("<IHBB", found[6])),
              [(0, 8, 0, 7), (96, 1, 0, 14)])
    tap.equal("surface variables start with their places",
              list(struct.iter_unpack("<IB3x", found[7])), [(0, 0), (1, 0)])
    text = tools.text(program)
    tap.equal("veu-dis prints what makes it again",
              tools.text(program_of(tools, text)), text)


# Types and elements of the vendor's page on predefined variables, from id 1.
PREDEFINED = [("%thread_x", "uw", 1), ("%thread_y", "uw", 1),
              ("%group_id_x", "ud", 1), ("%group_id_y", "ud", 1),
              ("%group_id_z", "ud", 1), ("%tsc", "ud", 5), ("%r0", "ud", 8),
              ("%arg", "ud", 256), ("%retval", "ud", 96), ("%sp", "uq", 1),
              ("%fp", "uq", 1), ("%hw_id", "ud", 1), ("%sr0", "ud", 4),
              ("%cr0", "ud", 1), ("%ce0", "ud", 1), ("%dbg0", "ud", 2),
              ("%color", "uw", 1), ("%impl_arg_buf_ptr", "uq", 1),
              ("%local_id_buf_ptr", "uq", 1), ("%msg0", "ud", 3)]


def predefined_variables_have_their_types(tap, tools):
    program = program_of(
        tools, '.version 4.1\n.kernel "k"\n'
        ".decl V32 v_type=G type=ub num_elts=8 align=GRF\n" +
        "".join(f"mov (M1, 1) V32(0,0)<1> {name}(0,0)<0;1,0>\n"
                for name, _, _ in PREDEFINED) + "ret (M1, 1)\n")
    found = sections(program)[1][6]
    tap.equal("each that is named: elements, type, id",
              sorted((id_, elements, type_) for _, elements, type_, id_ in
                     struct.iter_unpack("<IHBB", found)),
              [(id_, elements, visa.TYPES[type_])
               for id_, (_, type_, elements) in enumerate(PREDEFINED, 1)])
    places, next_register = {7: 0}, 32
    for id_, (name, type_, elements) in enumerate(PREDEFINED, 1):
        if name != "%r0":
            places[id_] = next_register
            next_register += -(-elements * {"uw": 2, "ud": 4, "uq": 8}[type_]
                               // 32) * 32
    tap.equal("each begins with a register; %r0 is the first",
              {id_: at for at, _, _, id_ in
               struct.iter_unpack("<IHBB", found)}, places)


def functions_follow_the_kernel(tap, tools):
    """Their variables continue the numbering; fcall has the index of a
    function."""
    text = (".version 4.1\n.kernel \"k\"\n"
            ".decl V32 v_type=G type=ud num_elts=8 align=GRF\n"
            "    mov (M1, 8) V32(0,0)<1> 0x1:ud\n"
            "    fcall (M1, 8) f 0 0\n"
            "    ret (M1, 1)\n"
            ".version 4.1\n.global_function \"f\"\n"
            ".decl V32 v_type=G type=ud num_elts=8 align=GRF\n"
            "    mov (M1, 8) V32(0,0)<1> 0x2:ud\n"
            "    fret (M1, 8)\n")
    _, found = sections(program_of(tools, text))
    start = found[1].index(bytes.fromhex("2903000000210000"))
    tap.equal("where the function is",
              struct.unpack("<II", found[8]), (start, 0))
    tap.true("its index in fcall", b"\x67\3\0\0\0\0\0\0" in found[1])
    tap.equal("variables of both", len(found[2]), 16)
    said = tools.error(text.replace("fcall (M1, 8) f", "fcall (M1, 8) g"),
                       "--program")
    tap.true("a function that is not there", "standard input:5:5: error: fcall:"
             " there is no function 'g'" in said, said)


def functions_have_tables_of_their_own(tap, tools):
    """All ids in their code follow those of the kernel."""
    def code(label, variable, address, predicate, surface, sampler):
        def general(region):
            return struct.pack("<BIHH", 0, variable, 0, region)

        zero = struct.pack("<BBI", 5, 0, 0)
        return (struct.pack("<BH", 0x31, label) +
                visa.gather_scaled(4, 8, surface,
                                   visa.indirect(address, 1, -16, "ud"),
                                   variable, variable, pred=predicate) +
                struct.pack("<BBHH", 0x6c, 3, predicate, label) +
                b"\x29\x03\0\0" + general(0x200) +
                visa.indirect(address, 0, 0, "ud") +
                struct.pack("<BBBBH", 0x2c, 3, 0, 2, predicate) +
                general(0x121) + zero +
                b"\x28\0" + struct.pack("<BHBB", 1, address, 0, 0) +
                general(0x121) + visa.ud(0)[:1] + b"\2" + visa.ud(0)[2:] +
                b"\x2d\x80" + struct.pack("<BBHB", 6, 1, sampler, 0) + zero)

    part = (".decl V32 v_type=G type=ud num_elts=16 align=GRF\n"
            ".decl A0 v_type=A num_elts=8\n.decl P1 v_type=P num_elts=8\n"
            ".decl T6 v_type=T num_elts=1\n.decl S0 v_type=S num_elts=1\n"
            "here:\n"
            "(P1) gather_scaled.4 (M1, 8) T6 r[A0(1),-16]<0;1,0>:ud V32.0 "
            "V32.0\n"
            "(P1) goto (M1, 8) here\n"
            "mov (M1, 8) V32(0,0)<1> r[A0(0),0]<0;1,0>:ud\n"
            "cmp.eq (M1, 8) P1 V32(0,0)<0;1,0> 0x0:ud\n"
            "addr_add (M1, 1) A0(0)<1> &V32 0x0:uw\n"
            "movs (M1_NM, 1) S0(0) 0x0:ud\n")
    _, found = sections(program_of(
        tools, f".version 4.1\n.kernel k\n{part}fcall (M1, 8) f 0 0\n"
        f"ret (M1, 1)\n.version 4.1\n.global_function f\n{part}"
        "fret (M1, 8)\n"))
    start, = struct.unpack_from("<I", found[8])
    end = len(code(0, 0, 0, 0, 0, 0))
    tap.equal("the kernel", found[1][:end].hex(), code(0, 32, 0, 1, 6, 0).hex())
    tap.equal("the function", found[1][start:start + end].hex(),
              code(1, 33, 1, 2, 7, 1).hex())
    tap.equal("places of labels", struct.unpack("<IIII", found[5]),
              (0, 0, start, 0))


def compiled_kernels_are_loaded(tap, tools):
    """The device's loader accepts them: no warning."""
    for name in ("atomics.dg2", "bitonic.tgllp", "calls.skl",
                 "histogram_addresses.skl", "mandelbrot_double.skl",
                 "shuffle.skl", "subgroup.tgllp"):
        with open(data.path(f"kernels/{name}.visaasm"),
                  encoding="utf-8") as file:
            done = tools.asm(file.read(), "--program")
        tap.true(name, done.returncode == 0 and not done.stderr, done.stderr)


def data_of_a_block_has_whole_registers(tap, tools):
    """Compilers declare 8 bytes for the 16 that svm_block_st stores."""
    for elements in 1, 4:
        done = tools.asm(
            '.kernel k\n.decl V32 v_type=G type=uq num_elts=1 align=GRF\n'
            f'.decl V33 v_type=G type=uq num_elts={elements} align=GRF\n'
            '  mov (M1_NM, 1) V33(0,0)<1> 0x1:uq\n'
            '  svm_block_st (1) V32(0,0)<0;1,0> V33.0\n  ret (M1, 1)\n',
            "--program")
        tap.equal(f"{elements} elements", (done.returncode,
                                           bool(done.stderr)), (0, False))
    done = tools.asm(
        '.kernel k\n.decl V32 v_type=G type=uq num_elts=1 align=GRF\n'
        '  mov (M1_NM, 1) V32(0,0)<1> 0x1:uq\n'
        '  svm_block_st (4) V32(0,0)<0;1,0> V32.0\n  ret (M1, 1)\n',
        "--program")
    tap.true("more than a register is the device's to refuse",
             b"MESSAGE_OPERAND" in done.stderr, done.stderr)


def a_program_of_instructions_runs(tap, tools):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k.visaasm")
        with open(path, "w", encoding="utf-8") as file:
            file.write(INSTRUCTIONS)
        done = subprocess.run([os.path.abspath(sys.argv[3]), path, "--set",
                               "V32=0..15", "--show", "V33", "--json"],
                              capture_output=True, text=True, check=False)
    values = ", ".join(str(n + 5 if n > 5 else (n + 5) * 100)
                       for n in range(16))
    tap.true("lanes that do not branch are multiplied",
             '"values": [' + values in done.stdout, done)


sys.exit(main(instructions_make_programs_of_their_kind,
              predefined_variables_have_their_types,
              functions_follow_the_kernel,
              functions_have_tables_of_their_own, compiled_kernels_are_loaded,
              a_program_of_instructions_runs,
              data_of_a_block_has_whole_registers,
              a_program_is_as_the_specification_has_it,
              variables_are_laid_out_as_declared, tables_have_limits,
              programs_have_sizes, r0_is_the_first_register,
              what_does_nothing_is_left_out,
              what_the_device_refuses_is_a_warning, kernels_are_chosen_by_name,
              programs_are_listed, veu_run_takes_text_and_objects))
