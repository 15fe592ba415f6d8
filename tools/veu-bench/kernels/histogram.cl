/* SPDX-License-Identifier: GPL-2.0-or-later */
__kernel void histogram(__global const uchar *img, __global uint *hist, uint n)
{
    __local uint h[256];
    for (int i = get_local_id(0); i < 256; i += get_local_size(0))
        h[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&h[img[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_local_id(0); i < 256; i += get_local_size(0))
        atomic_add(&hist[i], h[i]);
}
