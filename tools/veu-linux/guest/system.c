/*
 * Mounts, modules, and the host's files as the root.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "guest.h"

/* Size of 9p packets: larger ones mean fewer per file. */
#define SHARE "trans=virtio,version=9p2000.L,msize=262144,"

static void mount_at(const char *root, const char *path, const char *type,
                     const char *options)
{
    char full[4096];

    snprintf(full, sizeof(full), "%s%s", root, path);
    mkdir(full, 0755);
    mount("none", full, type, 0, options);
}

void mount_kernel_files(const char *root)
{
    mount_at(root, "/dev", "devtmpfs", NULL);
    mount_at(root, "/dev/pts", "devpts", "ptmxmode=0666,mode=0620");
    mount_at(root, "/dev/shm", "tmpfs", NULL);
    mount_at(root, "/proc", "proc", NULL);
    mount_at(root, "/sys", "sysfs", NULL);
    mount_at(root, "/sys/kernel/debug", "debugfs", NULL);
    mount_at(root, "/run", "tmpfs", NULL);
}

static bool load_module(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool good = fd >= 0 &&
                (!syscall(SYS_finit_module, fd, "", 0) || errno == EEXIST);
    int error = errno;

    close(fd);
    errno = error;
    return good;
}

bool load_modules(char **paths)
{
    bool good = true;

    while (*paths) {
        good = load_module(*paths++);
    }
    return good;
}

const char *enter_host_root(const char *folder)
{
    char full[4096];

    mkdir("/host", 0755);
    mkdir("/own", 0755);
    mkdir("/root", 0755);
    if (mount("veu-root", "/host", "9p", MS_RDONLY, SHARE "cache=loose")) {
        return "the host's files (9p)";
    }
    if (mount("none", "/own", "tmpfs", 0, NULL) || mkdir("/own/new", 0755) ||
        mkdir("/own/work", 0755) ||
        mount("none", "/root", "overlay", 0,
              "lowerdir=/host,upperdir=/own/new,workdir=/own/work")) {
        return "what makes the host's files writable (overlay)";
    }
    snprintf(full, sizeof(full), "/root%s", folder);
    if (mount("veu-folder", full, "9p", 0, SHARE "cache=mmap")) {
        return folder;
    }
    mount_kernel_files("/root");
    if (chdir("/root") || mount(".", "/", NULL, MS_MOVE, NULL) || chroot(".")) {
        return "the root";
    }
    return NULL;
}

/* Links everything in @from, except the headers. */
static void link_entries(const char *from, const char *to)
{
    DIR *entries = opendir(from);
    char source[4096], link[4096];

    for (struct dirent *e; entries && (e = readdir(entries));) {
        if (e->d_name[0] != '.' && strcmp(e->d_name, "build") &&
            strcmp(e->d_name, "source")) {
            snprintf(source, sizeof(source), "%s/%s", from, e->d_name);
            snprintf(link, sizeof(link), "%s/%s", to, e->d_name);
            if (symlink(source, link)) {
                return;
            }
        }
    }
    if (entries) {
        closedir(entries);
    }
}

void link_modules(const char *modules, const char *headers)
{
    struct utsname name;
    char folder[256], link[300];

    uname(&name);
    snprintf(folder, sizeof(folder), "/lib/modules/%s", name.release);
    mkdir("/lib/modules", 0755);
    if (mkdir(folder, 0755)) {
        return; /* the host's own */
    }
    if (*modules) {
        link_entries(modules, folder);
    }
    snprintf(link, sizeof(link), "%s/build", folder);
    if (*headers && symlink(headers, link)) {
        channel_say("%s: %s", link, strerror(errno));
    }
}
