/* SPDX-License-Identifier: GPL-2.0-or-later */
__kernel void async_copy(__global const float *in, __global float *out,
                         __local float *t, int n)
{
    int g = get_group_id(0);
    event_t e = async_work_group_copy(t, in + g * n, n, 0);
    wait_group_events(1, &e);
    /* n is a multiple of the local size: all come to the barriers. */
    for (int i = get_local_id(0); i < n; i += get_local_size(0)) {
        float next = t[(i + 1) % n];

        barrier(CLK_LOCAL_MEM_FENCE);
        t[i] = t[i] * 2.0f + next;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    e = async_work_group_strided_copy(out + g * n, t, n / 2, 2, 0);
    wait_group_events(1, &e);
    prefetch(in, 16);
}
