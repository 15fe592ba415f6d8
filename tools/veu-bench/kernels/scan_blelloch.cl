/* SPDX-License-Identifier: GPL-2.0-or-later */
__kernel void scan_blelloch(__global const uint *in, __global uint *out,
                            __global uint *sums, __local uint *t)
{
    uint l = get_local_id(0), n = get_local_size(0) * 2,
         b = get_group_id(0) * n, off = 1;
    t[2 * l] = in[b + 2 * l];
    t[2 * l + 1] = in[b + 2 * l + 1];
    for (uint d = n >> 1; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) {
            uint i = off * (2 * l + 1) - 1, j = off * (2 * l + 2) - 1;
            t[j] += t[i];
        }
        off <<= 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        sums[get_group_id(0)] = t[n - 1];
        t[n - 1] = 0;
    }
    for (uint d = 1; d < n; d <<= 1) {
        off >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) {
            uint i = off * (2 * l + 1) - 1, j = off * (2 * l + 2) - 1;
            uint x = t[i];
            t[i] = t[j];
            t[j] += x;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[b + 2 * l] = t[2 * l];
    out[b + 2 * l + 1] = t[2 * l + 1];
}
