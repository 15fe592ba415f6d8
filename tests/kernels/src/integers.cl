/* SPDX-License-Identifier: GPL-2.0-or-later */
kernel void vec(global const float4 *a, global float4 *o, global int4 *p)
{
    size_t i = get_global_id(0);
    float4 v = a[i];
    o[i] = v.wzyx * 2.0f + dot(v, v) + length(v) * cross(v, v.yzxw) +
           normalize(v);
    p[i] = convert_int4_sat_rte(v * 1000.0f) +
           (int4)(isless(v.x, v.y), any(v.xyz > 0.5f), all(v > 0.1f),
                  as_int(v.w) & 255);
}
kernel void conv(global const int *a, global char *c, global uchar *uc,
                 global short *s, global ushort *us, global long *l,
                 global float *f)
{
    size_t i = get_global_id(0);
    int x = a[i];
    float g = x * 1.1f;
    c[i] = convert_char_sat(x);
    uc[i] = convert_uchar_sat(x >> 8);
    s[i] = convert_short_sat(g);
    us[i] = convert_ushort_sat_rtp(g * 0.001f);
    l[i] = (long)x * x;
    f[i] = convert_float_rtz(x) + convert_float_rtn((uint)x) +
           convert_float((ulong)l[i]);
}
kernel void ibuiltins(global const uint *a, global uint *o)
{
    size_t i = get_global_id(0);
    uint x = a[2 * i], y = a[2 * i + 1];
    uint r = popcount(x) + clz(y) * 3u + rotate(x, y & 31u) + mul_hi(x, y) +
             mad_hi(x, y, x) + hadd(x, y) + rhadd(x, y) + abs_diff(x, y) +
             add_sat(x, y) + sub_sat(x, y) + mul24(x & 0xffffu, y & 0xffffu) +
             mad24(x & 0xfffu, y & 0xfffu, x) + bitselect(x, y, 0x0f0f0f0fu) +
             upsample((ushort)x, (ushort)y) + max(x, y) + min(x, y) +
             clamp(x, 10u, 1000u);
    r ^= x / ((y & 0xff) + 1);
    r += x % ((y & 0xffff) + 3);
    o[i] = r;
}
kernel void sbuiltins(global const int *a, global int *o)
{
    size_t i = get_global_id(0);
    int x = a[2 * i], y = a[2 * i + 1];
    int r = clz(x) + rotate(x, y) + mul_hi(x, y) + hadd(x, y) + (int)abs(x) +
            (int)abs_diff(x, y) + add_sat(x, y) + sub_sat(x, y) +
            mad_sat(x, y & 15, x) + max(x, y) + min(x, y);
    r ^= x / ((y & 0xff) + 1);
    r += x % ((y | 1));
    r += (x >> (y & 31)) ^ (x << (y & 31));
    o[i] = r;
}
kernel void chars(global const char *a, global const uchar *b, global char *c,
                  global uchar *d)
{
    size_t i = get_global_id(0);
    c[i] = a[i] * 3 + (char)b[i] / ((a[i] | 1));
    d[i] = b[i] % 7 + (b[i] >> 2) * (uchar)a[i];
}
kernel void shorts(global const short *a, global short *c)
{
    size_t i = get_global_id(0);
    short x = a[i];
    short y = a[(i * 7) & 63];
    c[i] = x * y + (x / (y | 1)) - (x % ((y & 31) + 1)) + (short)(x << 3) +
           mad_sat(x, y, x) + hadd(x, y);
}
kernel void longs(global const long *a, global long *o, global ulong *u)
{
    size_t i = get_global_id(0);
    long x = a[i], y = a[(i + 5) & 31];
    ulong ux = x, uy = y;
    o[i] = x / (y | 1) + x % ((y >> 7) | 1) + (x * y) + (x >> (y & 63)) +
           mul_hi(x, y) + add_sat(x, y) + clz(x) + (long)popcount(y) +
           rotate(x, y) + hadd(x, y) + max(x, y) + (long)abs(x);
    u[i] = ux / (uy | 1) + ux % ((uy >> 9) | 1) + (ux >> (uy & 63)) +
           mul_hi(ux, uy) + sub_sat(ux, uy) + (ux > uy) + (ux << (uy & 31));
}
kernel void fl2l(global const float *a, global long *o, global ulong *u,
                 global float *f)
{
    size_t i = get_global_id(0);
    float x = (a[i] - 0.5f) * 1e10f;
    o[i] = convert_long_rte(x);
    u[i] = convert_ulong_sat(x);
    f[i] = convert_float(o[i] * 3) + convert_float(u[i]);
}
