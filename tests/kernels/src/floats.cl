/* SPDX-License-Identifier: GPL-2.0-or-later */
kernel void mathf(global const float *a, global float *o)
{
    size_t i = get_global_id(0);
    float x = a[i];
    o[4 * i] = floor(x * 10) + ceil(x * 7) + trunc(x * 5) + rint(x * 9) +
               round(x * 3) + fabs(x - 0.5f);
    o[4 * i + 1] = fmin(x, 0.3f) + fmax(x, 0.2f) + fmod(x * 10, 0.3f) +
                   copysign(x, -1.0f) + fdim(x, 0.2f) + clamp(x, 0.1f, 0.9f) +
                   mix(x, 1.0f, 0.25f) + step(0.5f, x) + sign(x - 0.5f) +
                   degrees(x);
    o[4 * i + 2] = fma(x, x, x) + mad(x, 2.0f, 1.0f) + sqrt(x) + x / 3.0f +
                   ldexp(x, 3) + (float)ilogb(x + 0.01f) + logb(x + 0.01f);
    int e;
    float m = frexp(x, &e);
    float ip;
    float fr = modf(x * 12.5f, &ip);
    o[4 * i + 3] = m + e + fr + ip + nextafter(x, 1.0f) +
                   remainder(x * 7, 0.7f) + maxmag(x, -x) + isfinite(x) +
                   isnan(x) + signbit(x - 0.5f) + nan(0u) * 0;
    o[4 * i + 3] = m + e + fr + ip + nextafter(x, 1.0f) + isfinite(x) +
                   signbit(x - 0.5f);
}
kernel void trans(global const float *a, global float *o)
{
    size_t i = get_global_id(0);
    float x = a[i] + 0.01f;
    o[8 * i] = sin(x);
    o[8 * i + 1] = cos(x * 5);
    o[8 * i + 2] = exp(x) + exp2(x) + exp10(x);
    o[8 * i + 3] = log(x) + log2(x) + log10(x + 1) + log1p(x);
    o[8 * i + 4] = pow(x, 2.5f) + pown(x, 3) + powr(x, 0.3f) + rootn(x, 3);
    o[8 * i + 5] = tan(x) + atan(x) + asin(x * 0.9f) + acos(x * 0.9f) +
                   atan2(x, 0.4f);
    o[8 * i + 6] = sinh(x) + cosh(x) + tanh(x) + cbrt(x) + hypot(x, 2.0f) +
                   expm1(x);
    o[8 * i + 7] = erf(x) + tgamma(x + 1) + lgamma(x + 1) + rsqrt(x) +
                   sinpi(x) + cospi(x);
}
kernel void natives(global const float *a, global float *o)
{
    size_t i = get_global_id(0);
    float x = a[i] + 0.05f;
    o[i] = native_sin(x) + native_cos(x) + native_exp(x) + native_log(x) +
           native_sqrt(x) + native_rsqrt(x) + native_recip(x) +
           native_divide(x, 1.5f) + native_powr(x, 1.5f) + half_sin(x) +
           half_exp(x) + half_recip(x);
}
kernel void halfs(global const half *a, global half *o, global float *f)
{
    size_t i = get_global_id(0);
    float x = vload_half(i, a);
    f[i] = x * 2;
    vstore_half_rte(x * 1.5f, i, o);
    float4 v = vload_half4(i & 15, a);
    vstore_half4_rtz(v, i & 15, o + 64);
}
