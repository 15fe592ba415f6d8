/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__kernel void sg_reduce(__global const int *in, __global int *out,
                        __global float *fo)
{
    int v = in[get_global_id(0)];
    int s = sub_group_reduce_add(v);
    int m = sub_group_scan_inclusive_max(v);
    int e = sub_group_scan_exclusive_add(v);
    int b = sub_group_broadcast(v, 3);
    int any = sub_group_any(v > 5), all = sub_group_all(v > 0);
    out[get_global_id(0)] = s + m * 3 + e + b + any + all + get_sub_group_id() +
                            get_sub_group_local_id();
    fo[get_global_id(0)] = sub_group_reduce_max((float)v * 0.5f) +
                           sub_group_scan_inclusive_add((float)v);
}
