# SPDX-License-Identifier: GPL-2.0-or-later
"""A kernel to boot: its image, the modules that came with it, and the headers
that further modules are built against.

It is Debian's, which scripts/linux-kernel downloads, or one of the user's own:
an image, a tree in which one was built, or a folder with boot/, lib/modules/
and usr/src/ as packages have them."""

import lzma
import mmap
import os
import pathlib
import re
import struct
import subprocess

from . import Error

# An ELF note of Xen's, number 18: where QEMU may enter a kernel that is not
# compressed, "PVH".
PVH_NOTE = re.compile(rb'\x04\0\0\0[\x04\x08]\0\0\0\x12\0\0\0Xen\0')
SUFFIXES = ('.ko', '.ko.xz')


class Kernel:
    """image: a bzImage; modules: the folder that modprobe would look into;
    headers: what "make -C" takes for a module. These two may be None. fast:
    the same as the image, but not compressed, or None."""

    def __init__(self, image, modules, headers, fast=None):
        self.image = image
        self.fast = fast if fast and enters_uncompressed(fast) else None
        self.modules = modules
        self.headers = headers
        self.version = image_version(image)

    def _files(self):
        found = {}
        for path in sorted(self.modules.rglob('*.ko*')) if self.modules else ():
            name, dot, suffix = path.name.partition('.')
            if dot + suffix in SUFFIXES:
                found[name.replace('-', '_')] = path
        return found

    def load_order(self, names):
        """The modules @names and what they depend on, as (name, contents), in
        an order in which they can be loaded. Modules that the kernel has built
        in have no file, and are omitted."""
        files = self._files()
        ordered = {}

        def add(name):
            path = files.get(name.replace('-', '_'))
            if not path or path.name in ordered:
                return
            data = contents(path)
            for other in dependencies(data):
                add(other)
            ordered[path.name] = data

        for name in names:
            add(name)
        return [(name.partition('.')[0], data)
                for name, data in ordered.items()]


def contents(path):
    """A module, which Debian 13 has compressed."""
    data = path.read_bytes()
    return lzma.decompress(data) if path.suffix == '.xz' else data


def dependencies(module):
    """Names of modules, from the section .modinfo of one."""
    found = re.search(rb'(?:^|\0)depends=([^\0]*)\0', module)
    return [name for name in found[1].decode().split(',') if name] \
        if found else []


def enters_uncompressed(path):
    """Returns True if QEMU can boot this vmlinux unchanged. Under TCG,
    Debian's kernel takes as long to unpack itself as for all the rest of its
    start."""
    if not path.exists():
        return False
    with open(path, 'rb') as file, \
            mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as data:
        return bool(PVH_NOTE.search(data))


def unpack(image, path):
    """Makes a vmlinux of a bzImage, if it is one that xz has compressed: the
    boot protocol has the offset of what is compressed, and its size, at
    0x248."""
    data = image.read_bytes()
    start, size = struct.unpack_from('<II', data, 0x248)
    start += ((data[0x1f1] or 4) + 1) * 512
    try:
        plain = lzma.LZMADecompressor().decompress(data[start:start + size])
    except lzma.LZMAError:
        return
    partial = path.with_name('%s.%d' % (path.name, os.getpid()))
    partial.write_bytes(plain)
    partial.replace(path)


def image_version(image):
    """Returns what "uname -r" prints when @image runs: the x86 boot protocol
    has the offset of that text at 0x20e."""
    with open(image, 'rb') as file:
        head = file.read(1 << 16)
    if head[0x202:0x206] != b'HdrS':
        raise Error('%s is not a kernel image for x86 (bzImage, vmlinuz)' %
                    image)
    offset = struct.unpack_from('<H', head, 0x20e)[0] + 0x200
    return head[offset:].split(b'\0', 1)[0].split(b' ', 1)[0].decode(
        errors='replace')


def only(paths, what):
    """The one path of @paths, or an error that says @what is missing."""
    found = sorted(paths)
    if len(found) != 1:
        raise Error('%s: there %s' % (
            what, 'is none' if not found else 'are %d' % len(found)))
    return found[0]


def first(paths):
    return next((path for path in paths if path.exists()), None)


def from_packages(root):
    """A folder as Debian's packages are unpacked into one. Those of Debian 13
    have modules in usr/lib."""
    image = only(root.glob('boot/vmlinuz-*'), '%s/boot/vmlinuz-*' % root)
    version = image_version(image)
    modules = first(root / lib / 'modules' / version
                    for lib in ('lib', 'usr/lib'))
    headers = first(path.parent
                    for path in root.glob('usr/src/*/Module.symvers'))
    return Kernel(image, modules, headers, root / 'boot/vmlinux')


def from_build(tree):
    """A tree in which Linux was built: its modules are where they were
    made."""
    return Kernel(tree / 'arch/x86/boot/bzImage', tree, tree,
                  tree / 'vmlinux')


def from_image(image):
    """An image, with the modules and headers that this system has for it."""
    modules = pathlib.Path('/lib/modules') / image_version(image)
    headers = modules / 'build'
    return Kernel(image, modules if modules.exists() else None,
                  headers.resolve() if headers.exists() else None)


def find(path):
    """The kernel that a user means by @path."""
    path = pathlib.Path(path).resolve()
    if path.is_file():
        return from_image(path)
    if (path / 'arch/x86/boot/bzImage').exists():
        return from_build(path)
    if (path / 'boot').is_dir():
        return from_packages(path)
    raise Error('%s is not a kernel: name an image, a tree in which Linux was '
                'built, or a folder with boot/vmlinuz-*' % path)


def obtain(script, cache, flavour='amd64'):
    """Debian's kernel, from @cache, where @script downloads it if need be."""
    done = subprocess.run([script, cache, flavour], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, errors='replace', check=False)
    if done.returncode:
        raise Error(done.stderr.strip() or 'linux-kernel failed')
    tree = pathlib.Path(done.stdout.splitlines()[-1])
    if not (tree / 'boot/vmlinux').exists():
        unpack(only(tree.glob('boot/vmlinuz-*'), 'vmlinuz'),
               tree / 'boot/vmlinux')
    return from_packages(tree)
