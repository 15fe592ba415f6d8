/* SPDX-License-Identifier: GPL-2.0-or-later */
__kernel void jacobi(__global const float *a, __global float *b, int w, int h)
{
    int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
    if (x < w - 1 && y < h - 1)
        b[y * w + x] = 0.25f * (a[y * w + x - 1] + a[y * w + x + 1] +
                                a[(y - 1) * w + x] + a[(y + 1) * w + x]);
}
