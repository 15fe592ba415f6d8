/* SPDX-License-Identifier: GPL-2.0-or-later */
__kernel void nbody(__global const float4 *pos, __global float4 *vel,
                    __global float4 *out, int n, float dt, float eps)
{
    int i = get_global_id(0);
    float4 p = pos[i];
    float3 a = 0.0f;
    for (int j = 0; j < n; j++) {
        float4 q = pos[j];
        float3 d = q.xyz - p.xyz;
        float r2 = dot(d, d) + eps;
        float ir = native_rsqrt(r2);
        a += d * (q.w * ir * ir * ir);
    }
    float4 v = vel[i];
    v.xyz += a * dt;
    p.xyz += v.xyz * dt;
    vel[i] = v;
    out[i] = p;
}
