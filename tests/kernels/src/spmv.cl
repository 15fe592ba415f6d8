/* SPDX-License-Identifier: GPL-2.0-or-later */
__kernel void spmv_csr(__global const int *rp, __global const int *ci,
                       __global const float *v, __global const float *x,
                       __global float *y, int n)
{
    int r = get_global_id(0);
    if (r < n) {
        float s = 0;
        for (int i = rp[r]; i < rp[r + 1]; i++)
            s = fma(v[i], x[ci[i]], s);
        y[r] = s;
    }
}
__kernel void bfs(__global const int *rp, __global const int *ci,
                  __global int *lev, int cur, __global int *done)
{
    int v = get_global_id(0);
    if (lev[v] != cur)
        return;
    for (int e = rp[v]; e < rp[v + 1]; e++) {
        int w = ci[e];
        if (lev[w] < 0) {
            lev[w] = cur + 1;
            *done = 0;
        }
    }
}
