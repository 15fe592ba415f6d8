/* SPDX-License-Identifier: GPL-2.0-or-later */
kernel void generic_(global int *o, local int *t)
{
    size_t i = get_global_id(0), l = get_local_id(0);
    t[l] = i * 5;
    int x = i * 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *p = (i % 3 == 0) ? (int *)&o[i] : (i % 3 == 1) ? (int *)&t[l] : &x;
    int v = *p;
    *p = v + 1;
    o[i] = v + x + t[l];
}
