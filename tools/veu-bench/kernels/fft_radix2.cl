/* SPDX-License-Identifier: GPL-2.0-or-later */
float2 cmul(float2 a, float2 b)
{
    return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__kernel void fft_radix2(__global const float2 *in, __global float2 *out, int n,
                         int p)
{
    int i = get_global_id(0), t = n / 2;
    int k = i & (p - 1);
    int j = ((i - k) << 1) + k;
    float al = -3.14159265f * (float)k / (float)p;
    float2 u0 = in[i], u1 = in[i + t];
    float c, s;
    s = sincos(al, &c);
    u1 = cmul(u1, (float2)(c, s));
    out[j] = u0 + u1;
    out[j + p] = u0 - u1;
}
