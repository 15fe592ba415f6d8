/* SPDX-License-Identifier: GPL-2.0-or-later */
__constant float tab[16] = { 0, 1, 2,  3,  4,  5,  6,  7,
                             8, 9, 10, 11, 12, 13, 14, 15 };
__constant uchar bytes[5] = { 3, 1, 4, 1, 5 };
__constant int big[64] = { 1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13,
                           14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
                           27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39,
                           40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52,
                           53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64 };
kernel void consts(global const int *a, global float *o, constant int *c)
{
    size_t i = get_global_id(0);
    o[i] = tab[a[i] & 15] + bytes[i % 5] + big[(a[i] >> 4) & 63] + c[i & 7];
}
typedef struct {
    float3 p;
    int id;
    char k[5];
    long z;
} S;
kernel void structs(global S *s, global float *o)
{
    size_t i = get_global_id(0);
    S t;
    t.p = (float3)(i, i + 1, i + 2);
    t.id = i * 3;
    for (int k = 0; k < 5; k++)
        t.k[k] = i + k;
    t.z = (long)i << 33;
    s[i] = t;
    S u = s[i];
    o[i] = u.p.x + u.p.y * u.p.z + u.id + u.k[i % 5] + (float)(u.z >> 32);
}
int f_add(int a, int b)
{
    return a + b;
}
int f_mul(int a, int b)
{
    return a * b;
}
__attribute__((noinline)) int fib(int n)
{
    int a = 0, b = 1;
    for (int i = 0; i < n; i++) {
        int t = a + b;
        a = b;
        b = t;
    }
    return a;
}
__attribute__((noinline)) float helper(float x, global float *g, size_t i)
{
    return x * g[i] + get_global_id(0) + get_local_size(0);
}
kernel void calls2(global int *o, global float *g)
{
    size_t i = get_global_id(0);
    int x = fib(i & 15);
    if (i & 1)
        x = f_add(x, fib(7));
    else
        x = f_mul(x, fib(i % 5));
    o[i] = x + (int)helper(x, g, i & 15);
}
kernel void priv(global const int *a, global int *o)
{
    int t[32];
    size_t i = get_global_id(0);
    for (int k = 0; k < 32; k++)
        t[k] = a[(i + k) & 63];
    for (int k = 0; k < 31; k++)
        for (int j = 0; j < 31 - k; j++)
            if (t[j] > t[j + 1]) {
                int q = t[j];
                t[j] = t[j + 1];
                t[j + 1] = q;
            }
    int s = 0;
    for (int k = 0; k < 32; k++)
        s = s * 31 + t[k];
    o[i] = s;
}
kernel void vls(global const float *a, global float *o)
{
    size_t i = get_global_id(0);
    float3 v = vload3(i, a);
    float8 w = vload8(i & 3, a + 1);
    vstore3(v.zyx + w.s147, i, o);
    vstore2(w.s06, i, o + 256);
    uint4 m = (uint4)(3, 2, 1, 0);
    float4 q = shuffle(w.lo, m);
    o[400 + i] = q.x + q.w;
}
kernel void mandel2(global uint *o, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    float cr = x * 3.0f / w - 2.0f, ci = y * 2.0f / w - 1.0f, zr = 0, zi = 0;
    int n = 0;
    while (zr * zr + zi * zi < 4.0f && n < 200) {
        float t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        n++;
    }
    o[y * w + x] = n;
}
