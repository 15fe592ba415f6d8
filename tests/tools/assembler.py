# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs veu-as and veu-dis; a second writer of vISA objects."""

import os
import struct
import subprocess
import sys

import data
from tap import Tap

DECLS = data.path("visa_decls.txt")


class Tools:
    """Both tools, with their output and files."""

    def __init__(self, assembler, disassembler):
        self.assembler = os.path.abspath(assembler)
        self.disassembler = os.path.abspath(disassembler)

    @staticmethod
    def _run(tool, args, content):
        if isinstance(content, str):
            content = content.encode()
        return subprocess.run([tool, *map(str, args)], input=content,
                              capture_output=True, check=False, timeout=120)

    def asm(self, content, *args):
        """Text or an object to bytes: the finished process."""
        return self._run(self.assembler, args, content)

    def dis(self, content, *args):
        return self._run(self.disassembler, args, content)

    def object(self, text, *args):
        """Returns the object of a text, which has to be legal."""
        done = self.asm(text, *args)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    def text(self, content):
        done = self.dis(content)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    def error(self, text, *args):
        """Returns the assembler's message about an illegal text."""
        done = self.asm(text, *args)
        assert done.returncode == 1 and not done.stdout, done
        return done.stderr.decode()

    def lines(self, tool, lines, decls=DECLS):
        args = ["--hex"] + (["--decls", decls] if decls else [])
        done = self._run(tool, args, "".join(f"{line}\n" for line in lines))
        answers = done.stdout.decode().splitlines()
        assert done.returncode == 0 and len(answers) == len(lines), done
        assert not done.stderr, done.stderr.decode()
        return answers

    def as_hex(self, lines, **kwargs):
        return self.lines(self.assembler, lines, **kwargs)

    def dis_hex(self, lines, **kwargs):
        return self.lines(self.disassembler, lines, **kwargs)


def main(*tests):
    """Runs tests as test(tap, tools); returns the exit status."""
    tap = Tap()
    for test in tests:
        tap.run(test, Tools(sys.argv[1], sys.argv[2]))
    return tap.done()


# --- Objects, from encoding.md, section 1 --------------------------------

PREDEFINED = ("%null %thread_x %thread_y %group_id_x %group_id_y %group_id_z "
              "%tsc %r0 %arg %retval %sp %fp %hw_id %sr0 %cr0 %ce0 %dbg0 "
              "%color %impl_arg_buf_ptr %local_id_buf_ptr %msg0 "
              "%slm T1 T2 TSS %bss %scratch S31").split()
TYPES = {name: code for code, name in enumerate(
    "ud d uw w ub b df f v vf bool uq uv q hf bf".split())}
ALIGNS = {name: code for code, name in enumerate(
    "byte word dword qword oword GRF GRFx2 hword wordx32 wordx64".split())}


class Kernel:
    """A kernel; tables are lists of tuples, @code bytes."""

    def __init__(self, name="k", code=b"", variables=(), addresses=(),
                 predicates=(), labels=(), samplers=(), surfaces=(),
                 inputs=(), attributes=(), function=None):
        self.name = name
        self.strings = [name, *PREDEFINED]
        self.code = code
        self.variables = variables
        self.small = [(2, addresses), (2, predicates)]
        self.labels = labels
        self.states = [samplers, surfaces]
        self.inputs = inputs
        self.attributes = attributes
        self.function = function

    def string(self, text):
        self.strings.append(text)
        return struct.pack("<I", len(self.strings) - 1)

    def attributes_of(self, attributes, count="B"):
        return struct.pack("<" + count, len(attributes)) + b"".join(
            self.string(name) + bytes([len(value)]) + value
            for name, value in attributes)

    def variable(self, name, type_, elements, align="GRF", alias=0, offset=0,
                 attributes=()):
        return self.string(name) + struct.pack(
            "<BHIHB", TYPES[type_] | ALIGNS[align] << 4, elements, alias,
            offset, 0) + self.attributes_of(attributes)

    def symbol(self, name, elements, attributes=()):
        return self.string(name) + struct.pack("<H", elements) + \
            self.attributes_of(attributes)

    def tables(self):
        out = struct.pack("<I", 0)
        out += struct.pack("<I", len(self.variables))
        out += b"".join(self.variable(*v) for v in self.variables)
        for _, symbols in self.small:
            out += struct.pack("<H", len(symbols))
            out += b"".join(self.symbol(*s) for s in symbols)
        out += struct.pack("<H", len(self.labels))
        out += b"".join(self.string(name) + bytes([kind, 0])
                        for name, kind in self.labels)
        for symbols in self.states:
            out += struct.pack("<B", len(symbols))
            out += b"".join(self.symbol(*s) for s in symbols)
        return out + b"\0"  # VME variables

    def bytes(self):
        """Returns the kernel's object, and the place of its inputs in it."""
        tables = self.tables()
        inputs = b""
        if self.function is None:
            inputs = struct.pack("<I", len(self.inputs)) + b"".join(
                struct.pack("<BIHH", *i) for i in self.inputs)
        attributes = self.attributes_of(self.attributes, "H")
        strings = b"".join(s.encode() + b"\0" for s in self.strings)
        head = struct.pack("<I", len(self.strings)) + strings + tables
        inputs_at = len(head)
        head += inputs
        sizes = b"" if self.function is None else bytes(self.function)
        entry = len(head) + 8 + len(sizes) + len(attributes)
        head += struct.pack("<II", len(self.code), entry) + sizes + attributes
        return head + self.code, inputs_at


def make_object(kernels, version=(4, 1)):
    """Returns the file of kernels and functions, in this order."""
    def header(offset):
        out = b"CISA" + bytes(version)
        for function in (False, True):
            chosen = [(k, *k_bytes) for k, k_bytes in zip(kernels, contents)
                      if (k.function is not None) == function]
            out += struct.pack("<H", len(chosen))
            for kernel, content, inputs_at in chosen:
                name = kernel.name.encode()
                out += b"\0" * function + struct.pack("<H", len(name)) + name
                out += struct.pack("<II", offset, len(content))
                if not function:
                    out += struct.pack("<I", offset + inputs_at)
                out += bytes(4 if function else 5)
                offset += len(content)
            if not function:
                out += struct.pack("<H", 0)
        return out

    contents = [kernel.bytes() for kernel in kernels]
    return header(len(header(0))) + b"".join(c for c, _ in contents)
