/*
 * SPDX-License-Identifier: MIT
 *
 * The kernels of veu-kernels. README.md (firmware) has how they were compiled.
 */
#pragma OPENCL FP_CONTRACT OFF

/* Iterations until a point leaves the circle of radius 2, at most @limit. */
kernel void mandelbrot(global uint *out, uint width, float left, float top,
                       float step, uint limit)
{
    uint x = get_global_id(0), y = get_global_id(1), n = 0;
    float cr = left + (float)x * step, ci = top + (float)y * step;
    float zr = 0, zi = 0, rr = 0, ii = 0;

    while (n < limit && rr + ii <= 4.0f) {
        zi = 2.0f * zr * zi + ci;
        zr = rr - ii + cr;
        rr = zr * zr;
        ii = zi * zi;
        n++;
    }
    out[y * width + x] = n;
}

/* Each number to the power of @exponent, modulo @modulus. */
kernel void modpow(global ulong *numbers, ulong exponent, ulong modulus)
{
    uint i = get_global_id(0);
    ulong base = numbers[i] % modulus, power = 1;

    for (; exponent; exponent >>= 1) {
        if (exponent & 1) {
            power = power * base % modulus;
        }
        base = base * base % modulus;
    }
    numbers[i] = power;
}

/* Sorts rows of @count numbers, each work item a row. */
kernel void insertion(global int *numbers, int count)
{
    global int *row = numbers + get_global_id(0) * count;

    for (int i = 1; i < count; i++) {
        int moved = row[i], at = i;

        for (; at > 0 && row[at - 1] > moved; at--) {
            row[at] = row[at - 1];
        }
        row[at] = moved;
    }
}
