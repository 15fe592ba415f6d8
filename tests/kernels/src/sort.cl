/* SPDX-License-Identifier: GPL-2.0-or-later */
__kernel void bitonic(__global uint *d, uint stage, uint pass, uint dir)
{
    uint i = get_global_id(0), dist = 1u << (stage - pass),
         left = (i % dist) + (i / dist) * 2 * dist, right = left + dist,
         same = 1u << stage;
    uint a = d[left], b = d[right];
    if ((i / same) % 2 == 1)
        dir = 1 - dir;
    uint g = max(a, b), s = min(a, b);
    d[left] = dir ? s : g;
    d[right] = dir ? g : s;
}
__kernel void bitonic_local(__global uint2 *kv)
{
    __local uint2 t[512];
    uint l = get_local_id(0), b = get_group_id(0) * 512;
    t[l] = kv[b + l];
    t[l + 256] = kv[b + l + 256];
    for (uint size = 2; size < 512; size <<= 1) {
        uint dir = ((l & (size / 2)) != 0);
        for (uint st = size / 2; st > 0; st >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint p = 2 * l - (l & (st - 1));
            uint2 x = t[p], y = t[p + st];
            if ((x.x > y.x) == dir) {
                t[p] = y;
                t[p + st] = x;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    kv[b + l] = t[l];
    kv[b + l + 256] = t[l + 256];
}
__kernel void insertion(__global int *d, int n)
{
    int base = get_global_id(0) * n;
    for (int i = 1; i < n; i++) {
        int v = d[base + i], j = i - 1;
        while (j >= 0 && d[base + j] > v) {
            d[base + j + 1] = d[base + j];
            j--;
        }
        d[base + j + 1] = v;
    }
}
