/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A value that is written under a condition, and read in later iterations. */
kernel void skip(global const int *a, global int *o, global int *p, int n)
{
    int i = get_global_id(0);
    int best;
    int found = 0;

    for (int j = 0; j < n; j++) {
        int x = a[i * n + j];

        if (x > 1000000000) {
            best = atomic_add(&p[0], 0) + x;
            found = 1;
        }
        if (found) {
            o[i * n + j] = best;
        }
    }
}
