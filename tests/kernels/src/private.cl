/* SPDX-License-Identifier: GPL-2.0-or-later */
__kernel void private_array(__global const int *idx, __global int *o, int n)
{
    int t[64];
    for (int i = 0; i < 64; i++)
        t[i] = i * i;
    int s = 0;
    for (int i = 0; i < n; i++) {
        int k = idx[get_global_id(0) * n + i] & 63;
        t[k] += s;
        s += t[(k + 7) & 63];
    }
    o[get_global_id(0)] = s;
}
__kernel void private_big(__global const int *idx, __global int *o, int n)
{
    int t[1024];
    for (int i = 0; i < 1024; i++)
        t[i] = idx[i];
    int s = 0;
    for (int i = 0; i < n; i++) {
        int k = (s + i * 17) & 1023;
        t[k] ^= s;
        s += t[(k * 3) & 1023];
    }
    o[get_global_id(0)] = s;
}
__kernel void private_small(__global const float4 *v, __global float *o,
                            __global const int *k)
{
    float a[8];
    float4 x = v[get_global_id(0)];
    a[0] = x.x;
    a[1] = x.y;
    a[2] = x.z;
    a[3] = x.w;
    a[4] = x.x * 2;
    a[5] = x.y * 2;
    a[6] = x.z * 2;
    a[7] = x.w * 2;
    o[get_global_id(0)] = a[k[get_global_id(0)] & 7] + ((float *)&x)[k[0] & 3];
}
