/* SPDX-License-Identifier: GPL-2.0-or-later */
kernel void wgf(global const int *a, global int *o)
{
    size_t i = get_global_id(0);
    int x = a[i] & 1023;
    o[8 * i] = work_group_reduce_add(x);
    o[8 * i + 1] = work_group_reduce_max(x);
    o[8 * i + 2] = work_group_scan_inclusive_add(x);
    o[8 * i + 3] = work_group_scan_exclusive_add(x);
    o[8 * i + 4] = work_group_broadcast(x, 3);
    o[8 * i + 5] = work_group_any(x > 1000);
    o[8 * i + 6] = work_group_all(x > 0);
    o[8 * i + 7] = work_group_scan_inclusive_min(x);
}
