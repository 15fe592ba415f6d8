/* SPDX-License-Identifier: GPL-2.0-or-later */
__kernel void native_math(__global const float *a, __global float *o)
{
    size_t i = get_global_id(0);
    float x = a[i] + 0.05f;

    o[i] = native_sin(x) + native_cos(x) + native_exp(x) + native_log(x) +
           native_sqrt(x) + native_rsqrt(x) + native_recip(x) +
           native_powr(x, 1.5f);
}
