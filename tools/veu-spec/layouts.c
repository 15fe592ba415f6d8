/*
 * veu-spec: the layouts of the structures in include/veu.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Offsets and sizes come from the compiler. The fields of a structure must
 * cover it whole, so that none is forgotten here.
 */
#include <stddef.h>
#include <stdint.h>
#include "tools/veu-spec/veu-spec.h"
#include "veu/veu.h"

typedef struct Field {
    size_t offset;
    size_t bytes;
    const char *name;
    const char *text;
} Field;

#define MAX_FIELDS 32

typedef struct Layout {
    const char *name;
    size_t bytes;
    Field fields[MAX_FIELDS];
} Layout;

#define LAYOUT(type) .name = #type, .bytes = sizeof(struct type)
#define FIELD(type, field, text_)                                   \
    {                                                               \
        .offset = offsetof(struct type, field),                     \
        .bytes = sizeof(((struct type *)0)->field), .name = #field, \
        .text = text_,                                              \
    }

#define SHARED(field, text)    FIELD(veu_ring_shared, field, text)
#define HEADER(field, text)    FIELD(veu_command_header, field, text)
#define FENCE(field, text)     FIELD(veu_command_fence, field, text)
#define WAIT(field, text)      FIELD(veu_command_wait, field, text)
#define COPY(field, text)      FIELD(veu_command_copy, field, text)
#define FILL(field, text)      FIELD(veu_command_fill, field, text)
#define STAMP(field, text)     FIELD(veu_command_timestamp, field, text)
#define DISPATCH(field, text)  FIELD(veu_command_dispatch, field, text)
#define MESSAGE(field, text)   FIELD(veu_command_message, field, text)
#define PROGRAM(field, text)   FIELD(veu_program_header, field, text)
#define SECTION(field, text)   FIELD(veu_section, field, text)
#define VARIABLE(field, text)  FIELD(veu_variable, field, text)
#define PREDICATE(field, text) FIELD(veu_predicate, field, text)
#define ADDRESS(field, text)   FIELD(veu_address, field, text)
#define PAYLOAD(field, text)   FIELD(veu_payload_header, field, text)
#define SURFACE(field, text)   FIELD(veu_surface, field, text)
#define RECORD(field, text)    FIELD(veu_fault_record, field, text)
#define WINDOW(field, text)    FIELD(veu_window, field, text)

static const Layout layouts[] = {
    { LAYOUT(veu_window),
      .fields = {
          WINDOW(address, "first address"),
          WINDOW(bytes, "size, bytes"),
          WINDOW(permissions, "bit 0 read, bit 1 write"),
          WINDOW(reserved, "0"),
      } },
    { LAYOUT(veu_ring_shared),
      .fields = {
          SHARED(tail, "driver: index behind the last slot that it filled"),
          SHARED(fault_head,
                 "driver: index behind the last record that it read"),
          SHARED(reserved0, "driver: 0"),
          SHARED(head, "device: index past the last slot that is done and free "
                       "again"),
          SHARED(asleep, "device: 1 when it wants a kick, else 0"),
          SHARED(fault_tail,
                 "device: index behind the last record that it wrote"),
          SHARED(fault_overflow,
                 "device: faults since the enable that got no record"),
          SHARED(state, "device: as RING_STATE"),
          SHARED(reserved1, "not written by the device"),
      } },
    { LAYOUT(veu_command_header),
      .fields = {
          HEADER(opcode, "see Commands"),
          HEADER(slots, "length of the command, slots: the value of its row"),
          HEADER(flags, "bit 0 INTERRUPT: interrupt when the command is done; "
                        "other bits 0"),
          HEADER(tag, "any value; a fault record repeats it"),
      } },
    { LAYOUT(veu_command_nop),
      .fields = {
          FIELD(veu_command_nop, header, "struct veu_command_header"),
          FIELD(veu_command_nop, reserved, "0"),
      } },
    { LAYOUT(veu_command_fence),
      .fields = {
          FENCE(header, "struct veu_command_header"),
          FENCE(address, "where to store 8 bytes; a multiple of 8"),
          FENCE(value, "what to store"),
          FENCE(reserved, "0"),
      } },
    { LAYOUT(veu_command_wait),
      .fields = {
          WAIT(header, "struct veu_command_header"),
          WAIT(address, "of the word, 8 bytes; a multiple of 8"),
          WAIT(mask, "bits of the word that count"),
          WAIT(value, "what these are compared with"),
          WAIT(timeout_ns, "how long the ring waits, of TIME; 0: for ever"),
          WAIT(condition, "see below"),
          WAIT(reserved, "0"),
      } },
    { LAYOUT(veu_command_copy),
      .fields = {
          COPY(header, "struct veu_command_header"),
          COPY(source, "address of the first byte, any alignment"),
          COPY(destination, "address of its copy, any alignment"),
          COPY(bytes, "how many; 0: none"),
          COPY(reserved, "0"),
      } },
    { LAYOUT(veu_command_fill),
      .fields = {
          FILL(header, "struct veu_command_header"),
          FILL(pattern, "8 bytes that are stored again and again"),
          FILL(destination, "address of the first byte, any alignment"),
          FILL(bytes, "how many are stored in all; 0: none"),
          FILL(reserved, "0"),
      } },
    { LAYOUT(veu_command_timestamp),
      .fields = {
          STAMP(header, "struct veu_command_header"),
          STAMP(address, "where to store 8 bytes; a multiple of 8"),
          STAMP(reserved, "0"),
      } },
    { LAYOUT(veu_command_dispatch),
      .fields = {
          DISPATCH(header, "struct veu_command_header"),
          DISPATCH(launch.code_address, "address of the program"),
          DISPATCH(launch.code_bytes,
                   "size of the program, 32 to LIMIT_PROGRAM_BYTES"),
          DISPATCH(launch.simd, "lanes of an EU thread: 8, 16 or 32"),
          DISPATCH(launch.grf_bytes, "0: the program says it"),
          DISPATCH(launch.variable_count, "0: the program says it"),
          DISPATCH(launch.predicate_count, "0: the program says it"),
          DISPATCH(launch.surface_table,
                   "address of an array of struct veu_surface"),
          DISPATCH(launch.surface_count,
                   "entries of the array, 0 to LIMIT_SURFACES; entry i is "
                   "surface 6 + i"),
          DISPATCH(launch.slm_bytes,
                   "shared local memory of a group, 0 to LIMIT_SLM_BYTES"),
          DISPATCH(launch.payload_address, "address of EU thread 0's payload"),
          DISPATCH(launch.result_address, "address of EU thread 0's result"),
          DISPATCH(launch.payload_stride,
                   "bytes from one EU thread's payload to the next one's"),
          DISPATCH(launch.result_stride,
                   "bytes from one EU thread's result to the next one's"),
          DISPATCH(launch.payload_bytes,
                   "size of a payload: 0, or 64 up to the end of the "
                   "register file"),
          DISPATCH(launch.result_bytes, "size of a result; 0: none"),
          DISPATCH(launch.result_offset,
                   "first byte of the register file that goes into it"),
          DISPATCH(launch.exec_mask, "lanes that may run, bit n = lane n"),
          DISPATCH(launch.threads, "EU threads of a group, 1 to LIMIT_THREADS"),
          DISPATCH(launch.groups, "groups, 1 to LIMIT_GROUPS"),
          DISPATCH(launch.stateless_base, "address of surface 5"),
          DISPATCH(launch.stateless_bytes, "size of surface 5, 0 to 2^32"),
          DISPATCH(launch.reserved, "0"),
      } },
    { LAYOUT(veu_command_message),
      .fields = {
          MESSAGE(header, "struct veu_command_header"),
          MESSAGE(launch, "as in a dispatch, but see the rules below"),
          MESSAGE(variables, "8 of struct veu_variable; entry i declares "
                             "V(32 + i)"),
          MESSAGE(message, "the encoded message"),
      } },
    { LAYOUT(veu_program_header),
      .fields = {
          PROGRAM(magic, "0x50554556, \"VEUP\""),
          PROGRAM(version, "1"),
          PROGRAM(kind, "0: messages, run one after the other"),
          PROGRAM(bytes, "size of the program; equal to the dispatch's "
                         "code_bytes"),
          PROGRAM(grf_bytes, "size of a register: 32 or 64"),
          PROGRAM(section_count, "entries of the section table, 1 to 4"),
          PROGRAM(entry, "byte of the code where execution starts"),
          PROGRAM(register_bytes,
                  "register file of an EU thread, 0 to LIMIT_REGISTER_BYTES"),
          PROGRAM(reserved, "0"),
      } },
    { LAYOUT(veu_section),
      .fields = {
          SECTION(type, "1 code, 2 variables, 3 predicates, 4 address "
                        "variables"),
          SECTION(offset, "from the start of the program; a multiple of 4"),
          SECTION(bytes, "size of the section"),
          SECTION(reserved, "0"),
      } },
    { LAYOUT(veu_variable),
      .fields = {
          VARIABLE(offset, "first byte in the register file, any alignment"),
          VARIABLE(elements, "number of elements, 1 or more"),
          VARIABLE(type, "see Types"),
          VARIABLE(reserved, "0"),
      } },
    { LAYOUT(veu_predicate),
      .fields = {
          PREDICATE(bits, "lanes that it covers, 1 to 32"),
          PREDICATE(reserved, "0"),
      } },
    { LAYOUT(veu_address),
      .fields = {
          ADDRESS(elements, "number of elements, 1 to 16"),
          ADDRESS(reserved, "0"),
      } },
    { LAYOUT(veu_payload_header),
      .fields = {
          PAYLOAD(exec_mask, "lanes that run, bit n = lane n"),
          PAYLOAD(reserved, "0"),
      } },
    { LAYOUT(veu_surface),
      .fields = {
          SURFACE(base, "address of level 0, slice 0; with flag SLM: offset in "
                        "shared local memory"),
          SURFACE(format, "see Formats"),
          SURFACE(type, "0 1D, 1 2D, 2 3D, 3 cube, 4 buffer, 7 null"),
          SURFACE(tiling, "0 linear, 1 X, 2 Y, 3 Tile4"),
          SURFACE(width, "texels of a row of level 0, or elements of a buffer"),
          SURFACE(height, "rows of level 0"),
          SURFACE(depth, "slices of level 0: array elements, faces, or z"),
          SURFACE(pitch, "bytes from one row to the next"),
          SURFACE(qpitch, "rows from one slice to the next; 1D array: texels"),
          SURFACE(min_array_element, "slice that is accessed as slice 0"),
          SURFACE(view_extent, "slices that can be accessed; 0: all from "
                               "min_array_element on"),
          SURFACE(levels, "mip levels that can be accessed"),
          SURFACE(min_lod, "level that is accessed as LOD 0"),
          SURFACE(flags, "bit 0 SLM, bit 1 ARRAY; other bits 0"),
          SURFACE(halign, "texels that a level's width is padded to"),
          SURFACE(valign, "rows that a level's height is padded to"),
          SURFACE(reserved, "0"),
      } },
    { LAYOUT(veu_fault_record),
      .fields = {
          RECORD(code, "see the table of faults"),
          RECORD(ring, "number of the ring"),
          RECORD(slot, "ring index of the command's first slot"),
          RECORD(tag, "the command's tag"),
          RECORD(command, "the command's opcode"),
          RECORD(access, "0 none, 1 read, 2 write"),
          RECORD(lane, "first lane that faulted; 0xff: none"),
          RECORD(element, "block of that lane; 0xff: none"),
          RECORD(group, "group of the EU thread; all ones: none"),
          RECORD(thread, "EU thread in the group; all ones: none"),
          RECORD(message_offset,
                 "of the message in the code section; all ones: none"),
          RECORD(message_opcode, "first byte of the message"),
          RECORD(message_sub, "second byte of an SVM message that exists"),
          RECORD(reserved, "0"),
          RECORD(address, "that could not be accessed, or is misaligned"),
          RECORD(bytes, "of the element or block at that address"),
          RECORD(bytes_done, "that the message's other lanes moved, or the "
                             "COPY or FILL"),
          RECORD(lanes, "all lanes of the message that faulted, bit n = "
                        "lane n of the message"),
          RECORD(detail, "as the fault's cause says"),
          RECORD(time, "register TIME when it was recorded, ns"),
      } },
};

/* The last part of a name: "launch.simd" is "simd". */
static const char *short_name(const char *name)
{
    for (const char *c = name; *c; c++) {
        if (*c == '.') {
            name = c + 1;
        }
    }
    return name;
}

static bool add_layout(GPtrArray *tables, const Layout *layout)
{
    static const SpecColumn columns[] = { { "Offset", "offset" },
                                          { "Bytes", "bytes" },
                                          { "Field", "name" },
                                          { "Meaning", "text" },
                                          { 0 } };
    SpecTable *t = spec_table(tables, "structures", layout->name, layout->name,
                              columns);
    size_t at = 0;

    for (const Field *f = layout->fields; f->name; f++) {
        if (f->offset != at) {
            g_printerr("veu-spec: gap before %s of %s\n", f->name,
                       layout->name);
            return false;
        }
        spec_number(t, f->offset);
        spec_number(t, f->bytes);
        spec_code(t, short_name(f->name));
        spec_text(t, f->text);
        at += f->bytes;
    }
    if (at != layout->bytes) {
        g_printerr("veu-spec: fields of %s are missing\n", layout->name);
    }
    return at == layout->bytes;
}

bool spec_layouts(GPtrArray *tables)
{
    bool ok = true;

    for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
        ok = add_layout(tables, &layouts[i]) && ok;
    }
    return ok;
}
