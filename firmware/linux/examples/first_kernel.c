/* SPDX-License-Identifier: MIT */
/* An OpenCL kernel reverses 16 numbers, and prints. */
#include <stdio.h>
#include <stdlib.h>
#include <veu/client.h>

#define COUNT 16

static int run(struct veu_client *client, const char *path, __u32 *from,
               __u32 *to)
{
    static const __u32 count = COUNT, local = 8;
    struct veu_client_kernel *kernel;
    int error = veu_client_kernel_load(client, path, &kernel);

    if (error) {
        return error;
    }
    veu_client_kernel_buffer(kernel, 0, from, COUNT * sizeof(*from));
    veu_client_kernel_buffer(kernel, 1, to, COUNT * sizeof(*to));
    veu_client_kernel_value(kernel, 2, &count, sizeof(count));
    error = veu_client_kernel_enqueue(kernel, 1, &count, &local);
    if (!error) {
        error = veu_client_kernel_wait(kernel, 10 * VEU_CLIENT_SECOND);
    }
    if (!error) {
        veu_client_kernel_print(kernel, stdout);
    }
    veu_client_kernel_unload(kernel);
    return error;
}

int main(int argc, char **argv)
{
    __u32 *numbers = malloc(2 * COUNT * sizeof(*numbers));
    struct veu_client *client;
    int error;

    if (argc != 2 || !numbers) {
        puts("Usage: first_kernel FILE.veuk");
        return 1;
    }
    for (unsigned i = 0; i < COUNT; i++) {
        numbers[i] = i * i;
    }
    if (!(error = veu_client_open(&client, NULL)) &&
        !(error = veu_client_svm(client)) &&
        !(error = veu_client_ring_create(client, NULL))) {
        error = run(client, argv[1], numbers, numbers + COUNT);
    }
    for (unsigned i = COUNT; i < 2 * COUNT && !error; i++) {
        printf("%u ", numbers[i]);
    }
    puts(error ? veu_client_error(error) : "");
    veu_client_close(client);
    return error != 0;
}
