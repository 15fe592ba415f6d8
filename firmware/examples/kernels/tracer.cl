/*
 * SPDX-License-Identifier: MIT
 *
 * README's picture: balls that spell "veu" on a floor of tiles. "compile" in
 * this folder makes tracer.zebin of it, and the build a packed kernel of that.
 */
#define POINTS  2 /* of a pixel */
#define BOUNCES 3
#define FAR     1e6f
#define UNIT    0.18f
#define RADIUS  (2 * UNIT)

/* Centres of the balls, in units; letters stand side by side. */
constant char2 balls[] = {
    /* v */
    { 0, 16 }, { 2, 12 }, { 4, 8 }, { 6, 4 }, { 8, 0 },
    { 10, 4 }, { 12, 8 }, { 14, 12 }, { 16, 16 },
    /* e */
    { 28, 8 }, { 32, 8 }, { 36, 8 }, { 40, 8 }, { 39, 12 }, { 36, 15 },
    { 32, 16 }, { 28, 15 }, { 25, 12 }, { 24, 8 }, { 25, 4 }, { 28, 1 },
    { 32, 0 }, { 36, 1 },
    /* u */
    { 46, 16 }, { 46, 12 }, { 46, 8 }, { 46, 4 }, { 48, 1 }, { 52, 0 },
    { 56, 1 }, { 60, 0 }, { 60, 4 }, { 60, 8 }, { 60, 12 }, { 60, 16 },
};

/* The balls from first to end - 1 are a letter, between left and right. */
typedef struct {
    uchar first, end;
    char left, right;
    float3 colour;
} Letter;

constant Letter letters[] = {
    { 0, 9, 0, 16, { 0.95f, 0.30f, 0.10f } },
    { 9, 23, 24, 40, { 0.98f, 0.72f, 0.10f } },
    { 23, 35, 46, 60, { 0.08f, 0.50f, 0.75f } },
};
#define LETTERS 3
#define MIDDLE  30

typedef struct {
    float distance;
    float3 normal;
    float3 colour;
    float mirror; /* the share of light that comes of the mirrored ray */
} Hit;

static float3 centre(uint i)
{
    return (float3)((balls[i].x - MIDDLE) * UNIT, balls[i].y * UNIT + RADIUS,
                    0);
}

/* The distance to a ball along the ray; FAR where it misses. */
static float meet_ball(float3 from, float3 ray, float3 middle, float radius)
{
    float3 to = middle - from;
    float along = dot(to, ray);
    float inside = radius * radius - (dot(to, to) - along * along);
    float distance = along - sqrt(fmax(inside, 0.0f));

    return inside > 0 && distance > 1e-3f ? distance : FAR;
}

/* All balls of a letter are in a box: most rays miss it. */
static bool meets_box(float3 from, float3 inverse, constant Letter *letter)
{
    float left = (letter->left - MIDDLE) * UNIT - RADIUS;
    float right = (letter->right - MIDDLE) * UNIT + RADIUS;
    float3 low = ((float3)(left, 0, -RADIUS) - from) * inverse;
    float3 high = ((float3)(right, 16 * UNIT + 2 * RADIUS, RADIUS) - from) *
                  inverse;
    float3 in = fmin(low, high);
    float3 out = fmax(low, high);
    float end = fmin(fmin(out.x, out.y), out.z);

    return end > 0 && fmax(fmax(in.x, in.y), in.z) < end;
}

static void meet_letter(float3 from, float3 ray, constant Letter *letter,
                        Hit *hit)
{
    for (uint i = letter->first; i < letter->end; i++) {
        float distance = meet_ball(from, ray, centre(i), RADIUS);

        if (distance < hit->distance) {
            hit->distance = distance;
            hit->normal = (from + ray * distance - centre(i)) / RADIUS;
            hit->colour = letter->colour;
            hit->mirror = 0.25f;
        }
    }
}

static void meet_balls(float3 from, float3 ray, Hit *hit)
{
    for (uint i = 0; i < LETTERS; i++) {
        if (meets_box(from, 1 / ray, &letters[i])) {
            meet_letter(from, ray, &letters[i], hit);
        }
    }
}

static void meet_floor(float3 from, float3 ray, Hit *hit)
{
    float distance = ray.y < 0 ? -from.y / ray.y : FAR;
    float3 at = from + ray * distance;
    int tile = (int)floor(at.x * 0.6f) + (int)floor(at.z * 0.6f);

    if (distance > 1e-3f && distance < hit->distance) {
        hit->distance = distance;
        hit->normal = (float3)(0, 1, 0);
        hit->colour = tile & 1 ? (float3)(0.82f, 0.84f, 0.88f) :
                                 (float3)(0.13f, 0.17f, 0.28f);
        hit->mirror = 0.30f;
    }
}

static float3 sky(float3 ray)
{
    float up = fmax(ray.y, 0.0f);
    float3 low = (float3)(0.98f, 0.72f, 0.50f);
    float3 high = (float3)(0.16f, 0.28f, 0.62f);

    return mix(low, high, sqrt(up));
}

static bool is_in_shadow(float3 from, float3 to_light)
{
    Hit hit = { .distance = FAR };

    meet_balls(from, to_light, &hit);
    return hit.distance < FAR;
}

static float3 light_of(float3 at, float3 ray, const Hit *hit)
{
    float3 to_light = normalize((float3)(-0.55f, 0.75f, -0.6f));
    float facing = fmax(dot(hit->normal, to_light), 0.0f);
    float3 half_way = normalize(to_light - ray);
    float shine = fmax(dot(hit->normal, half_way), 0.0f);
    float ambient = 0.25f + 0.15f * hit->normal.y;

    if (facing > 0 && is_in_shadow(at, to_light)) {
        facing = shine = 0;
    }
    shine *= shine;
    shine *= shine;
    shine *= shine;
    shine *= shine * shine * shine;
    return hit->colour * (ambient + 0.75f * facing) + 0.5f * shine;
}

static float3 trace(float3 from, float3 ray)
{
    float3 colour = 0;
    float share = 1;

    for (int bounce = 0; bounce < BOUNCES; bounce++) {
        Hit hit = { .distance = FAR };

        meet_floor(from, ray, &hit);
        meet_balls(from, ray, &hit);
        if (hit.distance >= 60) {
            return colour + share * sky(ray);
        }
        from += ray * hit.distance;
        /* What is far away fades into the sky. */
        float fog = hit.distance / 60;
        float3 lit = mix(light_of(from, ray, &hit), sky(ray), fog * fog);
        colour += share * (1 - hit.mirror) * lit;
        share *= hit.mirror;
        ray -= 2 * dot(ray, hit.normal) * hit.normal;
    }
    return colour;
}

kernel void tracer(write_only image2d_t picture)
{
    int2 size = get_image_dim(picture);
    int2 pixel = (int2)(get_global_id(0), get_global_id(1));
    float3 eye = (float3)(-2.4f, 2.7f, -11.0f);
    float3 forward = normalize((float3)(0, 1.35f, 0) - eye);
    float3 right = normalize(cross((float3)(0, 1, 0), forward));
    float3 up = cross(forward, right);
    float3 colour = 0;

    for (int i = 0; i < POINTS; i++) {
        float2 point = (float2)(pixel.x + 0.25f + 0.5f * i,
                                pixel.y + 0.25f + 0.5f * i);
        float x = (2 * point.x - size.x) / size.y;
        float y = 1 - 2 * point.y / size.y;

        colour += trace(eye, normalize(forward * 2.3f + x * right + y * up));
    }
    colour = sqrt(fmin(colour / POINTS, 1.0f));
    write_imagef(picture, pixel, (float4)(colour, 1));
}
