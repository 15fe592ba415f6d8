/* SPDX-License-Identifier: GPL-2.0-or-later */
__kernel void mandelbrot(__global uint *out, int w, int h, float x0, float y0,
                         float dx, float dy, int maxit)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    float cr = x0 + x * dx, ci = y0 + y * dy, zr = 0, zi = 0;
    int i;
    for (i = 0; i < maxit; i++) {
        float r2 = zr * zr, i2 = zi * zi;
        if (r2 + i2 > 4.0f)
            break;
        zi = 2.0f * zr * zi + ci;
        zr = r2 - i2 + cr;
    }
    out[y * w + x] = i == maxit ? 0 : (uint)i * 0x010305u;
}
