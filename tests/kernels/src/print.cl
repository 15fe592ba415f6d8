/* SPDX-License-Identifier: GPL-2.0-or-later */
kernel void print_types(global int *numbers, global float *reals)
{
    int i = get_global_id(0);

    printf("[%d] %u %#x|%5d|%-5d|%05d|%+d %ld %hd %hhu\n", i, 3000000000u, 255u,
           i, i, i, i, -5000000000l, (short)-7, (uchar)200);
    printf("%f %.2f %e %8.3g %a|%10s|%-6s|%.2s|%c|%%\n", reals[i], reals[i],
           reals[i], reals[i], 1.0f, "right", "left", "cut", 'c');
    printf("%v4hld %v2hlf %v4hhd\n", (int4)(1, 2, 3, i), (float2)(0.5f, i),
           (char4)(1, 2, -3, 4));
    numbers[i] = i;
}

kernel void print_many(global int *numbers)
{
    for (int i = 0; i < 8000; i++) {
        printf("a line of a kernel that prints more than there is room for: "
               "%d %d\n", (int)get_global_id(0), i);
    }
    numbers[get_global_id(0)] = 1;
}
