/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

constant sampler_t nearest_edge = CLK_NORMALIZED_COORDS_FALSE |
                                  CLK_ADDRESS_CLAMP_TO_EDGE |
                                  CLK_FILTER_NEAREST;

/* Texels as halves: through a sampler, also from outside; and without. */
kernel void image_half(read_only image2d_t from, global half4 *to)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    int i = at.y * get_global_size(0) + at.x;

    to[2 * i] = read_imageh(from, nearest_edge, at - 2);
    to[2 * i + 1] = read_imageh(from, at);
}
