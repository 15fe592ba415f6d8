/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
__attribute__((intel_reqd_sub_group_size(16))) __kernel void sg_shuffle(
    __global const uint *in, __global uint *out)
{
    uint v = in[get_global_id(0)];
    uint l = get_sub_group_local_id();
    uint a = intel_sub_group_shuffle(v, (l * 7 + 3) & 15);
    uint b = intel_sub_group_shuffle_xor(v, 5);
    uint c = intel_sub_group_shuffle_down(v, v + 1, 2u);
    uint d = intel_sub_group_shuffle_up(v, v + 2, 3u);
    out[get_global_id(0)] = a + b * 3 + c * 5 + d * 7;
}
__attribute__((intel_reqd_sub_group_size(8))) __kernel void sg_block(
    __global const uint *in, __global uint *out)
{
    uint4 v = intel_sub_group_block_read4(in + get_group_id(0) *
                                                   get_local_size(0) * 4);
    intel_sub_group_block_write4(out + get_group_id(0) * get_local_size(0) * 4,
                                 v.wzyx + (uint4)(1, 2, 3, 4));
}
