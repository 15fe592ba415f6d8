/* SPDX-License-Identifier: GPL-2.0-or-later */
__kernel void math(__global const float *a, __global float *o)
{
    size_t i = get_global_id(0);
    float x = a[i] + 0.05f;

    o[i] = sin(x) + cos(x) + exp(x) + log(x) + sqrt(x) + rsqrt(x) +
           pow(x, 1.5f);
}
