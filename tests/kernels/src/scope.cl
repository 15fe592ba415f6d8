/* SPDX-License-Identifier: GPL-2.0-or-later */
__global int counter = 100;
__global float gtab[4] = { 1.5f, 2.5f, 3.5f, 4.5f };
__global int arr[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
__global int *__global gp = &arr[2];
kernel void pgmscope(global int *o, global float *f)
{
    size_t i = get_global_id(0);
    atomic_add(&counter, 1);
    f[i] = gtab[i & 3];
    o[i] = gp[i & 3];
}
