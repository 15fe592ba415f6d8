/* SPDX-License-Identifier: GPL-2.0-or-later */
__kernel void life(__global const uchar *a, __global uchar *b, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1), n = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            if (i | j)
                n += a[((y + j + h) % h) * w + (x + i + w) % w];
    b[y * w + x] = n == 3 || (n == 2 && a[y * w + x]);
}
