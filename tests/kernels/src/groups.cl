/* SPDX-License-Identifier: GPL-2.0-or-later */
kernel void bar(global int *a, local int *t)
{
    size_t l = get_local_id(0), n = get_local_size(0);
    int v = a[get_global_id(0)];
    for (int k = 0; k < 8; k++) {
        t[l] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
        v = t[(l + 1) % n] + k;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[get_global_id(0)] = v;
}
kernel void latom(global const uint *a, global uint *o)
{
    local uint t[8];
    size_t l = get_local_id(0);
    if (l < 8)
        t[l] = l == 7 ? 0xffffffffu : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint x = a[get_global_id(0)];
    atomic_add(&t[0], x);
    atomic_max(&t[1], x);
    atomic_or(&t[2], x);
    atomic_xor(&t[3], x);
    atomic_inc(&t[4]);
    atomic_sub(&t[5], x);
    atomic_and(&t[7], x | 0xff);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 8)
        o[get_group_id(0) * 8 + l] = t[l];
}
kernel void gatom(global const int *a, global int *o, global uint *u)
{
    int x = a[get_global_id(0)];
    atomic_add(&o[0], x);
    atomic_max(&o[1], x);
    atomic_min(&o[2], x);
    atomic_inc(&o[3]);
    atomic_dec(&o[4]);
    atomic_xor(&u[0], (uint)x);
    atomic_or(&u[1], (uint)x);
    atomic_max(&u[2], (uint)x);
}
kernel void dims(global int *o)
{
    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    size_t i = x + get_global_size(0) * (y + get_global_size(1) * z);
    o[i] = get_local_id(0) + 10 * get_local_id(1) + 100 * get_local_id(2) +
           1000 * get_group_id(0) + 10000 * get_group_id(1) +
           100000 * get_group_id(2) + get_num_groups(0) * 7 +
           get_num_groups(1) * 77 + get_num_groups(2) * 777 +
           get_work_dim() * 7777777 + get_local_size(1) * 3 +
           get_global_linear_id() * 5 + get_local_linear_id() * 11;
}
kernel void early(global const int *a, global int *o, int n)
{
    size_t i = get_global_id(0);
    if (i >= n)
        return;
    int s = 0;
    for (int k = 0; k < a[i] % 37; k++) {
        if ((k ^ i) & 1)
            continue;
        if (k > 20)
            break;
        s += k * a[(i + k) & 63];
    }
    o[i] = s;
    switch (a[i] & 7) {
    case 0:
        o[i] += 1;
        break;
    case 1:
        o[i] *= 3;
    case 2:
        o[i] -= 7;
        break;
    case 5:
        return;
    default:
        o[i] ^= 0x55;
    }
    o[i] += 2;
}
kernel void transpose(global const float *a, global float *o, local float *t,
                      int w)
{
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0),
        ly = get_local_id(1);
    t[ly * 9 + lx] = a[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    int ox = get_group_id(1) * 8 + lx, oy = get_group_id(0) * 8 + ly;
    o[oy * w + ox] = t[lx * 9 + ly];
}
