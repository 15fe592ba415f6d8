# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-as and veu-dis, compared with encodings of the vendor's assembler."""

import os
import re
import select
import subprocess
import sys

from assembler import DECLS, main
from data import rows


def assembles_the_vendors_text(tap, tools):
    vectors = rows("visa_vectors.tsv")
    answers = tools.as_hex([text for text, _ in vectors])
    wrong = [(text, code, answer)
             for (text, code), answer in zip(vectors, answers)
             if code != answer]
    tap.equal(f"{len(vectors)} lines assemble to the vendor's bytes",
              wrong, [])


# Spellings that the vendor accepts but does not print, with what it prints.
SPELLINGS = {
    "gather.2 (16) T6 0x10:ud V32.0 V33.0":
        "gather.2 (M1, 16) T6 0x10:ud V32.0 V33.0",
    "gather.4 (M1,16) T6 16:UD V32.0 V33.0":
        "gather.4 (M1, 16) T6 0x10:ud V32.0 V33.0",
    "gather.4 ( M1 , 16 ) T6 (4*4):ud V32. 0 V33 .64":
        "gather.4 (M1, 16) T6 0x10:ud V32.0 V33.64",
    "gather.4 (M1, 16) T6 0X1F:ud V32.(32) V33.(2*32)":
        "gather.4 (M1, 16) T6 0x1f:ud V32.32 V33.64",
    "gather.4 (M1, 16) T6 16:ud %r0.0 V33.0":
        "gather.4 (M1, 16) T6 0x10:ud %r0.0 V33.0",
    "oword_ld.mod (2) T6 V41(0,0)<0;1,0> V32.32":
        "oword_ld (2) T6 V41(0,0)<0;1,0> V32.32",
    "media_ld.nomod (16, 4) T6 0x0:ud 0x0:ud V32.0":
        "media_ld.nomod (16,4) T6 0 0x0:ud 0x0:ud V32.0",
}


def as_printed(text):
    """No suffix is .unaligned; 32 bits have none; owords have no mask."""
    text = SPELLINGS.get(text, text)
    text = re.sub(r"^(svm_block_[ls][dt]) \((M1, )?", r"\1.unaligned (", text)
    text = re.sub(r"^(oword\w+) \(M1, ?", r"\1 (", text)
    return re.sub(r"(svm_atomic\.[a-z]+)\.32", r"\1", text)


def prints_the_vendors_text(tap, tools):
    vectors = rows("visa_vectors.tsv")
    printed = tools.dis_hex([code for _, code in vectors])
    again = tools.as_hex(printed)
    tap.equal("what is printed assembles to the same bytes",
              [(p, code, a) for p, (_, code), a in zip(printed, vectors, again)
               if a != code], [])
    tap.equal("it is the vendor's text",
              [(text, p) for (text, _), p in zip(vectors, printed)
               if as_printed(text) != p], [])


def documented_aliases():
    """The lines of docs/visa-text.md that the vendor refuses."""
    path = os.path.join(os.path.dirname(__file__), "../../docs/visa-text.md")
    with open(path, encoding="utf-8") as file:
        return set(re.findall(r"^\| `([^`]+)` \| [^|]+ \|$", file.read(),
                              re.M))


def refuses_what_the_vendor_refuses(tap, tools):
    rejects = [row[0] for row in rows("visa_rejects.tsv")]
    answers = tools.as_hex(rejects)
    accepted = {text for text, answer in zip(rejects, answers)
                if not answer.startswith("error: ")}
    tap.equal("lines are refused, or docs/visa-text.md tells why not",
              sorted(accepted), sorted(documented_aliases() & set(rejects)))
    tap.equal("each refusal gives a reason",
              [a for a in answers if a.startswith("error: ") and len(a) < 20],
              [])


# The documentation's own spelling, and the vendor's for the same bytes.
DOCUMENTED = """
GATHER.4 (M1, 16) T0 0x10:ud V32.0 V33.0
gather.4 (M1, 16) %slm 0x10:ud V32.0 V33.0
SCATTER.1 (M1, 8) T5 0x10:ud V32.0 V33.0
scatter.1 (M1, 8) %scratch 0x10:ud V32.0 V33.0
(P1) GATHER_SCALED.4 (M1, 16) T255 0:ud V32.0 V33.0
(P1) gather_scaled.4 (M1, 16) %scratch 0:ud V32.0 V33.0
SCATTER4_SCALED.rgba (M1, 8) T252 0:ud V32.0 V33.0
scatter4_scaled.RGBA (M1, 8) %bss 0:ud V32.0 V33.0
SVM_GATHER4_SCALED.RG (M1, 8) 0x10:uq V37.0 V32.0
svm_gather4scaled.RG (M1, 8) 0x10:uq V37.0 V32.0
svm_scatter4_scaled.A (M1, 16) 0x10:uq V37.0 V32.0
svm_scatter4scaled.A (M1, 16) 0x10:uq V37.0 V32.0
DWORD_ATOMIC.IMIN (M1, 8) T6 V32.0 V35.0 %null.0 V35.0
dword_atomic.minsint (M1, 8) T6 V32.0 V35.0 %null.0 V35.0
dword_atomic.imax.16 (M1, 8) T6 V32.0 V35.0 %null.0 V35.0
dword_atomic.maxsint.16 (M1, 8) T6 V32.0 V35.0 %null.0 V35.0
SVM_ATOMIC.ADD.64 (M1, 8) V37.0 V38.0 V37.0 %null.0
svm_atomic.add.64 (M1, 8) V37.0 V38.0 V37.0 %null.0
dword_atomic.add.32 (M1, 8) T6 V32.0 V33.0 %null.0 V34.0
dword_atomic.add (M1, 8) T6 V32.0 V33.0 %null.0 V34.0
FENCE_GLOBAL.EI
fence_global.EI
MEDIA_LD.NOMOD (16, 8) T6 0 0:ud 0:ud V32.0
media_ld.nomod (16,8) T6 0 0:ud 0:ud V32.0
gather.4 (M1, 16) T6 0x10:ud V7.0 V33.0
gather.4 (M1, 16) T6 0x10:ud %r0.0 V33.0
gather.4 (M1, 16) T6 0x10:ud V32.(%sizeof(GRF)) V33.(%sizeof V41 * 8)
gather.4 (M1, 16) T6 0x10:ud V32.32 V33.32
""".strip().splitlines()


# What the vendor's assembler writes for floats given by their bits, whose sign
# is the float's, and for sizes that no page lists.
WRITTEN = """
gather.4 (M1, 16) T6 -0x3f800000:f V32.0 V33.0
390200010605070000 80bf 200000000000 210000000000
gather.4 (M1, 16) T6 - 1:F V32.0 V33.0
390200010605070100 0080 200000000000 210000000000
gather.4 (M1, 16) T6 0x80000000:f V32.0 V33.0
390200010605070000 0080 200000000000 210000000000
gather.4 (M1, 16) T6 -0x3ff0000000000000:df V32.0 V33.0
39020001060506 000000000000f0bf 200000000000 210000000000
gather.4 (M1, 16) T6 -1:d V32.0 V33.0
39020001060501 ffffffff 200000000000 210000000000
svm_block_ld.aligned (16) V42(0,0)<0;1,0> V32.0
4e0104 002a00000000002101 200000000000
svm_block_st.unaligned (16) V42(0,0)<0;1,0> V32.0
4e0284 002a00000000002101 200000000000
qw_gather.8 (M1, 8) T6 V32.0 V37.0
8603000003 06 200000000000 250000000000
""".strip().splitlines()


def writes_what_the_vendor_writes(tap, tools):
    bits = tools.as_hex(WRITTEN[::2])
    for text, found, wanted in zip(WRITTEN[::2], bits, WRITTEN[1::2]):
        tap.equal(text, found, wanted.replace(" ", ""))
    again = tools.as_hex(tools.dis_hex(bits))
    tap.equal("and of their text the same bytes", again, bits)
    tap.true("33 bits are no float", tools.as_hex(
        ["gather.4 (M1, 16) T6 0x100000000:f V32.0 V33.0"])[0].startswith(
            "error: column 22: immediate 4294967296 does not fit"))


def takes_the_documentations_spelling(tap, tools):
    documented = tools.as_hex(DOCUMENTED[::2])
    vendors = tools.as_hex(DOCUMENTED[1::2])
    tap.true("the vendor's spelling is good",
             not any(a.startswith("error") for a in vendors), vendors)
    for text, found, wanted in zip(DOCUMENTED[::2], documented, vendors):
        tap.equal(text, found, wanted)


def predec_has_its_code(tap, tools):
    """encoding.md, section 2: predec is 0xd."""
    answers = tools.as_hex(
        ["dword_atomic.predec (M1, 8) T6 V32.0 %null.0 %null.0 V34.0"])
    tap.equal("predec", answers[0][:6], "7d0d03")
    tap.equal("its text", tools.dis_hex(answers)[0].split()[0],
              "dword_atomic.predec")


def blocks_of_8_bytes_have_two_codes(tap, tools):
    """semantics.md, section 2: 0b10 is written; both are printed as .8."""
    text = "svm_gather.8.1 (M1, 8) V37.0 V38.0"
    code = tools.as_hex([text])[0]
    tap.equal("0b10 is written", code[:14], "4e030300000200")
    tap.equal("0b10 and 0b11 are printed as .8",
              tools.dis_hex([code, code[:10] + "03" + code[12:]]),
              [text, text])


def svm_blocks_have_two_bits_for_unaligned(tap, tools):
    """semantics.md, section 2: bit 7 is written; both are printed."""
    text = "svm_block_ld.unaligned (2) V42(0,0)<0;1,0> V32.0"
    code = tools.as_hex([text])[0]
    tap.equal("bit 7 is written", code[:6], "4e0181")
    tap.equal("bit 3 means the same",
              tools.dis_hex([code, code[:4] + "09" + code[6:]]),
              [text, text])


def answers_at_once(tap, tools):
    """A line is answered before the next is written."""
    with subprocess.Popen([tools.assembler, "--hex", "--decls", DECLS],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True, bufsize=1) as process:
        for line, wanted in (("fence_sw", "5c80"),
                             ("nonsense", "error: "),
                             ("fence_local", "5c20")):
            process.stdin.write(line + "\n")
            ready = select.select([process.stdout], [], [], 10)[0]
            tap.true(f"'{line}' is answered at once", ready)
            tap.true(f"the answer to '{line}'",
                     process.stdout.readline().startswith(wanted))
        process.stdin.close()


def names_stand_for_ids_without_declarations(tap, tools):
    text = "(P300) gather_scaled.4 (M1, 8) T40 r[A1(0),4]<0;1,0>:ud " \
        "V5000.0 V33.64"
    code = tools.as_hex([text], decls=None)
    tap.equal("V5000 is id 5000",
              code[0], "78032c010002000028" "030100000400002101"
              "881300000000" "210000004000")
    tap.equal("and is printed as it was", tools.dis_hex(code, decls=None),
              [text])
    text = "sample_lz.RGBA (M1, 16) 0x0:uw S0 T6 V70000.0 V33.0 V34.0 V35.0 " \
        "V16777248.0"
    tap.equal("ids of four bytes", tools.dis_hex(
        tools.as_hex([text], decls=None), decls=None), [text])


sys.exit(main(assembles_the_vendors_text, prints_the_vendors_text,
              refuses_what_the_vendor_refuses,
              takes_the_documentations_spelling,
              writes_what_the_vendor_writes, predec_has_its_code,
              blocks_of_8_bytes_have_two_codes,
              svm_blocks_have_two_bits_for_unaligned, answers_at_once,
              names_stand_for_ids_without_declarations))
