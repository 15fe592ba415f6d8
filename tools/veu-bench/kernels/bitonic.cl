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
