/* SPDX-License-Identifier: GPL-2.0-or-later */
kernel void lfsr(global const uint *s, global uint *o, int n)
{
    size_t i = get_global_id(0);
    uint x = s[i] | 1;
    for (int k = 0; k < n; k++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    o[i] = x;
}
kernel void crc(global const uchar *a, global uint *o, int len)
{
    size_t i = get_global_id(0);
    uint c = ~0u;
    for (int k = 0; k < len; k++) {
        c ^= a[(i * len + k) & 1023];
        for (int b = 0; b < 8; b++)
            c = (c >> 1) ^ (0xEDB88320u & -(c & 1));
    }
    o[i] = ~c;
}
kernel void dot8(global const char4 *a, global const char4 *b, global int *o)
{
    size_t i = get_global_id(0);
    int s = 0;
    for (int k = 0; k < 16; k++) {
        char4 x = a[(i + k) & 255], y = b[(i * 3 + k) & 255];
        s += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
    }
    o[i] = s;
}
kernel void keccak(global const ulong *a, global ulong *o)
{
    size_t i = get_global_id(0);
    ulong s[25];
    for (int k = 0; k < 25; k++)
        s[k] = a[(i * 25 + k) & 127];
    for (int r = 0; r < 24; r++) {
        ulong c[5];
        for (int x = 0; x < 5; x++)
            c[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];
        for (int x = 0; x < 5; x++) {
            ulong d = c[(x + 4) % 5] ^ rotate(c[(x + 1) % 5], 1ul);
            for (int y = 0; y < 25; y += 5)
                s[y + x] ^= d;
        }
        s[0] ^= (ulong)r * 0x8000000080008081ul;
        for (int k = 0; k < 24; k++) {
            ulong t = s[k];
            s[k] = rotate(s[k + 1], (ulong)(k * 7 + 1)) ^
                   (~s[(k + 9) % 25] & t);
        }
    }
    o[i] = s[0] ^ s[7];
}
kernel void offs(global const float *a, global float *o, int n, float k,
                 float q)
{
    int i = get_global_id(0);
    if (i < n)
        o[i] = a[i] * k + q;
}
kernel void d3(global int *o, int nx, int ny)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    o[x + nx * (y + ny * z)] = x * y * z + get_local_id(2);
}
kernel void reqd(global int *o)
{
    o[get_global_id(0)] = get_local_id(0);
}
kernel void sgl(global uint *o)
{
    o[get_global_id(0)] = (uint)(get_global_id(0) * 3);
    prefetch(o, 4);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}
kernel void bigswitch(global const int *a, global int *o)
{
    size_t i = get_global_id(0);
    int acc = i, pc = 0;
    for (int k = 0; k < 50; k++) {
        switch (a[pc & 63] & 15) {
        case 0:
            acc += 1;
            break;
        case 1:
            acc -= 3;
            break;
        case 2:
            acc *= 5;
            break;
        case 3:
            acc ^= acc >> 3;
            break;
        case 4:
            acc <<= 1;
            break;
        case 5:
            if (acc & 1)
                pc += 2;
            break;
        case 6:
            pc += acc & 3;
            break;
        case 7:
            acc = ~acc;
            break;
        case 8:
            acc += a[acc & 63];
            break;
        case 9:
            acc |= 4;
            break;
        case 10:
            if (acc > 1000)
                goto out;
            break;
        default:
            acc += pc;
        }
        pc++;
    }
out:
    o[i] = acc;
}
kernel void async2(global const float *a, global float *o, local float *t)
{
    event_t e = async_work_group_copy(t, a + get_group_id(0) * 32, 32, 0);
    wait_group_events(1, &e);
    size_t l = get_local_id(0);
    float v = t[31 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(o + get_group_id(0) * 32, t, 32, 0);
    wait_group_events(1, &e);
}
