/*
 * veu unit tests: launches whose lanes access memory of a context.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_SVM_LAUNCHES_H
#define VEU_TEST_SVM_LAUNCHES_H

#include "tables.h"

/*
 * @groups groups, each with a payload of its own 256 bytes after the previous
 * one; @m, of 8 lanes, has its lanes' addresses at byte 64 of the payload and
 * its data at byte 128.
 */
static inline struct veu_command_dispatch svm_dispatch(Dev *d, TestMessage m,
                                                       unsigned groups)
{
    struct veu_command_dispatch c;

    d->program.header.register_bytes = 128;
    test_program_variable(&d->program, 0, 8, VEU_TYPE_UQ);
    test_program_variable(&d->program, 64, 8, VEU_TYPE_UD);
    m.address.id = 32;
    m.data.id = 33;
    test_program_add(&d->program, &m);
    c = dev_dispatch(d);
    c.launch.code_address = VA(DEV_PROGRAM);
    c.launch.payload_address = VA(DEV_PAYLOAD);
    c.launch.payload_bytes = 64 + 128;
    c.launch.payload_stride = 256;
    c.launch.groups = groups;
    return c;
}

/* In group g, each of 8 lanes stores 4 bytes. */
static inline struct veu_command_dispatch scatter(Dev *d, unsigned groups)
{
    return svm_dispatch(d, eu_message(TEST_SVM_SCATTER), groups);
}

/* The payload of a lane of @group, which is EU thread @group of a scatter. */
static inline void put_lane(Dev *d, unsigned group, unsigned lane,
                            uint64_t address)
{
    uint64_t at = DEV_PAYLOAD + group * 256;

    test_memory_put32(&d->host.memory, at, UINT32_MAX);
    test_memory_put64(&d->host.memory, at + 64 + lane * 8, address);
    test_memory_put32(&d->host.memory, at + 128 + lane * 4,
                      0x100 * (group + 1) + lane);
}

/* One group, whose 8 lanes increment words of DEV_DATA. */
static inline struct veu_command_dispatch increments(Dev *d)
{
    TestMessage m = eu_message(TEST_SVM_ATOMIC);

    m.op = TEST_INC;
    m.src0.id = m.src1.id = 0;
    for (unsigned lane = 0; lane < 8; lane++) {
        put_lane(d, 0, lane, VA(DEV_DATA) + lane * 4);
    }
    return svm_dispatch(d, m, 1);
}

#endif
