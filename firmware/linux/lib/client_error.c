/*
 * SPDX-License-Identifier: MIT
 *
 * veu client library: a sentence for each error.
 */
#include "veu/client.h"

#include <errno.h>
#include <string.h>

static const struct {
    int error;
    const char *sentence;
} table[] = {
    { 0, "No error." },
    { EACCES, "The device is not for this user: ask for access to /dev/veuN." },
    { EAGAIN, "The ring is full: submit, and wait until there is room." },
    { EBUSY, "All rings of the device are in use: try again later." },
    { ECANCELED, "The driver has ended a command that took too long, or a "
                 "reset has ended this run: reset the ring, and begin again." },
    { EEXIST, "The client has a ring already." },
    { EINTR, "A signal came while it waited: wait again." },
    { EINVAL, "An illegal value; or the client has no ring, or none that is "
              "halted." },
    { EIO, "A fault has halted the ring: take the fault's record, then resume, "
           "skip or reset." },
    { ENODEV, "The device has gone: close the client." },
    { ENOENT, "The device does not exist: is the module veu loaded?" },
    { ENOMEM, "There is no memory for it. Without page tables and an IOMMU a "
              "buffer has at most 4 MiB, which is too little for a kernel that "
              "prints: give the machine an IOMMU." },
    { ENOSPC, "The client has as much memory, or as many buffers, as it may "
              "have." },
    { ENXIO, "The device does not exist: is the module veu loaded?" },
    { EOPNOTSUPP, "The device, or its driver, has no page tables: use "
                  "buffers." },
    { EPERM, "A priority above normal takes CAP_SYS_NICE; and a client that "
             "shares its process's memory is that process's alone." },
    { EPROTONOSUPPORT, "The driver is older than this library." },
    { ESTALE,
      "The device was reset, and has lost the kernel: unload the kernel, and "
      "load it again." },
    { ETIME, "It was not done in time: wait again, or reset the ring." },
    { ETIMEDOUT, "The device did not hand over a ring in time: try again, or "
                 "increase patience_ms of the module veu." },
};

const char *veu_client_error(int error)
{
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (table[i].error == -error) {
            return table[i].sentence;
        }
    }
    return strerror(-error);
}
