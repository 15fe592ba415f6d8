/*
 * SPDX-License-Identifier: MIT
 *
 * The kernel of first_kernel.c. "compile" in this folder makes
 * first_kernel.zebin of it, and the build a packed kernel of that.
 */
kernel void reverse(global const uint *from, global uint *to, uint count)
{
    uint i = get_global_id(0);

    to[i] = from[count - 1 - i];
    if (i == 0) {
        printf("%u numbers, the largest is %u, %.3f on average\n", count,
               from[count - 1], (count - 1) * (2 * count - 1) / 6.0f);
    }
}
