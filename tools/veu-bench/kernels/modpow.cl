/* SPDX-License-Identifier: GPL-2.0-or-later */
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
