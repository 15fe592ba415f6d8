/* SPDX-License-Identifier: GPL-2.0-or-later */
__kernel void montecarlo(__global uint *out, int n)
{
    uint i = get_global_id(0), state = i * 2654435761u + 12345, inside = 0;

    for (int k = 0; k < n; k++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        float x = (state & 0xffff) * (1.0f / 65536);
        float y = (state >> 16) * (1.0f / 65536);
        inside += x * x + y * y < 1.0f;
    }
    out[i] = inside;
}
