/* SPDX-License-Identifier: GPL-2.0-or-later */
constant sampler_t linear_repeat = CLK_NORMALIZED_COORDS_TRUE |
                                   CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
constant sampler_t nearest_edge = CLK_NORMALIZED_COORDS_FALSE |
                                  CLK_ADDRESS_CLAMP_TO_EDGE |
                                  CLK_FILTER_NEAREST;
constant sampler_t nearest_none = CLK_NORMALIZED_COORDS_FALSE |
                                  CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;

/* Rotated about its middle; what is beyond the edge is the opposite side. */
kernel void image_rotate(read_only image2d_t from, write_only image2d_t to,
                         float cosine, float sine)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float2 size = (float2)(get_global_size(0), get_global_size(1));
    float2 p = (convert_float2(at) + 0.5f) / size - 0.5f;
    float2 q = (float2)(p.x * cosine - p.y * sine, p.x * sine + p.y * cosine);

    write_imagef(to, at, read_imagef(from, linear_repeat, q + 0.5f));
}

/* A filter of 3 x 3 weights. */
kernel void image_filter(read_only image2d_t from, write_only image2d_t to,
                         global const float *weights)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0;

    for (int i = 0; i < 9; i++) {
        sum += weights[i] * read_imagef(from, nearest_edge,
                                        at + (int2)(i % 3 - 1, i / 3 - 1));
    }
    write_imagef(to, at, sum);
}

/* Texels at any points, inside and out. */
kernel void image_points(read_only image2d_t from, global const float2 *at,
                         global float4 *to, sampler_t sampler, float scale,
                         float origin)
{
    int i = get_global_id(0);

    to[i] = read_imagef(from, sampler, at[i] * scale + origin);
}

kernel void image_points_signed(read_only image2d_t from,
                                global const float2 *at, global int4 *to,
                                sampler_t sampler, float scale, float origin)
{
    int i = get_global_id(0);

    to[i] = read_imagei(from, sampler, at[i] * scale + origin);
}

kernel void image_points_unsigned(read_only image2d_t from,
                                  global const float2 *at, global uint4 *to,
                                  sampler_t sampler, float scale, float origin)
{
    int i = get_global_id(0);

    to[i] = read_imageui(from, sampler, at[i] * scale + origin);
}

kernel void image_points_array(read_only image2d_array_t from,
                               global const float4 *at, global float4 *to,
                               sampler_t sampler, float scale, float origin)
{
    int i = get_global_id(0);

    to[i] = read_imagef(from, sampler, at[i] * (float4)(scale, scale, 7, 1) +
                                           origin);
}

kernel void image_points_volume(read_only image3d_t from,
                                global const float4 *at, global float4 *to,
                                sampler_t sampler, float scale, float origin)
{
    int i = get_global_id(0);

    to[i] = read_imagef(from, sampler, at[i] * scale + origin);
}

kernel void image_points_line(read_only image1d_t from, global const float *at,
                              global float4 *to, sampler_t sampler, float scale,
                              float origin)
{
    int i = get_global_id(0);

    to[i] = read_imagef(from, sampler, at[i] * scale + origin);
}

/* Integer coordinates: with a sampler of each kind that takes them. */
kernel void image_whole(read_only image2d_t from, global float4 *to,
                        sampler_t sampler)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    int i = at.y * get_global_size(0) + at.x;

    to[2 * i] = read_imagef(from, sampler, at - 7);
    to[2 * i + 1] = read_imagef(from, nearest_none, at / 4);
}

kernel void image_turn_layers(read_only image2d_array_t from,
                              write_only image2d_array_t to)
{
    int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);

    write_imageui(to, (int4)(at.yx, get_global_size(2) - 1 - at.z, 0),
                  read_imageui(from, at) ^ 5);
}

kernel void image_turn_lines(read_only image1d_array_t from,
                             write_only image1d_array_t to)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));

    write_imagef(to, (int2)(at.x, get_global_size(1) - 1 - at.y),
                 read_imagef(from, at) * 0.5f);
}
