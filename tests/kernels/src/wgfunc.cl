/* SPDX-License-Identifier: GPL-2.0-or-later */
__kernel void wg_functions(__global const int *a, __global int *o)
{
    int v = a[get_global_id(0)];
    int r = work_group_reduce_add(v), s = work_group_scan_inclusive_add(v),
        e = work_group_scan_exclusive_max(v), b = work_group_broadcast(v, 0),
        all = work_group_all(v > 0), any = work_group_any(v > 10);
    o[get_global_id(0)] = r + s * 3 + e * 5 + b * 7 + all * 11 + any * 13;
}
