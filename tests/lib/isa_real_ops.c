/*
 * veu tests: floating-point operations of the second implementation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Special values: the pages, and docs/spec.md, 17.6.
 */
#include <glib.h>
#include "tests/lib/isa_real.h"

/* The precision of a source; DF has 53 bits. */
#define SOURCE_BITS 64

void isa_source(const IsaElement *e, unsigned n, mpfr_t x)
{
    mpfr_set_prec(x, SOURCE_BITS);
    isa_real_get(x, e->src[n].type, e->src[n].bits);
}

static mpfr_rnd_t mode_of(const IsaElement *e)
{
    return isa_rounding(e->cr0);
}

/* The sources of an operation, during the operation. */
typedef struct Sources {
    mpfr_t x[3];
} Sources;

static Sources take(const IsaElement *e, unsigned count)
{
    Sources s;

    for (unsigned n = 0; n < 3; n++) {
        mpfr_init2(s.x[n], SOURCE_BITS);
        if (n < count) {
            isa_source(e, n, s.x[n]);
        }
    }
    return s;
}

static void release(Sources *s)
{
    for (unsigned n = 0; n < 3; n++) {
        mpfr_clear(s->x[n]);
    }
}

/* The mode matters if the result is a zero, whose sign it determines. */
void isa_real_add(const IsaElement *e, mpfr_t r)
{
    Sources s = take(e, 2);

    mpfr_set_prec(r, ISA_EXACT_BITS);
    mpfr_add(r, s.x[0], s.x[1], mode_of(e));
    release(&s);
}

void isa_real_mul(const IsaElement *e, mpfr_t r)
{
    Sources s = take(e, 2);

    mpfr_set_prec(r, ISA_EXACT_BITS);
    mpfr_mul(r, s.x[0], s.x[1], MPFR_RNDN);
    release(&s);
}

void isa_real_mad(const IsaElement *e, mpfr_t r)
{
    Sources s = take(e, 3);

    mpfr_set_prec(r, ISA_EXACT_BITS);
    mpfr_fma(r, s.x[0], s.x[1], s.x[2], mode_of(e));
    release(&s);
}

void isa_real_div(const IsaElement *e, mpfr_t r)
{
    Sources s = take(e, 2);

    mpfr_set_prec(r, ISA_LONG_BITS);
    isa_sticky(r, mpfr_div(r, s.x[0], s.x[1], MPFR_RNDZ));
    release(&s);
}

typedef int Function(mpfr_t r, mpfr_srcptr x, mpfr_rnd_t mode);

static void call(const IsaElement *e, mpfr_t r, Function *function)
{
    Sources s = take(e, 1);

    mpfr_set_prec(r, ISA_LONG_BITS);
    isa_sticky(r, function(r, s.x[0], MPFR_RNDZ));
    release(&s);
}

static int invert(mpfr_t r, mpfr_srcptr x, mpfr_rnd_t mode)
{
    return mpfr_ui_div(r, 1, x, mode);
}

/* MPFR returns +infinity for both zeros. */
static int invert_sqrt(mpfr_t r, mpfr_srcptr x, mpfr_rnd_t mode)
{
    if (mpfr_zero_p(x)) {
        mpfr_set_inf(r, mpfr_signbit(x) ? -1 : 1);
        return 0;
    }
    return mpfr_rec_sqrt(r, x, mode);
}

#define FUNCTION(name, function)                        \
    void isa_real_##name(const IsaElement *e, mpfr_t r) \
    {                                                   \
        call(e, r, function);                           \
    }

FUNCTION(sqrt, mpfr_sqrt)
FUNCTION(inv, invert)
FUNCTION(rsqrt, invert_sqrt)
FUNCTION(exp, mpfr_exp2)
FUNCTION(log, mpfr_log2)
FUNCTION(sin, mpfr_sin)
FUNCTION(cos, mpfr_cos)

void isa_real_pow(const IsaElement *e, mpfr_t r)
{
    Sources s = take(e, 2);

    mpfr_set_prec(r, ISA_LONG_BITS);
    mpfr_abs(s.x[0], s.x[0], MPFR_RNDN);
    if (mpfr_nan_p(s.x[0]) || mpfr_nan_p(s.x[1])) {
        mpfr_set_nan(r);
    } else {
        isa_sticky(r, mpfr_pow(r, s.x[0], s.x[1], MPFR_RNDZ));
    }
    release(&s);
}

/* Integral values of F fit into F. */
static void round_whole(const IsaElement *e, mpfr_t r, mpfr_rnd_t mode)
{
    Sources s = take(e, 1);

    mpfr_set_prec(r, SOURCE_BITS);
    mpfr_rint(r, s.x[0], mode);
    release(&s);
}

void isa_real_rndd(const IsaElement *e, mpfr_t r)
{
    round_whole(e, r, MPFR_RNDD);
}

void isa_real_rndu(const IsaElement *e, mpfr_t r)
{
    round_whole(e, r, MPFR_RNDU);
}

void isa_real_rnde(const IsaElement *e, mpfr_t r)
{
    round_whole(e, r, MPFR_RNDN);
}

void isa_real_rndz(const IsaElement *e, mpfr_t r)
{
    round_whole(e, r, MPFR_RNDZ);
}

/* The result is never 1, but at most the largest number of F below it. */
void isa_real_frc(const IsaElement *e, mpfr_t r)
{
    Sources s = take(e, 1);

    mpfr_rint(s.x[1], s.x[0], MPFR_RNDD);
    mpfr_set_prec(r, ISA_EXACT_BITS);
    mpfr_sub(r, s.x[0], s.x[1], mode_of(e));
    mpfr_set_ui_2exp(s.x[2], 0xffffff, -24, MPFR_RNDN);
    if (!mpfr_nan_p(r) && mpfr_greater_p(r, s.x[2])) {
        mpfr_set(r, s.x[2], MPFR_RNDN);
    }
    release(&s);
}

/* Rounds an intermediate result to F. */
static void step(const IsaElement *e, mpfr_t x)
{
    bool keep = isa_keeps_subnormal(e->cr0, VEU_TYPE_F);
    uint64_t bits = isa_real_put(VEU_TYPE_F, x, mode_of(e), keep);

    mpfr_set_prec(x, ISA_EXACT_BITS);
    isa_real_get(x, VEU_TYPE_F, bits);
}

void isa_real_lrp(const IsaElement *e, mpfr_t r)
{
    Sources s = take(e, 3);
    mpfr_t left, right;

    mpfr_inits2(ISA_EXACT_BITS, left, right, (mpfr_ptr)NULL);
    mpfr_mul(left, s.x[1], s.x[0], MPFR_RNDN);
    step(e, left);
    mpfr_ui_sub(right, 1, s.x[0], mode_of(e));
    step(e, right);
    mpfr_mul(right, right, s.x[2], MPFR_RNDN);
    step(e, right);
    mpfr_set_prec(r, ISA_EXACT_BITS);
    mpfr_add(r, left, right, mode_of(e));
    mpfr_clears(left, right, (mpfr_ptr)NULL);
    release(&s);
}

/* The sources are p, q, r, and the lane's u and v. */
void isa_real_plane(const IsaElement *e, mpfr_t r)
{
    mpfr_t x[ISA_PLANE_SOURCES];

    for (unsigned n = 0; n < ISA_PLANE_SOURCES; n++) {
        mpfr_init2(x[n], ISA_EXACT_BITS);
        isa_real_get(x[n], VEU_TYPE_F, e->plane[n]);
    }
    mpfr_mul(x[0], x[0], x[3], MPFR_RNDN);
    step(e, x[0]);
    mpfr_mul(x[1], x[1], x[4], MPFR_RNDN);
    step(e, x[1]);
    mpfr_add(x[0], x[0], x[1], mode_of(e));
    step(e, x[0]);
    mpfr_set_prec(r, ISA_EXACT_BITS);
    mpfr_add(r, x[0], x[2], mode_of(e));
    for (unsigned n = 0; n < ISA_PLANE_SOURCES; n++) {
        mpfr_clear(x[n]);
    }
}

void isa_real_minmax(const IsaElement *e, mpfr_t r)
{
    Sources s = take(e, 2);
    bool max = e->instruction->number;
    bool first = max ? mpfr_greaterequal_p(s.x[0], s.x[1]) :
                       mpfr_less_p(s.x[0], s.x[1]);

    if (mpfr_nan_p(s.x[0]) || mpfr_nan_p(s.x[1])) {
        first = mpfr_nan_p(s.x[1]);
    }
    mpfr_set_prec(r, SOURCE_BITS);
    mpfr_set(r, s.x[first ? 0 : 1], MPFR_RNDN);
    release(&s);
}

void isa_real_copy(const IsaElement *e, mpfr_t r)
{
    isa_source(e, 0, r);
}
