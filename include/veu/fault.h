/*
 * veu ABI: faults and the records that describe them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VEU_FAULT_H
#define VEU_FAULT_H

#include "veu/base.h"

/*
 * Columns: name, code, effect (what had happened before it: VEU_EFFECT_*),
 * cause, what a driver should do. "detail" is a field of the record below.
 */
#define VEU_FAULTS(X)                                                          \
    X(RING_CONFIG, 0x01, RING,                                                 \
      "A ring register holds an illegal value; detail is its offset.",         \
      "Disable the ring, correct the register, enable it again.")              \
    X(RING_TAIL, 0x02, RING,                                                   \
      "The tail is more than RING_SLOTS ahead of the head, or a command "      \
      "reaches beyond it.",                                                    \
      "Store the tail after the last whole command, never beyond "             \
      "head + RING_SLOTS.")                                                    \
    X(RING_MEMORY, 0x03, RING,                                                 \
      "The slots or the shared block are not in RAM that the context "         \
      "reaches.",                                                              \
      "Enable bus mastering; give the ring memory that the device can reach.") \
    X(CONTEXT_TABLE, 0x04, RING,                                               \
      "The context's window table is not in RAM that the device reaches.",     \
      "Give CONTEXT_WINDOWS an address that the device can read.")             \
    X(CONTEXT_WINDOW, 0x05, RING,                                              \
      "A window is illegal; detail is the field's byte offset in the table.",  \
      "Align, sort and separate the windows; reserved fields are 0.")          \
    X(COMMAND_OPCODE, 0x10, COMMAND, "The command's opcode is unknown.",       \
      "Use an opcode that the specification lists.")                           \
    X(COMMAND_FIELD, 0x11, COMMAND,                                            \
      "A field of the command is illegal; detail is its byte offset.",         \
      "Correct the field; reserved fields are 0.")                             \
    X(COMMAND_MEMORY, 0x12, BYTES,                                             \
      "An address in the command is not RAM, or does not permit the "          \
      "required access.",                                                      \
      "Give the command an address that the context may read or write.")       \
    X(WAIT_TIMEOUT, 0x13, COMMAND,                                             \
      "The timeout of a WAIT expired before the word met the condition.",      \
      "Find out why the word was not stored; repeat or skip the command.")     \
    X(BUDGET, 0x14, PIECES, "The command costs more than RING_BUDGET.",        \
      "Find out why it takes this long; raise the budget, or split the "       \
      "command.")                                                              \
    X(PROGRAM_MEMORY, 0x20, COMMAND, "The program is not in readable RAM.",    \
      "Give the dispatch an address that the context can read.")               \
    X(PROGRAM_FIELD, 0x21, COMMAND,                                            \
      "A field of the program's header, section table, variables, "            \
      "predicates or address variables is illegal; detail is its byte offset " \
      "in the program.",                                                       \
      "Correct the field; see the LIMIT registers.")                           \
    X(PROGRAM_MESSAGES, 0x22, COMMAND,                                         \
      "The program has more messages than allowed.",                           \
      "Split it: LIMIT_MESSAGES is the maximum.")                              \
    X(PROGRAM_LABEL, 0x23, COMMAND,                                            \
      "A label's instruction is missing or elsewhere, or a goto leaves its "   \
      "routine; detail is the label's id.",                                    \
      "Give a label the offset of its instruction; do not leave routines.")    \
    X(PROGRAM_FLOW, 0x24, COMMAND,                                             \
      "A routine calls itself, or the code before it does not end with a "     \
      "return or goto; detail is its offset in the code.",                     \
      "End routines with a return; do not call recursively.")                  \
    X(PROGRAM_HANDLE, 0x25, COMMAND,                                           \
      "The context has no loaded program with this handle, or, for LOAD, "     \
      "already has one; detail is the handle.",                                \
      "Launch after the LOAD is done; load with a free handle.")               \
    X(PROGRAM_SPACE, 0x26, COMMAND,                                            \
      "The memory for loaded programs is full; detail is the contiguous "      \
      "bytes that are needed, or 0 if there are LIMIT_PROGRAMS programs.",     \
      "Unload programs, or give the device more program-memory.")              \
    X(MESSAGE_OPCODE, 0x30, COMMAND, "The message's opcode is unknown.",       \
      "Use a message that the specification lists.")                           \
    X(MESSAGE_TRUNCATED, 0x31, COMMAND,                                        \
      "The code ends inside the message; detail is the number of bytes left.", \
      "Check the size of the code and the fields before the message's end.")   \
    X(MESSAGE_FIELD, 0x32, COMMAND,                                            \
      "A field of the message has an illegal value; detail is its byte "       \
      "offset in the message.",                                                \
      "Encode a legal form of the message.")                                   \
    X(MESSAGE_OPERAND, 0x33, COMMAND,                                          \
      "An operand names no variable, has the wrong type or alignment, or "     \
      "reaches beyond its variable; detail is its byte offset in the "         \
      "message.",                                                              \
      "Declare the variable large enough, of a type that the message takes.")  \
    X(MESSAGE_PREDICATE, 0x34, COMMAND,                                        \
      "The predicate is not declared, or is smaller than mask offset + "       \
      "lanes; detail is its byte offset in the message.",                      \
      "Declare the predicate with enough bits.")                               \
    X(MESSAGE_LANES, 0x35, COMMAND,                                            \
      "Mask offset + lanes exceed the launch's SIMD size; detail is the "      \
      "byte offset of the size field in the message.",                         \
      "Dispatch with a larger SIMD size or use a lower mask offset.")          \
    X(INSTRUCTION_NOT_MODELLED, 0x36, COMMAND,                                 \
      "The instruction is known, but not modelled.",                           \
      "Compile for a target that does not need it; see the specification.")    \
    X(SURFACE_TABLE, 0x40, COMMAND,                                            \
      "A descriptor that a message names is not in readable RAM.",             \
      "Give the dispatch an address that the context can read.")               \
    X(SURFACE_FIELD, 0x41, COMMAND,                                            \
      "A field of a surface descriptor is illegal; detail is its byte "        \
      "offset in the table.",                                                  \
      "Correct the descriptor.")                                               \
    X(SURFACE_INDEX, 0x42, MESSAGE,                                            \
      "The message names a surface that is not in the dispatch's table, or a " \
      "sampler beyond 15.",                                                    \
      "Give the dispatch a table with an entry for every surface id.")         \
    X(SURFACE_KIND, 0x43, MESSAGE,                                             \
      "The message cannot access a surface of this kind.",                     \
      "Use a buffer for untyped messages, an image for typed ones.")           \
    X(SURFACE_NOT_MODELLED, 0x44, MESSAGE,                                     \
      "Surfaces 1 to 4 are not modelled.",                                     \
      "Use SLM (0), stateless (5) or a surface of the table (6 and up).")      \
    X(ADDRESS, 0x50, LANES,                                                    \
      "A lane's address is not RAM that the context reaches.",                 \
      "Check lane and address; map the memory or mask the lane.")              \
    X(ALIGNMENT, 0x51, LANES,                                                  \
      "A lane's address is not aligned as the message requires.",              \
      "Align the address to the block size.")                                  \
    X(REGISTER_TYPE, 0x52, MESSAGE,                                            \
      "strict-types=on: the data variable's type does not fit the surface.",   \
      "Declare the variable F, D or UD, as the format requires.")              \
    X(INDIRECT, 0x53, MESSAGE,                                                 \
      "An indirect operand is outside the register file; detail is its byte "  \
      "offset there.",                                                         \
      "Give the address variable a byte offset of the register file.")         \
    X(CALL, 0x54, MESSAGE,                                                     \
      "An indirect call of an address that is not a function, a call of a "    \
      "routine that is being executed, or too many nested calls; detail is "   \
      "the address called.",                                                   \
      "Call functions by the addresses that faddr returns; avoid recursion.")  \
    X(PAYLOAD_MEMORY, 0x60, THREAD,                                            \
      "An EU thread's payload is not in readable RAM.",                        \
      "Map payload_bytes at each payload_stride.")                             \
    X(PAYLOAD_FIELD, 0x61, THREAD,                                             \
      "A reserved field of a payload header is not 0; detail is its byte "     \
      "offset in the payload.",                                                \
      "Clear the reserved fields.")                                            \
    X(RESULT_MEMORY, 0x62, RESULT,                                             \
      "An EU thread's result is not in writable RAM.",                         \
      "Map result_bytes at each result_stride.")                               \
    X(SCANOUT_CONFIG, 0x70, FLIP,                                              \
      "A scanout register holds an illegal value; detail is its offset.",      \
      "Correct the register and flip again.")                                  \
    X(SCANOUT_MEMORY, 0x71, FLIP,                                              \
      "The descriptor, or a texel of the surface, is not in readable RAM.",    \
      "Give the scanout memory that its context can read.")                    \
    X(SCANOUT_FIELD, 0x72, FLIP,                                               \
      "A field of the surface descriptor is illegal; detail is its byte "      \
      "offset.",                                                               \
      "Correct the descriptor.")                                               \
    X(SCANOUT_SURFACE, 0x73, FLIP,                                             \
      "The surface is legal, but cannot be shown; detail is the byte offset "  \
      "of the field that prevents it: type, format or size.",                  \
      "Show a 2D surface of a listed format within the SCANOUT_LIMIT "         \
      "registers.")                                                            \
    X(SCANOUT_HOST, 0x74, FLIP,                                                \
      "The host does not have enough memory for a picture of this size.",      \
      "Show a smaller surface, or try again later.")

/** What had happened before a fault, by the third column of its row. */
#define VEU_EFFECT_RING    "Earlier commands are done."
#define VEU_EFFECT_COMMAND "The command has had no effect."
#define VEU_EFFECT_BYTES                                                    \
    "The command has had no effect, except for bytes_done bytes of a COPY " \
    "or FILL."
#define VEU_EFFECT_PIECES                                                    \
    "Work of RING_BUDGET units is done: EU threads and messages; of a COPY " \
    "or FILL, bytes_done bytes."
#define VEU_EFFECT_MESSAGE                                                  \
    "Other EU threads may be done; earlier messages of this one are; this " \
    "message has had no effect."
#define VEU_EFFECT_LANES                                                      \
    "Other EU threads may be done; earlier messages of this one are; so are " \
    "the lanes of this message that did not fault."
#define VEU_EFFECT_THREAD \
    "Other EU threads may be done; this one has had no effect."
#define VEU_EFFECT_RESULT \
    "Other EU threads may be done; all messages of this one are."
#define VEU_EFFECT_FLIP "The display shows what it showed before."

/** Codes: VEU_FAULT_RING_CONFIG, ... 0 is no fault. */
#define VEU_FAULT_CODE(name, code, effect, cause, advice) \
    VEU_FAULT_##name = (code),
enum veu_fault_code {
    VEU_FAULT_NONE = 0,
    VEU_FAULTS(VEU_FAULT_CODE)
};
#undef VEU_FAULT_CODE

/** The access that the device attempted at an address. */
enum veu_access {
    VEU_ACCESS_NONE = 0,
    VEU_ACCESS_READ = 1,
    VEU_ACCESS_WRITE = 2,
};

/** Value of a record's lane and element: does not apply. */
#define VEU_FAULT_NO_LANE        0xff
/** Value of a record's group, thread and message_offset: does not apply. */
#define VEU_FAULT_NOT_APPLICABLE 0xffffffffu

/**
 * A record of the fault queue. 64 bytes. Fields that do not apply are 0, or all
 * ones where their description says so.
 */
struct veu_fault_record {
    uint16_t code;   /**< enum veu_fault_code: see the table of faults */
    uint16_t ring;   /**< number of the ring */
    uint32_t slot;   /**< ring index of the command's first slot */
    uint32_t tag;    /**< the command's tag */
    uint8_t command; /**< the command's opcode */
    uint8_t access;  /**< enum veu_access: 0 none, 1 read, 2 write */
    uint8_t lane;    /**< first lane that faulted; 0xff: none */
    uint8_t element; /**< block of that lane; 0xff: none */
    uint32_t group;  /**< group of the EU thread; all ones: none */
    uint32_t thread; /**< EU thread in the group; all ones: none */
    /** offset of the message in the code section, bytes; all ones: none */
    uint32_t message_offset;
    uint8_t message_opcode; /**< first byte of the message */
    uint8_t message_sub;    /**< second byte of an SVM message that exists */
    uint16_t reserved;      /**< 0 */
    uint64_t address; /**< address that faulted: inaccessible or misaligned */
    uint32_t bytes;   /**< bytes of the element or block at that address */
    uint32_t bytes_done; /**< bytes that other lanes, or the command, moved */
    uint32_t lanes;  /**< lanes of the message that faulted, bit n = lane n */
    uint32_t detail; /**< see the fault's cause */
    uint64_t time;   /**< register TIME when it was recorded, ns */
};
VEU_ASSERT_SIZE(struct veu_fault_record, 64);
VEU_ASSERT_OFFSET(struct veu_fault_record, message_offset, 24);
VEU_ASSERT_OFFSET(struct veu_fault_record, address, 32);
VEU_ASSERT_OFFSET(struct veu_fault_record, time, 56);

/**
 * The fields of struct veu_fault_record that are numbers or masks, for tools
 * that print a record. Columns: name; kind (NUMBER, or MASK, which is printed
 * in hexadecimal); the value that means "does not apply". VEU_FAULT_ALWAYS is
 * no value of these fields: they always apply. Not listed are code, command,
 * access, message_opcode and message_sub, which have names, and address.
 */
#define VEU_FAULT_ALWAYS UINT64_MAX
#define VEU_FAULT_FIELDS(X)                             \
    X(ring, NUMBER, VEU_FAULT_ALWAYS)                   \
    X(slot, NUMBER, VEU_FAULT_ALWAYS)                   \
    X(tag, NUMBER, VEU_FAULT_ALWAYS)                    \
    X(group, NUMBER, VEU_FAULT_NOT_APPLICABLE)          \
    X(thread, NUMBER, VEU_FAULT_NOT_APPLICABLE)         \
    X(message_offset, NUMBER, VEU_FAULT_NOT_APPLICABLE) \
    X(lane, NUMBER, VEU_FAULT_NO_LANE)                  \
    X(element, NUMBER, VEU_FAULT_NO_LANE)               \
    X(lanes, MASK, 0)                                   \
    X(bytes, NUMBER, 0)                                 \
    X(bytes_done, NUMBER, VEU_FAULT_ALWAYS)             \
    X(detail, NUMBER, VEU_FAULT_ALWAYS)                 \
    X(time, NUMBER, VEU_FAULT_ALWAYS)

#endif /* VEU_FAULT_H */
