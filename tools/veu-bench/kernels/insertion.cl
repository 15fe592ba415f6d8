/* SPDX-License-Identifier: GPL-2.0-or-later */
__kernel void insertion(__global int *d, int n)
{
    int base = get_global_id(0) * n;
    for (int i = 1; i < n; i++) {
        int v = d[base + i], j = i - 1;
        while (j >= 0 && d[base + j] > v) {
            d[base + j + 1] = d[base + j];
            j--;
        }
        d[base + j + 1] = v;
    }
}
