/* SPDX-License-Identifier: GPL-2.0-or-later */
__kernel void atomics2(__global atomic_int *a, __global atomic_uint *u,
                       __global atomic_float *f, __local atomic_int *l,
                       __global int *o)
{
    int i = get_global_id(0);
    if (get_local_id(0) == 0)
        atomic_init(l, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i * 4] = atomic_fetch_add_explicit(a, i, memory_order_relaxed);
    o[i * 4 + 1] = atomic_fetch_xor(a + 1, i);
    int x = 3;
    atomic_compare_exchange_strong(a + 2, &x, i);
    o[i * 4 + 2] = x + atomic_exchange(u, i);
    atomic_store(f, 1.0f);
    o[i * 4 + 3] = atomic_fetch_max(l, i) + atomic_load(a + 3);
    atomic_fetch_and_explicit(u + 1, 0xff, memory_order_acq_rel,
                              memory_scope_device);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst,
                           memory_scope_all_svm_devices);
}
__kernel void atomic_float_cas(__global volatile float *sum,
                               __global const float *v)
{
    float x = v[get_global_id(0)];
    union {
        uint u;
        float f;
    } o, n;
    do {
        o.f = *sum;
        n.f = o.f + x;
    } while (atomic_cmpxchg((volatile __global uint *)sum, o.u, n.u) != o.u);
}
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
__kernel void atomic64(__global ulong *a, __global long *s)
{
    atom_add(a, (ulong)get_global_id(0));
    atom_max(s, (long)get_global_id(0));
    atom_cmpxchg(a + 1, 0ul, 7ul);
    atom_xor(a + 2, 5ul);
}
