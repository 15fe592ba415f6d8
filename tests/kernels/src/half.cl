/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void halfmath(global const float *a, global float *o)
{
    size_t i = get_global_id(0);
    half x = (half)a[i];
    half y = x * (half)2 + (half)0.5;
    o[i] = (float)(y / x + sqrt(x) + fma(x, y, x) + fmin(x, y) +
                   floor(y * (half)4));
}
