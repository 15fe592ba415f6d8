/* SPDX-License-Identifier: GPL-2.0-or-later */
constant sampler_t nearest_edge = CLK_NORMALIZED_COORDS_FALSE |
                                  CLK_ADDRESS_CLAMP_TO_EDGE |
                                  CLK_FILTER_NEAREST;

/* Depths: through a sampler, also from outside; and without. */
kernel void image_depth(read_only image2d_depth_t from, global float *to,
                        global int *told)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    int i = at.y * get_global_size(0) + at.x;

    to[2 * i] = read_imagef(from, nearest_edge, at - 2);
    to[2 * i + 1] = read_imagef(from, at);
    told[0] = get_image_channel_order(from);
    told[1] = get_image_channel_data_type(from);
    told[2] = get_image_width(from);
    told[3] = get_image_height(from);
}

kernel void image_depth_write(write_only image2d_depth_t to, float scale)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));

    write_imagef(to, at, (at.y * get_global_size(0) + at.x) * scale);
}
