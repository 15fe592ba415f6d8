/* SPDX-License-Identifier: GPL-2.0-or-later */
kernel void chars(global const char *a, global const uchar *b, global char *c,
                  global uchar *d)
{
    size_t i = get_global_id(0);
    c[i] = a[i] * 3 + (char)b[i] / ((a[i] | 1));
    d[i] = b[i] % 7 + (b[i] >> 2) * (uchar)a[i];
}
