/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void dbl(global const float *a, global double *o, global long *l)
{
    size_t i = get_global_id(0);
    double x = a[i];
    o[i] = x * x + sqrt(x) + x / 3.0 + fma(x, x, 1.0) + floor(x * 10) +
           fmin(x, 0.3) + (double)(int)(x * 100) + rint(x * 9);
    l[i] = convert_long_sat(x * 1e15) + convert_int_rte(x * 1e5) +
           isgreater(x, 0.5);
}
kernel void dtrans(global const float *a, global double *o)
{
    size_t i = get_global_id(0);
    double x = a[i] + 0.01;
    o[4 * i] = sin(x) + cos(x);
    o[4 * i + 1] = exp(x) + log(x);
    o[4 * i + 2] = pow(x, 2.5);
    o[4 * i + 3] = atan2(x, 0.3) + cbrt(x);
}
