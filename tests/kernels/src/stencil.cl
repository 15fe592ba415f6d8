/* SPDX-License-Identifier: GPL-2.0-or-later */
__kernel void jacobi(__global const float *a, __global float *b, int w, int h)
{
    int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
    if (x < w - 1 && y < h - 1)
        b[y * w + x] = 0.25f * (a[y * w + x - 1] + a[y * w + x + 1] +
                                a[(y - 1) * w + x] + a[(y + 1) * w + x]);
}
__kernel void life(__global const uchar *a, __global uchar *b, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1), n = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            if (i | j)
                n += a[((y + j + h) % h) * w + (x + i + w) % w];
    b[y * w + x] = n == 3 || (n == 2 && a[y * w + x]);
}
__kernel void sobel(__global const uchar4 *a, __global uchar4 *o, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
        return;
    float4 g[9];
    for (int k = 0; k < 9; k++)
        g[k] = convert_float4(a[(y + k / 3 - 1) * w + x + k % 3 - 1]);
    float4 gx = g[2] + 2 * g[5] + g[8] - g[0] - 2 * g[3] - g[6],
           gy = g[6] + 2 * g[7] + g[8] - g[0] - 2 * g[1] - g[2];
    o[y * w + x] = convert_uchar4_sat(sqrt(gx * gx + gy * gy));
}
