/* SPDX-License-Identifier: GPL-2.0-or-later */
__attribute__((noinline)) int f1(int x, int y)
{
    for (int i = 0; i < (y & 15); i++)
        x = x * 31 + i;
    return x;
}
__attribute__((noinline)) float f2(float4 v, __global float *p)
{
    p[0] += v.x;
    return dot(v, v) + p[1];
}
__attribute__((noinline)) int f3(int x)
{
    if (x > 3)
        return f1(x, 3) * 2;
    return f1(x, 5);
}
__kernel void calls(__global int *a, __global float *f)
{
    int i = get_global_id(0);
    int x = a[i];
    if (x & 1)
        x = f1(x, i);
    else
        x = f3(x);
    f[i * 4 + 2] = f2((float4)(x, i, 1, 2), f + i * 4);
    a[i] = x;
}
