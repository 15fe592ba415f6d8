/* SPDX-License-Identifier: GPL-2.0-or-later */
__kernel void matmul_naive(__global const float *A, __global const float *B,
                           __global float *C, int M, int N, int K)
{
    int r = get_global_id(1), c = get_global_id(0);
    float s = 0.0f;
    if (r >= M || c >= N)
        return;
    for (int k = 0; k < K; k++)
        s += A[r * K + k] * B[k * N + c];
    C[r * N + c] = s;
}
