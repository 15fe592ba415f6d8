/* SPDX-License-Identifier: GPL-2.0-or-later */
__kernel void int64ops(__global const long *a, __global const ulong *b,
                       __global long *o, __global ulong *u)
{
    int i = get_global_id(0);
    long x = a[i], y = a[i + 1];
    ulong p = b[i], q = b[i + 1];
    o[i * 6] = x + y;
    o[i * 6 + 1] = x * y;
    o[i * 6 + 2] = x / (y | 1);
    o[i * 6 + 3] = x % (y | 1);
    o[i * 6 + 4] = x >> (y & 63);
    o[i * 6 + 5] = (x < y) ? x - y : mul_hi(x, y);
    u[i * 6] = p + q;
    u[i * 6 + 1] = p * q;
    u[i * 6 + 2] = p / (q | 1);
    u[i * 6 + 3] = p % (q | 1);
    u[i * 6 + 4] = p >> (q & 63);
    u[i * 6 + 5] = (p << (q & 31)) ^ rotate(p, q) ^ mul_hi(p, q) ^ popcount(p) ^
                   clz(q) ^ abs_diff(p, q) ^ add_sat(p, q);
}
__kernel void modpow(__global const ulong *b, __global ulong *o, ulong m)
{
    ulong x = b[get_global_id(0)] % m, r = 1, e = 65537;
    while (e) {
        if (e & 1)
            r = r * x % m;
        x = x * x % m;
        e >>= 1;
    }
    o[get_global_id(0)] = r;
}
