/*
 * veu execution unit: SAMPLE_LZ, LOAD_LZ.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Coordinates and filters are those of the OpenCL specification, "Image
 * addressing and filtering", in single precision and in its order
 * (docs/spec.md, section 8.7, sample_lz). A texel of the border has zero bits:
 * channels that the format lacks read as they do inside.
 */
#include <string.h>
#include "hw/veu/eu/message/surface_operand.h"
#include "hw/veu/eu/message/texels.h"
#include "hw/veu/eu/surface/texel.h"

#define MAX_AXES    3
#define MAX_CORNERS (1u << MAX_AXES)

/* Where a lane reads along an axis: one texel, or two with their weights. */
typedef struct Axis {
    uint32_t at[2];
    float weight[2];
} Axis;

/* The place of a lane: U, V and R of its texels. */
typedef struct Place {
    Axis axis[MAX_AXES];
} Place;

/* The texels that a message reads: one of each lane for each corner. */
typedef struct Sampling {
    const VeuSurface *surface;
    const struct veu_sampler *sampler;
    bool linear;
    unsigned corners;
    Place place[VEU_MAX_LANES];
    VeuPlan plan[MAX_CORNERS];
} Sampling;

/* --- Coordinates --------------------------------------------------------- */

/* Floats of at least this magnitude are integers. */
#define ALL_INTEGERS 8388608.0f

static float round_down(float x)
{
    float whole;

    if (!(x > -ALL_INTEGERS && x < ALL_INTEGERS)) {
        return x;
    }
    whole = (int32_t)x;
    return whole > x ? whole - 1 : whole;
}

static float round_even(float x)
{
    float low = round_down(x);
    float rest = x - low;
    bool up = rest > 0.5f ||
              (rest == 0.5f && round_down(low * 0.5f) != low * 0.5f);

    return up ? low + 1 : low;
}

/* Rounds the product by itself: the exact product fits a double. */
static float product(float a, float b)
{
    return (double)a * b;
}

/*
 * NaN becomes 0, as in conversions. Coordinates far outside any surface are
 * clamped.
 */
static int32_t to_integer(float x)
{
    return x >= 1e9f ? 1e9f : x <= -1e9f ? -1e9f : x == x ? x : 0;
}

static int32_t clamp(int32_t i, int32_t size)
{
    return i < 0 ? 0 : i < size ? i : size - 1;
}

/* Scales a coordinate to texels, before out-of-bounds checks. */
static float scale(const struct veu_sampler *s, float x, float size)
{
    if (s->addressing == VEU_ADDRESSING_REPEAT) {
        return product(x - round_down(x), size);
    }
    if (s->addressing == VEU_ADDRESSING_MIRROR) {
        x -= 2.0f * round_even(0.5f * x);
        x = x < 0 ? -x : x;
    }
    return s->flags & VEU_SAMPLER_NORMALIZED ? product(x, size) : x;
}

/* A border texel gets a number that no surface has. */
static uint32_t wrap(const struct veu_sampler *s, int32_t i, int32_t size)
{
    switch (s->addressing) {
    case VEU_ADDRESSING_BORDER:
        return i;
    case VEU_ADDRESSING_REPEAT:
        return i < 0 ? i + size : i >= size ? i - size : i;
    default:
        return clamp(i, size);
    }
}

static void place_axis(const Sampling *p, float x, uint32_t size, Axis *axis)
{
    float from = scale(p->sampler, x, size) - (p->linear ? 0.5f : 0.0f);
    float low = round_down(from);
    int32_t i = to_integer(low);

    axis->at[0] = wrap(p->sampler, i, size);
    axis->at[1] = wrap(p->sampler, i + 1, size);
    axis->weight[1] = from - low;
    axis->weight[0] = 1.0f - axis->weight[1];
}

/* The element of an array is selected without filtering. */
static void place_slice(float x, uint32_t slices, Axis *axis)
{
    *axis = (Axis){ { clamp(to_integer(round_even(x)), slices) }, { 1.0f } };
}

static float float_of(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

static float coordinate(const VeuThread *t, const VeuRaw *raw, unsigned lane)
{
    return float_of(veu_lane_dword(t, raw, lane));
}

static void place_lane(const VeuThread *t, const VeuMessage *m,
                       const Sampling *p, unsigned lane, Place *place)
{
    const VeuShape *shape = p->surface->shape;
    const VeuLevel *level = &p->surface->level[0];
    float v = coordinate(t, &m->v, lane);
    float r = coordinate(t, &m->r, lane);

    *place = (Place){ 0 };
    place_axis(p, coordinate(t, &m->address, lane), level->width,
               &place->axis[0]);
    if (shape->v_row) {
        place_axis(p, v, level->height, &place->axis[1]);
    }
    if (shape->array) {
        place_slice(shape->v_row ? r : v, level->slices, &place->axis[2]);
    } else if (shape->r_slice) {
        place_axis(p, r, level->slices, &place->axis[2]);
    }
}

/* --- Texels -------------------------------------------------------------- */

static void plan_corner(VeuThread *t, const VeuMessage *m, Sampling *p,
                        unsigned corner)
{
    const VeuSurface *s = p->surface;
    VeuPlan *plan = &p->plan[corner];

    plan->live = 0;
    plan->outside = 0;
    VEU_FOR_EACH_LANE(lane, t->active) {
        const Axis *axis = p->place[lane].axis;
        uint32_t slice = axis[2].at[corner >> 2];
        VeuCoordinates at = {
            .u = axis[0].at[corner & 1],
            .v = s->shape->v_row ? axis[1].at[corner >> 1 & 1] : slice,
            .r = slice,
        };

        veu_plan_texel(t, m, s, lane, &at, plan);
    }
}

/* The lanes whose texels are all read, or in the border. */
static uint32_t whole_lanes(const Sampling *p)
{
    uint32_t lanes = UINT32_MAX;

    for (unsigned c = 0; c < p->corners; c++) {
        lanes &= p->plan[c].live | p->plan[c].outside;
    }
    return lanes;
}

static float weight(const Axis *axis, unsigned corner, unsigned corners)
{
    float u = axis[0].weight[corner & 1];
    float v = corners > 2 ? axis[1].weight[corner >> 1 & 1] : 1.0f;
    float r = corners > 4 ? axis[2].weight[corner >> 2] : 1.0f;

    return product(product(u, v), r);
}

/* Adds the texels that the lanes read at a corner. */
static void add_corner(const Sampling *p, unsigned corner,
                       const uint32_t *values, uint32_t lanes, float *sums)
{
    VEU_FOR_EACH_LANE(lane, lanes) {
        sums[lane] += product(float_of(values[lane]),
                              weight(p->place[lane].axis, corner, p->corners));
    }
}

typedef uint32_t Channels[4][VEU_MAX_LANES];

static void read_nearest(const VeuMessage *m, const Sampling *p, Channels out)
{
    const VeuFormat *format = p->surface->format;
    VeuTexels texels;

    veu_load_texels(format, &p->plan[0], &texels);
    for (unsigned name = 0; name < 4; name++) {
        veu_channel_values(format, &texels, name, out[name], m->lanes);
    }
}

static void read_linear(const VeuMessage *m, const Sampling *p, uint32_t lanes,
                        Channels out)
{
    const VeuFormat *format = p->surface->format;
    float sums[4][VEU_MAX_LANES] = { 0 };
    uint32_t values[VEU_MAX_LANES];
    VeuTexels texels;

    for (unsigned c = 0; c < p->corners; c++) {
        veu_load_texels(format, &p->plan[c], &texels);
        for (unsigned name = 0; name < 4; name++) {
            veu_channel_values(format, &texels, name, values, m->lanes);
            add_corner(p, c, values, lanes, sums[name]);
        }
    }
    memcpy(out, sums, sizeof(sums));
}

static bool finish(VeuThread *t, const VeuMessage *m, const Sampling *p,
                   uint32_t lanes, Channels values)
{
    uint32_t texels = 0;

    for (unsigned name = 0; name < 4 && !m->data.null; name++) {
        if (m->channels & (1u << name)) {
            veu_write_channel(t, m, p->surface->format, name, values[name],
                              lanes);
        }
    }
    for (unsigned c = 0; c < p->corners; c++) {
        texels += veu_lane_count(p->plan[c].live & lanes);
    }
    return veu_finish(t, texels * veu_format_moved_bytes(p->surface->format,
                                                         m->channels));
}

/* --- Messages ------------------------------------------------------------ */

static const struct veu_sampler *find_sampler(VeuThread *t)
{
    if (t->sampler_index >= VEU_SAMPLERS) {
        veu_fault_form(&t->fault, VEU_FAULT_SURFACE_INDEX, 0);
        return NULL;
    }
    return &t->samplers[t->sampler_index];
}

static unsigned count_corners(const Sampling *p)
{
    const VeuShape *shape = p->surface->shape;

    return !p->linear                         ? 1 :
           p->surface->type == VEU_SURFACE_3D ? 8 :
           shape->v_row                       ? 4 :
                                                2;
}

bool veu_execute_sample(VeuThread *t, const VeuMessage *m)
{
    Sampling p = { .surface = veu_surface_typed(t, m) };
    Channels values;
    uint32_t lanes;

    if (!p.surface) {
        return false;
    }
    p.sampler = find_sampler(t);
    if (!p.sampler) {
        return false;
    }
    /* Integers are not filtered. */
    p.linear = p.sampler->filter == VEU_FILTER_LINEAR &&
               veu_format_register_type(p.surface->format) == VEU_TYPE_F;
    p.corners = count_corners(&p);
    VEU_FOR_EACH_LANE(lane, t->active) {
        place_lane(t, m, &p, lane, &p.place[lane]);
    }
    for (unsigned c = 0; c < p.corners; c++) {
        plan_corner(t, m, &p, c);
    }
    if (veu_plan_waits(t)) {
        return false;
    }
    lanes = whole_lanes(&p) & t->active;
    if (p.linear) {
        read_linear(m, &p, lanes, values);
    } else {
        read_nearest(m, &p, values);
    }
    return finish(t, m, &p, lanes, values);
}

bool veu_execute_load(VeuThread *t, const VeuMessage *m)
{
    const VeuSurface *s = veu_surface_typed(t, m);
    VeuPlan plan;

    if (!s) {
        return false;
    }
    veu_plan_texels(t, m, s, &plan);
    return !veu_plan_waits(t) && veu_read_texels(t, m, s->format, &plan);
}
