/* SPDX-License-Identifier: GPL-2.0-or-later */
constant sampler_t nearest_edge = CLK_NORMALIZED_COORDS_FALSE |
                                  CLK_ADDRESS_CLAMP_TO_EDGE |
                                  CLK_FILTER_NEAREST;

/* Colours of an image, from outside of it, too. */
kernel void image_copy(read_only image2d_t from, write_only image2d_t to)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));

    write_imagef(to, at, read_imagef(from, nearest_edge, at - 2));
}

kernel void image_scale(read_only image2d_t from, global float4 *to,
                        sampler_t sampler, float origin, float step)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));

    to[at.y * get_global_size(0) + at.x] =
        read_imagef(from, sampler, origin + convert_float2(at) * step);
}

kernel void image_info(read_only image2d_t flat, read_only image3d_t volume,
                       write_only image2d_array_t layers,
                       read_only image1d_array_t lines, global int *to)
{
    to[0] = get_image_width(flat);
    to[1] = get_image_height(flat);
    to[2] = get_image_channel_data_type(flat);
    to[3] = get_image_channel_order(flat);
    to[4] = get_image_width(volume);
    to[5] = get_image_height(volume);
    to[6] = get_image_depth(volume);
    to[7] = get_image_channel_data_type(volume);
    to[8] = get_image_width(layers);
    to[9] = get_image_height(layers);
    to[10] = get_image_array_size(layers);
    to[11] = get_image_channel_order(layers);
    to[12] = get_image_width(lines);
    to[13] = get_image_array_size(lines);
}
