# SPDX-License-Identifier: GPL-2.0-or-later
"""Findings of analysers that are wrong, or intended; and what they must find.

An exception applies to a check of a tool, in files whose name matches, on
lines with the text."""

from collections import namedtuple

Exceptional = namedtuple('Exceptional', 'tool check file text reason')
Mutation = namedtuple('Mutation', 'tool check file text replacement')

GCC = 'gcc -fanalyzer'
TIDY = 'clang-tidy'
CPPCHECK = 'cppcheck'
SCAN = 'scan-build'

WIDENING = 'bugprone-implicit-widening-of-multiplication-result'
NARROWING = 'bugprone-narrowing-conversions'
UNINITIALISED = '-Wanalyzer-use-of-uninitialized-value'

EXCEPTIONS = [
    # veu_device_pick() chooses one of several rings, which its callers have
    # checked.
    *(Exceptional(tool, check, 'hw/veu/device/schedule.c', 'next->',
                  'there is a ring: @rings is not 0')
      for tool, check in ((GCC, '-Wanalyzer-null-dereference'),
                          (GCC, '-Wnull-dereference'),
                          (CPPCHECK, 'nullPointer'))),
    Exceptional(GCC, '-Wanalyzer-malloc-leak', 'hw/veu/device/launch.c',
                'return launch',
                'the block has its own address in it, which is freed'),
    Exceptional(GCC, UNINITIALISED, 'hw/veu/eu/message/fast_avx512_svm.h',
                '_mm512_mask_storeu_epi32(', 'a loop has set both'),
    Exceptional(GCC, UNINITIALISED, 'hw/veu/eu/message/typed_fast.c', '',
                'lanes of a texel are set by functions of another file; what '
                'is or-ed to them comes after what sets them (is_first)'),
    Exceptional(GCC, '-Wanalyzer-null-dereference',
                'hw/veu/eu/surface/descriptor.c', 'a->shape->lod',
                'rules that come first refuse a type that has no shape'),
    Exceptional(GCC, '-Wanalyzer-null-dereference', 'tools/lib/file.c',
                'c->data[c->bytes] = 0', 'the first turn makes room'),
    *(Exceptional(GCC, check, 'tools/veu-run/memory.c', 'area->',
                  'callers have asked whether the memory is there')
      for check in ('-Wanalyzer-null-dereference', '-Wnull-dereference')),

    Exceptional(TIDY, 'bugprone-infinite-loop',
                'firmware/examples/animation.c', 'while (!status)',
                'it ends when the machine does'),
    Exceptional(TIDY, 'cert-dcl16-c', 'firmware/selftest/.*', '1ll <<',
                'the suffix is at a 1 that cannot be mistaken'),
    *(Exceptional(TIDY, NARROWING, file, text, reason)
      for file, text, reason in (
          ('firmware/examples/plasma.c', 'sine(i)', 'at most 2^14'),
          ('firmware/selftest/lettering.c', 'return result', 'a root: 2^20'),
          ('hw/veu/eu/decode/encoding.c', 'take(c, 2)',
           'two bytes, with their sign'),
          ('hw/veu/eu/message/fast_avx512.h', '_mm512_set1_epi32',
           'the low bits of an '
           'address are what counts'),
          ('hw/veu/eu/message/gather4_fast.c', '_mm256_set1_epi32(last)',
           'was held against 2^32 before'),
          ('hw/veu/qemu/kick.c', '__NR_membarrier', 'a set of few bits'),
          ('tools/veu-bench/loops-gather.c', 'UINT32_MAX', 'it says so itself'),
          ('tools/veu-bench/measure.c', 'CLAMP', 'at most 1000'),
          ('tools/veu-bench/work.c', 'memset', 'a byte of a pattern'),
          ('tools/visa/operand_parse.c', 'add_byte = add', 'was held against '
           'its limits before'))),
    *(Exceptional(TIDY, WIDENING, file, text, 'constants')
      for file, text in (
          ('hw/veu/device/launch_state.h', 'VEU_PAYLOAD_MAX_BYTES'),
          ('hw/veu/qemu/beat.c', 'VEU_BEAT_NS'),
          ('hw/veu/qemu/engine.c', 'POLL_NS'),
          ('hw/veu/qemu/iotlb.c', 'VEU_IOTLB_PAGES'),
          ('tools/visa/layout.c', 'VEU_LIMIT_REGISTER_BYTES'),
          ('tools/visa/program_read.c', 'VEU_LIMIT_PROGRAM_BYTES'))),
    Exceptional(TIDY, WIDENING, 'hw/veu/device/launch_rules.h', '+ 63',
                'a few hundred predicates and addresses'),
    *(Exceptional(TIDY, 'cert-err33-c', file, text, reason)
      for file, text, reason in (
          ('tools/veu-bench/report.c', 'fflush', 'main() looks at the stream'),
          ('tools/lib/json.c', 'fwrite', 'main() looks at the stream'),
          ('firmware/linux/examples/picture.c', 'fwrite', 'ferror() tells'),
          ('tools/lib/file.c', 'fclose(file)', 'the file was read'),
          ('tools/veu-format/convert.c', 'fclose', 'the file was read'))),
    *(Exceptional(TIDY, 'concurrency-mt-unsafe', file, text, 'there is one '
                  'thread yet')
      for file, text in (('hw/veu/eu/simd/cpu.c', 'getenv'),
                         ('tools/veu-.*', 'setlocale'))),
    Exceptional(TIDY, 'concurrency-mt-unsafe',
                'firmware/linux/lib/client_error.c', 'strerror',
                'glibc\'s is safe for numbers that it knows'),
    Exceptional(TIDY, 'bugprone-sizeof-expression', 'tools/.*',
                'g_clear_pointer', 'GLib\'s macro means the pointer\'s size'),
    *(Exceptional(TIDY, 'misc-no-recursion', file, '', reason)
      for file, reason in (
          ('firmware/x86/x86_serial.c', 'a line feed prints a return'),
          ('firmware/x86/x86_user.c', 'four levels of page tables'),
          ('hw/veu/eu/simd/cpu.c', 'AVX-512 asks for AVX2'),
          ('tools/visa/expression.c', 'MAX_DEPTH'))),

    Exceptional(CPPCHECK, 'comparePointers', 'firmware/x86/x86_smp.c',
                'x86_trampoline', 'the ends of one piece of code'),
    Exceptional(CPPCHECK, 'assignBoolToPointer', 'hw/veu/eu/decode/field.c',
                'choose_fast', 'it takes the name of the type for a function '
                'that returns bool'),
    Exceptional(CPPCHECK, 'uninitvar', 'hw/veu/eu/surface/format.c', 'memcpy',
                'as many dwords are set as are copied'),
    Exceptional(CPPCHECK, 'nullPointerRedundantCheck',
                'firmware/linux/lib/client_address.c', '(*link)->client',
                'the loop looks at *link before'),
    Exceptional(CPPCHECK, 'invalidPrintfArgType_uint',
                'firmware/linux/examples/picture.c', '', 'sides, which are '
                'constants'),
    Exceptional(CPPCHECK, 'useClosedFile', 'tools/lib/file.c', '',
                'fclose() comes once'),
    Exceptional(SCAN, 'core.NullDereference', 'hw/veu/device/schedule.c',
                'next->', 'there is a ring: @rings is not 0'),
    Exceptional(SCAN, 'core.UndefinedBinaryOperatorResult',
                'hw/veu/eu/message/gather4_fast.c', 'from[c] +',
                'the message has all channels: are_owords()'),
    Exceptional(SCAN, 'core.DivideZero', 'hw/veu/eu/decode/load.c',
                'entry_bytes',
                'the type is one that has a rule'),
    Exceptional(SCAN, 'core.DivideZero', 'tools/veu-bench/program.c',
                'surfaces',
                'a case has a surface'),
    Exceptional(SCAN, 'core.DivideZero', 'tools/visa/expression.c', 'remainder',
                'the caller refuses a divisor of 0'),
    Exceptional(SCAN, 'alpha.core.PointerSub', 'firmware/x86/x86_smp.c',
                'x86_trampoline_end - x86_trampoline',
                'both are labels of one section'),
    Exceptional(SCAN, 'alpha.unix.cstring.OutOfBounds',
                'hw/veu/device/launch_load.c', 'sizeof(form)',
                'two members, side by side, at once'),
    Exceptional(SCAN, 'alpha.unix.cstring.OutOfBounds',
                'hw/veu/eu/memory/guest_copy.h', 'memcpy(', 'at most 8 bytes'),
    Exceptional(SCAN, 'deadcode.DeadStores', 'hw/veu/qemu/iotlb.c', 'unit',
                'with a QEMU whose vIOMMU is not listened to'),
    Exceptional(SCAN, 'unix.Malloc', 'tools/veu-(run-show|spec).c', '',
                'g_autofree frees it'),
    *(Exceptional(SCAN, check, file, '', 'a function of another file, or the '
                  'loop before, sets it')
      for check, file in (
          ('core.CallAndMessage', 'hw/veu/eu/message/media.c'),
          ('core.CallAndMessage', 'hw/veu/eu/message/fast_pieces.h'),
          ('core.UndefinedBinaryOperatorResult',
           'hw/veu/eu/message/typed_fast.c'),
          ('core.CallAndMessage', 'tools/visa/expression.c'),
          ('core.uninitialized.Branch', 'tools/visa/.*_?(parse|expression).c'),
          ('core.UndefinedBinaryOperatorResult',
           'tools/visa/message_suffix.c'))),
    Exceptional(CPPCHECK, 'shiftTooManyBitsSigned', 'tools/visa/expression.c',
                '>>', 'signs are shifted in, as GCC and clang say'),
]

# At least one for each tool
MUTATIONS = [
    Mutation(GCC, '-Wanalyzer-double-free', 'hw/veu/device/device.c',
             '    free(d);', '    free(d);\n    free(d);'),
    Mutation(GCC, '-Wanalyzer-possible-null-dereference',
             'hw/veu/device/device.c', 'if (!d) {\n        return NULL;',
             'if (!host) {\n        return NULL;'),
    Mutation(TIDY, WIDENING, 'hw/veu/device/ring.c',
             '(uint64_t)count * VEU_SLOT_BYTES', 'count * VEU_SLOT_BYTES'),
    Mutation(TIDY, 'bugprone-sizeof-expression', 'hw/veu/eu/decode/encoding.c',
             'sizeof(encoding->at)', 'sizeof(&encoding->at)'),
    Mutation(CPPCHECK, 'uninitvar', 'hw/veu/eu/decode/operand.c',
             'unsigned pitch = 4;', 'unsigned pitch;'),
    Mutation(SCAN, 'core.NullDereference', 'hw/veu/device/device.c',
             'if (!d) {\n        return NULL;', 'if (!d) {\n        d = NULL;'),
    Mutation(SCAN, 'unix.Malloc', 'hw/veu/device/device.c',
             '    free(d);', '    free(d);\n    free(d);'),
]
