/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: programs that were built ahead.
 */
#include "veu_image.h"

/* A section of the program that is completely present. */
struct section {
    const uint8_t *at;
    uint32_t bytes;
};

/* vISA has address variables of 1 to 16 elements. */
static bool read_addresses(struct veu_image *image, struct section section)
{
    struct veu_address address;

    while (section.bytes >= sizeof(address)) {
        __builtin_memcpy(&address, section.at, sizeof(address));
        if (address.elements > 16) {
            return false;
        }
        image->address_elements += address.elements;
        section.at += sizeof(address);
        section.bytes -= sizeof(address);
    }
    return true;
}

static bool read_section(struct veu_image *image, uint32_t type,
                         struct section section)
{
    switch (type) {
    case VEU_SECTION_VARIABLES:
        image->variables = section.at;
        image->variable_count = section.bytes / sizeof(struct veu_variable);
        break;
    case VEU_SECTION_PREDICATES:
        image->predicate_count = section.bytes / sizeof(struct veu_predicate);
        break;
    case VEU_SECTION_ADDRESSES:
        return read_addresses(image, section);
    default:
        break;
    }
    return true;
}

/*
 * Row @index of the section table. Returns false if it is not completely
 * present.
 */
static bool read_row(struct veu_image *image, uint32_t index)
{
    uint64_t at = sizeof(struct veu_program_header) +
                  (uint64_t)index * sizeof(struct veu_section);
    struct veu_section row;

    if (at + sizeof(row) > image->bytes) {
        return false;
    }
    __builtin_memcpy(&row, image->program + at, sizeof(row));
    if (row.offset > image->bytes || row.bytes > image->bytes - row.offset) {
        return false;
    }
    return read_section(image, row.type,
                        (struct section){ image->program + row.offset,
                                          row.bytes });
}

bool veu_image_open(struct veu_image *image, const void *program,
                    uint32_t capacity)
{
    struct veu_program_header header;

    if (capacity < sizeof(header)) {
        return false;
    }
    __builtin_memcpy(&header, program, sizeof(header));
    *image = (struct veu_image){
        .program = program,
        .bytes = header.bytes,
        .kind = header.kind,
        .grf_bytes = header.grf_bytes,
        .register_bytes = header.register_bytes,
    };
    if (header.magic != VEU_PROGRAM_MAGIC ||
        header.version != VEU_PROGRAM_VERSION || header.bytes > capacity ||
        header.bytes > VEU_IMAGE_MAX_BYTES ||
        header.register_bytes > VEU_IMAGE_MAX_BYTES) {
        return false;
    }
    for (uint32_t i = 0; i < header.section_count; i++) {
        if (!read_row(image, i)) {
            return false;
        }
    }
    return true;
}

uint32_t veu_image_offset(const struct veu_image *image, uint32_t id)
{
    struct veu_variable variable;
    uint32_t index = id - VEU_FIRST_VARIABLE;

    if (id < VEU_FIRST_VARIABLE || index >= image->variable_count) {
        return UINT32_MAX;
    }
    __builtin_memcpy(&variable, image->variables + index * sizeof(variable),
                     sizeof(variable));
    return variable.offset;
}

/* Predicate words, then address elements, in whole units of 64 bytes. */
static uint32_t head_bytes(const struct veu_image *image)
{
    uint32_t bytes = image->predicate_count * 4 + image->address_elements * 2;

    return sizeof(struct veu_payload_header) + (bytes + 63) / 64 * 64;
}

uint32_t veu_image_payload_bytes(const struct veu_image *image)
{
    return head_bytes(image) + image->register_bytes;
}

uint8_t *veu_image_registers(const struct veu_image *image, void *payload)
{
    return (uint8_t *)payload + head_bytes(image);
}
