/* SPDX-License-Identifier: GPL-2.0-or-later */
__kernel void collatz(__global uint *out)
{
    uint i = get_global_id(0), n = i + 1, steps = 0;

    while (n > 1 && steps < 1000) {
        n = n & 1 ? n * 3 + 1 : n >> 1;
        steps++;
    }
    out[i] = steps;
}
