/* SPDX-License-Identifier: GPL-2.0-or-later */
constant sampler_t nearest_edge = CLK_NORMALIZED_COORDS_FALSE |
                                  CLK_ADDRESS_CLAMP_TO_EDGE |
                                  CLK_FILTER_NEAREST;
constant sampler_t nearest_border = CLK_NORMALIZED_COORDS_FALSE |
                                    CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant sampler_t linear_edge = CLK_NORMALIZED_COORDS_FALSE |
                                 CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

kernel void image_border(read_only image2d_t from, global float4 *to)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));

    to[at.y * get_global_size(0) + at.x] =
        read_imagef(from, nearest_border, at - 2);
}

kernel void image_signed(read_only image2d_t from, write_only image2d_t to,
                         sampler_t sampler)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));

    write_imagei(to, at, read_imagei(from, sampler, at - 2) / 2);
}

kernel void image_unsigned(read_only image2d_t from, write_only image2d_t to,
                           sampler_t sampler)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));

    write_imageui(to, at, read_imageui(from, sampler, at - 2) * 3 + 1);
}

kernel void image_plain(read_only image2d_t from, write_only image2d_t to)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));

    write_imageui(to, at.yx, read_imageui(from, at));
}

/* A kernel of 3 x 3 texels. */
kernel void image_blur(read_only image2d_t from, write_only image2d_t to)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0;

    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            sum += read_imagef(from, nearest_edge, at + (int2)(x, y));
        }
    }
    write_imagef(to, at, sum / 9);
}

kernel void image_zoom(read_only image2d_t from, write_only image2d_t to)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));

    write_imagef(to, at, read_imagef(from, linear_edge,
                                     convert_float2(at) * 0.25f));
}

kernel void image_line(read_only image1d_t from, write_only image1d_t to,
                       sampler_t sampler, float origin, float step)
{
    int at = get_global_id(0);

    write_imagef(to, at, read_imagef(from, sampler, origin + at * step));
}

kernel void image_buffer(read_only image1d_buffer_t from,
                         write_only image1d_buffer_t to)
{
    int at = get_global_id(0);

    write_imageui(to, get_global_size(0) - 1 - at, read_imageui(from, at));
}

kernel void image_lines(read_only image1d_array_t from, global float4 *to,
                        sampler_t sampler)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));

    to[at.y * get_global_size(0) + at.x] =
        read_imagef(from, sampler, (float2)(at.x * 0.37f, at.y * 0.6f - 1));
}

kernel void image_layers(read_only image2d_array_t from,
                         write_only image2d_array_t to, sampler_t sampler)
{
    int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);

    write_imagef(to, at,
                 read_imagef(from, sampler,
                             convert_float4(at) * 0.75f - 0.4f));
}

kernel void image_volume(read_only image3d_t from, global float4 *to,
                         sampler_t sampler, float origin, float step)
{
    int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);

    to[(at.z * get_global_size(1) + at.y) * get_global_size(0) + at.x] =
        read_imagef(from, sampler, origin + convert_float4(at) * step);
}
