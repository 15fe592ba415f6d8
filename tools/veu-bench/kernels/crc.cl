/* SPDX-License-Identifier: GPL-2.0-or-later */
kernel void crc(global const uchar *a, global uint *o, int len)
{
    size_t i = get_global_id(0);
    uint c = ~0u;
    for (int k = 0; k < len; k++) {
        c ^= a[(i * len + k) & 1023];
        for (int b = 0; b < 8; b++)
            c = (c >> 1) ^ (0xEDB88320u & -(c & 1));
    }
    o[i] = ~c;
}
