/* SPDX-License-Identifier: GPL-2.0-or-later */
#define TS 16
__kernel __attribute__((reqd_work_group_size(TS, TS, 1))) void matmul_tiled(
    __global const float *A, __global const float *B, __global float *C, int M,
    int N, int K)
{
    __local float As[TS][TS], Bs[TS][TS];
    int lr = get_local_id(1), lc = get_local_id(0),
        r = get_group_id(1) * TS + lr, c = get_group_id(0) * TS + lc;
    float s = 0.0f;
    for (int t = 0; t < K / TS; t++) {
        As[lr][lc] = A[r * K + t * TS + lc];
        Bs[lr][lc] = B[(t * TS + lr) * N + c];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TS; k++)
            s += As[lr][k] * Bs[k][lc];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    C[r * N + c] = s;
}
