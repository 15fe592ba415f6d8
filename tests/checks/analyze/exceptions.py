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
    Exceptional(GCC, '-Wanalyzer-null-dereference', 'hw/veu/device/slice.c',
                '!i->info', 'a thread without an instruction has ended'),
    Exceptional(GCC, UNINITIALISED, 'hw/veu/eu/message/fast_avx512_scatter.h',
                'to.inside[i]',
                'veu_avx512_place() has set as many as there are lanes for'),
    Exceptional(GCC, UNINITIALISED, 'hw/veu/eu/message/typed_fast.c', '',
                'lanes of a texel are set by functions of another file; what '
                'is or-ed to them comes after what sets them (is_first)'),
    Exceptional(GCC, '-Wanalyzer-null-dereference',
                'hw/veu/eu/surface/descriptor.c', 'a->shape->lod',
                'rules that come first refuse a type that has no shape'),
    Exceptional(GCC, '-Wanalyzer-null-dereference', 'tools/lib/file.c',
                'c->data[c->bytes] = 0', 'the first turn makes room'),
    Exceptional(GCC, '-Wanalyzer-null-dereference', 'tools/veu-run/memory.c',
                'area->', 'callers have asked whether the memory is there'),
    Exceptional(GCC, '-Wanalyzer-null-dereference', 'hw/veu/device/programs.c',
                '*loaded = (VeuLoaded){', 'without a free entry, the pool is '
                'asked for 0 bytes, and returns NULL'),
    Exceptional(GCC, '-Wanalyzer-null-dereference', 'tools/kernel/zebin.c',
                'memcpy(', 'relocations without a target were refused when '
                'the file was read'),
    Exceptional(GCC, '-Wanalyzer-null-dereference',
                'tools/veu-kernel/veu-kernel.c', 'error->message',
                'what returns NULL has set it'),
    Exceptional(GCC, '-Wanalyzer-null-dereference', 'tools/veu-run/named.c',
                'v->type', 'only names that were found are listed'),
    *(Exceptional(GCC, check, 'tools/visa/sampler_text.c', 'o->operation',
                  'the caller has asked visa_is_sampler()')
      for check in ('-Wanalyzer-null-dereference', '-Wnull-dereference')),
    Exceptional(GCC, '-Wanalyzer-possible-null-dereference',
                'tools/veu-linux/guest/list.c', 'list[i] = data',
                'the loop asks for it'),
    Exceptional(GCC, '-Wanalyzer-malloc-leak', 'tools/veu-linux/guest/list.c',
                'return list', 'the entries of the list point into it'),
    Exceptional(GCC, UNINITIALISED, 'hw/veu/eu/message/footprint.c',
                'dwords[bank][i]', 'count[bank] of them are set'),
    Exceptional(GCC, UNINITIALISED, 'tools/kernel/launch.c', 'id[d]',
                'walk_order is an order of all dimensions'),
    Exceptional(GCC, UNINITIALISED, 'tools/visa/suggest.c', 'row[',
                'the first loop sets all of them'),
    Exceptional(GCC, '-Wformat-nonliteral', 'tools/kernel/printf.c',
                'value', 'made of flags and a letter that '
                'were checked, for these arguments'),
    Exceptional(GCC, '-Wanalyzer-possible-null-dereference',
                'firmware/linux/examples/first_pointer.c', '[', 'an example '
                'of one page: Linux has blocks this small'),
    *(Exceptional(GCC, check, 'tools/lib/file.c', 'if (file &&',
                  'the standard streams stay open')
      for check in ('-Wanalyzer-file-leak', '-Wanalyzer-malloc-leak')),

    Exceptional(TIDY, 'bugprone-infinite-loop',
                'firmware/examples/animation.c', 'while (!status)',
                'it ends when the machine does'),
    Exceptional(TIDY, 'cert-dcl16-c', 'firmware/selftest/.*', '1ll <<',
                'the suffix is at a 1 that cannot be mistaken'),
    *(Exceptional(TIDY, NARROWING, file, text, reason)
      for file, text, reason in (
          ('firmware/lib/veu_encode.c', 's.value', 'an offset of 16 bits'),
          ('firmware/lib/veu_kernel_print.c', 'char byte', 'a character'),
          ('firmware/lib/veu_kernel_real.c', '',
           'characters, and an exponent of 11 bits'),
          ('hw/veu/eu/instruction/encoding.c', 'add_byte = bits',
           'two bytes, with their sign'),
          ('hw/veu/eu/instruction/float.c', '& most', 'at most 11 bits'),
          ('hw/veu/eu/instruction/math.c', 'x >> 64', 'its size is below 2^12'),
          ('hw/veu/eu/message/fast_elements.h', '_mm256_set1_epi32',
           'the low bits of an address are what counts'),
          ('hw/veu/eu/message/fast_pages.h', '_mm256_set1_epi32',
           'bits below a number of 32 bits'),
          ('tools/kernel/printf.c', 'text[0] =', 'a character'),
          ('firmware/examples/plasma.c', 'sine(i)', 'at most 2^14'),
          ('firmware/selftest/lettering.c', 'return result', 'a root: 2^20'),
          ('hw/veu/eu/decode/encoding.c', 'take(c, 2)',
           'two bytes, with their sign'),
          ('hw/veu/eu/message/fast_avx512_scatter.h', '_mm512_set1_epi32',
           'the low bits of an '
           'address are what counts'),
          ('hw/veu/eu/message/fast_avx512_texels.h',
           '_mm512_set1_epi32(level->y)',
           'the low bits of an offset are what counts'),
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
          ('hw/veu/device/kernel.c', 'VEU_LIMIT_GROUPS'),
          ('hw/veu/device/kernel.c', 'VEU_LIMIT_LAUNCH_BYTES'),
          ('hw/veu/device/launch_state.h', 'VEU_PAYLOAD_MAX_BYTES'),
          ('hw/veu/qemu/beat.c', 'VEU_BEAT_NS'),
          ('hw/veu/qemu/(engine|miss).c', 'VEU_PAUSE_SPIN_NS'),
          ('hw/veu/qemu/iotlb.c', 'VEU_IOTLB_PAGES'),
          ('hw/veu/qemu/poll.c', 'POLL_NS'),
          ('tools/visa/layout.c', 'VEU_LIMIT_REGISTER_BYTES'),
          ('tools/visa/program_read.c', 'VEU_LIMIT_PROGRAM_BYTES'),
          ('tools/visa/visa-tool.c', 'VISA_MAX_FILE_BYTES'))),
    Exceptional(TIDY, WIDENING, 'hw/veu/device/group.c', 'ROUND64(',
                'local memory, whose size is checked before'),
    Exceptional(TIDY, WIDENING, 'hw/veu/device/group.c', 'v->elements',
                'variables are not larger than the registers'),
    Exceptional(TIDY, WIDENING, 'hw/veu/eu/program/payload.h', '+ 63',
                'a few hundred predicates and addresses'),
    *(Exceptional(TIDY, 'cert-err33-c', file, text, reason)
      for file, text, reason in (
          ('tools/veu-bench/(kernels_)?report.c', 'fflush',
           'main() looks at the stream'),
          ('tools/veu-run/(kernel_show|state).c', '(stdout',
           'main() looks at the stream'),
          ('tools/veu-run/kernel_show.c', 'fwrite',
           'main() looks at the stream'),
          ('tools/lib/json.c', 'fwrite', 'main() looks at the stream'),
          ('firmware/linux/examples/picture.c', 'fwrite', 'ferror() tells'),
          ('(firmware/linux/lib/client_kernel|tools/lib/file|'
           'tools/veu-linux/guest/channel).c', 'fclose(file)',
           'the file was read'),
          ('tools/veu-format/convert.c', 'fclose', 'the file was read'))),
    *(Exceptional(TIDY, 'concurrency-mt-unsafe', file, text, 'there is one '
                  'thread yet')
      for file, text in (('hw/veu/eu/simd/cpu.c', 'getenv'),
                         ('tools/veu-.*', 'setlocale'),
                         ('tools/lib/options.c', 'exit('))),
    Exceptional(TIDY, 'concurrency-mt-unsafe',
                'firmware/linux/lib/client_error.c|hw/veu/qemu/capture.c|'
                'tools/veu-linux/guest/.*', 'strerror',
                'glibc\'s is safe for numbers that it knows'),
    *(Exceptional(TIDY, 'concurrency-mt-unsafe', 'tools/veu-linux/guest/.*',
                  text, 'the program in the guest has one thread')
      for text in ('readdir', 'ptsname', 'sigprocmask')),
    Exceptional(TIDY, 'bugprone-signed-char-misuse',
                'hw/veu/eu/instruction/handler_(stage_)?choose.c',
                'm->code != VEU_ANY_CODE',
                'codes are below 128, and VEU_ANY_CODE is asked for before'),
    Exceptional(TIDY, 'bugprone-signed-char-misuse,cert-str34-c',
                'hw/veu/eu/instruction/integer.c', 'with_sign',
                'it is named for its sign'),
    Exceptional(TIDY, 'cert-flp30-c', 'tools/lib/number.c', 'value /= 10',
                'counts digits'),
    Exceptional(TIDY, 'bugprone-suspicious-memory-comparison,cert-exp42-c,'
                'cert-flp37-c', 'tools/veu-bench/kernels_alu.c', 'memcmp',
                'all bits of the results have to be the same'),
    Exceptional(TIDY, 'bugprone-sizeof-expression',
                'hw/veu/capture/record.c|tools/.*',
                'g_clear_pointer', 'GLib\'s macro means the pointer\'s size'),
    *(Exceptional(TIDY, 'misc-no-recursion', file, '', reason)
      for file, reason in (
          ('firmware/x86/x86_serial.c', 'a line feed prints a return'),
          ('firmware/x86/x86_user.c', 'four levels of page tables'),
          ('hw/veu/eu/simd/cpu.c', 'AVX-512 asks for AVX2'),
          ('tools/visa/expression.c', 'MAX_DEPTH'))),

    Exceptional(CPPCHECK, 'comparePointers', 'firmware/x86/x86_smp.c',
                'x86_trampoline', 'the ends of one piece of code'),
    Exceptional(CPPCHECK, 'CastIntegerToAddressAtReturn',
                'hw/veu/eu/decode/message.c', 'choose_slm', 'it takes the '
                'type of the function for one that returns bool'),
    *(Exceptional(CPPCHECK, check, file, '', 'it cannot expand the macros: '
                  'the other tools read the file')
      for check, file in (
          ('unknownMacro', 'hw/veu/eu/instruction/handler_rows.h'),
          ('syntaxError', 'hw/veu/eu/instruction/table.c'))),
    Exceptional(CPPCHECK, 'memleak', 'firmware/linux/examples/first_pointer.c',
                'return 1', 'the process ends'),
    Exceptional(CPPCHECK, 'returnDanglingLifetime', 'hw/veu/device/request.c',
                'host->map(', 'map() does not keep the address of the size'),
    Exceptional(CPPCHECK, 'autoVariables', 'hw/veu/eu/decode/instruction.c',
                'c->from = &from', 'the caller does not use it afterwards'),
    Exceptional(CPPCHECK, 'uninitvar', 'hw/veu/eu/instruction/address.c',
                'sum[n]', 'both loops are of the same lanes'),
    Exceptional(CPPCHECK, 'pointerSize', 'hw/veu/eu/instruction/profile.c',
                'handler', 'it is an array of two pointers'),
    Exceptional(CPPCHECK, 'ctuuninitvar', 'hw/veu/eu/message/typed_fast.c',
                'texels->host = copy->bytes', 'only the address is taken'),
    Exceptional(CPPCHECK, 'legacyUninitvar', 'tools/kernel/operands.c',
                'memcpy(code, out', 'as many bytes are copied as were written'),
    Exceptional(CPPCHECK, 'autoVariables', 'tools/veu-run/kernel.c',
                'run->kernel = &k', 'only code that runs the kernel reads '
                'what it points to'),
    Exceptional(CPPCHECK, 'uninitvar', 'hw/veu/eu/surface/format.c', 'memcpy',
                'as many dwords are set as are copied'),
    *(Exceptional(CPPCHECK, 'nullPointerRedundantCheck', file, text,
                  'the loop looks at it before')
      for file, text in (
          ('firmware/linux/lib/client_address.c', '(*link)->client'),
          ('tools/visa/link.c', 's->alias'))),
    Exceptional(CPPCHECK, 'invalidPrintfArgType_uint',
                'firmware/linux/examples/picture.c', '', 'sides, which are '
                'constants'),
    Exceptional(SCAN, 'core.NullDereference', 'hw/veu/device/schedule.c',
                'next->', 'there is a ring: @rings is not 0'),
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
    *(Exceptional(SCAN, 'unix.Malloc', file, '', 'g_autofree frees it')
      for file in ('hw/veu/capture/rules.c', 'tools/kernel/(pack|place).c',
                   'tools/veu-bench/tables.c', 'tools/veu-run/(kernel_)?show.c',
                   'tools/veu-spec/veu-spec.c', 'tools/visa/disassemble.c')),
    Exceptional(SCAN, 'unix.Malloc',
                'firmware/linux/examples/first_(kernel|pointer).c', '',
                'the process ends'),
    Exceptional(SCAN, 'unix.Malloc', 'tools/veu-linux/guest/list.c',
                'return list', 'the entries of the list point into it'),
    Exceptional(SCAN, 'deadcode.DeadStores', 'tools/veu-run/tables.c',
                'data = content.data', 'g_autofree frees it'),
    Exceptional(SCAN, 'unix.cstring.NullArg', 'firmware/lib/veu_kernel_run.c',
                'surface_count', 'a kernel without a table has no surfaces'),
    Exceptional(SCAN, 'alpha.unix.SimpleStream', 'tools/lib/file.c', '',
                'the standard streams stay open'),
    *(Exceptional(SCAN, 'core.NullDereference', file, text, reason)
      for file, text, reason in (
          ('hw/veu/device/counters.c', 'd->counter', 'a ring has a device'),
          ('hw/veu/device/programs.c', '*loaded = (VeuLoaded){',
           'without a free entry, the pool is asked for 0 bytes, and returns '
           'NULL'),
          ('tools/veu-kernel/veu-kernel.c', 'error->message',
           'what returns NULL has set it'),
          ('tools/visa/program_write.c', 'sections[i]->data',
           'the first section is the code, and always there'))),
    Exceptional(SCAN, 'core.StackAddressEscape',
                'hw/veu/eu/decode/instruction.c', 'veu_operand_decode_source(',
                'the caller does not use it afterwards'),
    Exceptional(SCAN, 'core.DivideZero', 'hw/veu/eu/decode/load_sections.c',
                'entry_bytes', 'the type is one that has a rule'),
    Exceptional(SCAN, 'core.DivideZero', 'hw/veu/eu/instruction/float.c',
                'dividend / b.sig', 'to_top() has set the highest bit'),
    Exceptional(SCAN, 'core.CallAndMessage', 'tools/visa/instruction_walk.c',
                'visit(', 'callers without a function name no kinds'),
    Exceptional(SCAN, 'core.CallAndMessage', 'tools/veu-spec/messages.c',
                'place->at', 'messages have two scalars at most'),
    *(Exceptional(SCAN, check, file, '', 'a function of another file, or the '
                  'loop before, sets it')
      for check, file in (
          ('core.UndefinedBinaryOperatorResult',
           'hw/veu/eu/message/fast_targets.h'),
          ('core.uninitialized.UndefReturn',
           'hw/veu/eu/message/fast_targets.h'),
          ('core.UndefinedBinaryOperatorResult',
           'hw/veu/eu/message/typed_fast.c'),
          ('core.UndefinedBinaryOperatorResult',
           'tools/veu-run/kernel_(image|show).c'),
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
