#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the parts of veu-linux that need no guest: which kernel, modules and
headers it finds, its first file system, and QEMU's arguments. The kernels are
files that have only what is read of them. Prints TAP."""

import argparse
import gzip
import lzma
import os
import pathlib
import shutil
import socket
import struct
import sys
import tempfile

from veu_linux import Error, driver, initramfs, kernel, machine, session

VERSION = '6.1.0-42-amd64'
# Notes of ELF: sizes of name and data, the type, the name.
PVH = struct.pack('<III4s', 4, 8, 18, b'Xen\0')
OTHER_NOTE = struct.pack('<III4s', 4, 8, 17, b'Xen\0')
count = 0
failed = 0


def expect(what, found, expected):
    global count, failed
    count += 1
    good = found == expected
    failed += not good
    print('%s %d - %s' % ('ok' if good else 'not ok', count, what), flush=True)
    if not good:
        print('# found %r, not %r' % (found, expected), flush=True)


def expect_error(what, words, call, *arguments):
    try:
        text = 'no error: %s' % call(*arguments)
    except Error as error:
        text = str(error)
    expect(what, words in text, True)


def write(path, data=b''):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def image(version=VERSION, packed=b''):
    """A bzImage: Documentation/x86/boot.rst. Its code for real mode has four
    sectors after the first; the kernel begins 16 bytes after them."""
    data = bytearray(0xa00 + 16) + packed + b'what follows'
    data[0x1f1] = 4
    data[0x202:0x206] = b'HdrS'
    struct.pack_into('<H', data, 0x20e, 0x600)
    struct.pack_into('<II', data, 0x248, 16, len(packed))
    text = (version + ' (debian) #1 SMP').encode() + b'\0'
    data[0x800:0x800 + len(text)] = text
    return bytes(data)


def module(*depends):
    return b'\x7fELF\0license=GPL\0depends=%s\0retpoline=Y\0' % \
        ','.join(depends).encode()


def packages(folder, modules='lib/modules'):
    """A folder as packages are unpacked into one."""
    write(folder / 'boot' / ('vmlinuz-' + VERSION), image())
    drivers = folder / modules / VERSION / 'kernel/drivers'
    write(drivers / 'net/own-net.ko', module('own_core', 'other'))
    write(drivers / 'own_core.ko', module())
    write(drivers / 'other.ko.xz', lzma.compress(module('own-core')))
    write(drivers / 'other.ko.sig', b'not a module')
    return folder


def check_packages(folder):
    found = kernel.find(packages(folder / 'debian12'))
    expect('the version is that of the image', found.version, VERSION)
    expect('modules of Debian 12', found.modules,
           folder / 'debian12/lib/modules' / VERSION)
    expect('without headers there are none', found.headers, None)
    expect('without vmlinux, the image is booted', found.fast, None)
    names = found.load_order(['virtio', 'own-net', 'own_core'])
    expect('modules are loaded after what they depend on, once', names,
           [('own_core', module()), ('other', module('own-core')),
            ('own-net', module('own_core', 'other'))])
    found = kernel.find(packages(folder / 'debian13', 'usr/lib/modules'))
    expect('modules of Debian 13', found.modules,
           folder / 'debian13/usr/lib/modules' / VERSION)
    write(folder / 'debian13/usr/src/common/Makefile')
    write(folder / 'debian13/usr/src/headers/Module.symvers')
    write(folder / 'debian13/boot/vmlinux', b'\x7fELF' + PVH)
    found = kernel.find(folder / 'debian13')
    expect('headers', found.headers, folder / 'debian13/usr/src/headers')
    expect('a vmlinux that QEMU can boot', found.fast,
           folder / 'debian13/boot/vmlinux')
    write(folder / 'debian13/boot/vmlinux', b'\x7fELF' + OTHER_NOTE)
    expect('one that it cannot boot', kernel.find(folder / 'debian13').fast,
           None)
    other = folder / 'debian12/lib/modules'
    (other / VERSION).rename(other / '6.1.0-43-amd64')
    found = kernel.find(folder / 'debian12')
    expect('modules of another version are not used',
           (found.modules, found.load_order(['own_core'])), (None, []))


def check_other_kernels(folder):
    tree = folder / 'tree'
    write(tree / 'arch/x86/boot/bzImage', image('6.9.0'))
    write(tree / 'vmlinux', PVH)
    found = kernel.find(tree)
    expect('a tree in which Linux was built',
           (found.version, found.image, found.modules, found.headers,
            found.fast),
           ('6.9.0', tree / 'arch/x86/boot/bzImage', tree, tree,
            tree / 'vmlinux'))
    found = kernel.find(write(folder / 'image', image('no-such-version')))
    expect('an image', (found.version, found.modules, found.headers),
           ('no-such-version', None, None))
    expect_error('no image', 'is not a kernel image', kernel.find,
                 write(folder / 'text', bytes(1 << 16)))
    expect_error('a folder without a kernel', 'is not a kernel', kernel.find,
                 folder)
    (folder / 'empty/boot').mkdir(parents=True)
    expect_error('no image in boot', 'there is none', kernel.find,
                 folder / 'empty')
    two = packages(folder / 'two')
    write(two / 'boot/vmlinuz-6.12', image('6.12'))
    expect_error('two images in boot', 'there are 2', kernel.find, two)


def check_unpack(folder):
    kernel.unpack(write(folder / 'packed', image(packed=lzma.compress(PVH))),
                  folder / 'plain')
    expect('an image of xz is unpacked', (folder / 'plain').read_bytes(), PVH)
    kernel.unpack(write(folder / 'packed', image(packed=b'of gzip')),
                  folder / 'none')
    expect('one of another kind is left as it is', (folder / 'none').exists(),
           False)
    script = write(folder / 'script', b'#!/bin/sh\necho words; echo "$1/$2"\n')
    script.chmod(0o755)
    write(packages(folder / 'cloud') / 'boot' / ('vmlinuz-' + VERSION),
          image(packed=lzma.compress(PVH)))
    found = kernel.obtain(script, folder, 'cloud')
    expect('the downloaded kernel is unpacked', found.fast.read_bytes(), PVH)
    write(script, b'#!/bin/sh\necho "$2" >&2; exit 1\n')
    expect_error('the kernel that is downloaded', 'amd64', kernel.obtain,
                 script, folder)
    write(script, b'#!/bin/sh\necho there is no network >&2; exit 1\n')
    expect_error('a download that fails', 'there is no network', kernel.obtain,
                 script, folder)


def files_of(archive):
    """Names, modes, devices and contents of cpio's format "newc"."""
    data, at, found = gzip.decompress(archive), 0, []
    while at < len(data):
        assert data[at:at + 6] == b'070701', at
        fields = [int(data[at + i:at + i + 8], 16) for i in range(6, 110, 8)]
        name = data[at + 110:at + 110 + fields[11]]
        start = (at + 110 + fields[11] + 3) & ~3
        at = (start + fields[6] + 3) & ~3
        found.append((name, fields[1], tuple(fields[9:11]),
                      data[start:start + fields[6]]))
    return found


def check_initramfs(folder):
    found = kernel.find(packages(folder / 'guest'))
    write(found.modules / 'kernel/9p.ko', module())
    image_of_all = machine.make_initramfs(
        write(folder / 'init', b'the first program'), found,
        write(folder / 'veu.ko', b'the driver'), ['sh', '-c', '', '\udcff'],
        {'PATH': '/own', 'LANG': 'C'}, '/the/folder', True)
    files = {name: rest for name, *rest in files_of(image_of_all)}
    expect('the console', files[b'dev/console\0'], [0o20600, (5, 1), b''])
    expect('folders', [files[name][0] for name in (b'proc\0', b'veu\0')],
           [0o40755] * 2)
    expect('the first program', files[b'init\0'],
           [0o100755, (0, 0), b'the first program'])
    expect('modules', (files[b'9p.ko\0'][2], files[b'veu.ko\0'][2],
                       files[b'veu/modules\0'][2]),
           (module(), b'the driver', b'/9p.ko\0/veu.ko\0'))
    expect('the program', files[b'veu/arguments\0'][2], b'sh\0-c\0\0\xff\0')
    expect('its environment', files[b'veu/environment\0'][2],
           b'PATH=/own:/usr/local/sbin:/usr/sbin:/sbin\0LANG=C\0')
    expect('the session', files[b'veu/session\0'][2],
           b'/the/folder\0terminal\0%s\0\0' % bytes(found.modules))
    expect('the last file', files_of(image_of_all)[-1][0], b'TRAILER!!!\0')


def arguments(found, **options):
    """QEMU's, without the launcher."""
    values = {'qemu_args': [], 'append': [], 'gdb': False, 'kvm': False}
    values.update(options)
    return machine.command('launcher', found, 'initrd', 5, '/a,b',
                           argparse.Namespace(**values))[1:]


def after(words, option):
    return [value for word, value in zip(words, words[1:]) if word == option]


def check_arguments(folder):
    found = kernel.find(packages(folder / 'machine'))
    plain = arguments(found)
    expect('the kernel', after(plain, '-kernel'), [found.image])
    expect('a comma in a folder', 'path=/a,,b,' in after(plain, '-fsdev')[1],
           True)
    expect('the host\'s files are read-only',
           ['readonly=on' in value for value in after(plain, '-fsdev')],
           [True, False])
    expect('one veu', after(plain, '-device').count('veu'), 1)
    found.fast = folder / 'vmlinux'
    expect('a kernel that need not be unpacked',
           after(arguments(found), '-kernel'), [found.fast])
    expect('TCG', (after(plain, '-accel'), after(plain, '-cpu')),
           (['tcg'], ['max']))
    expect('KVM', [after(arguments(found, kvm=True), option)
                   for option in ('-accel', '-cpu')], [['kvm'], ['host']])
    for text in '-accel qtest', '-enable-kvm':
        words = arguments(found, kvm=True, qemu_args=[text])
        expect('the user\'s %s' % text,
               (after(words, '-accel'), after(words, '-cpu')),
               (['qtest'] if 'qtest' in text else [], []))
    for text, added in [('-device veu,rings=2', 0), ('--device veu', 0),
                        ('-device veu-display', 0), ('-device veux', 1),
                        ('-device e1000,id=veu', 1), ('-drive veu', 1)]:
        words = arguments(found, qemu_args=[text])
        expect('with %s, %d veu is added' % (text, added),
               after(words, '-device').count('veu'), added)
    words = arguments(found, qemu_args=["-name 'a b'", '-m 2G'], gdb=True,
                      append=['own=1', 'own=2'])
    expect('more arguments of QEMU are last', words[-4:],
           ['-name', 'a b', '-m', '2G'])
    expect('more of the kernel\'s command line, and gdb',
           after(words, '-append')[0].endswith(' nokaslr own=1 own=2'), True)
    expect('gdb', ('-S' in words, '-S' in plain, after(words, '-gdb')),
           (True, False, ['tcp:127.0.0.1:1234']))
    expect_error('a quote that does not end', "--qemu-args ''\"'\"'a'",
                 machine.split, ["'a"])


def check_driver(folder):
    """A driver is built once for each kernel and source."""
    found = kernel.find(packages(folder / 'with-headers'))
    source, include, cache = (folder / name for name in ('source', 'include',
                                                         'cache'))
    write(include / 'veu/regs.h')
    told = []
    expect_error('no headers', 'there are no headers of Linux ' + VERSION,
                 driver.obtain, found, source, include, cache, told.append)
    found.headers = folder
    for text in 'one', 'one', 'two':
        write(source / 'Makefile', b'all:\n\techo %s $(KERNEL) '
              b'$(VEU_INCLUDE) >veu.ko\n' % text.encode())
        path = driver.obtain(found, source, include, cache, told.append)
        expect('the driver of source %s' % text, path.read_text(),
               '%s %s %s\n' % (text, folder, include))
    expect('it is built twice', told,
           ['building the driver for Linux %s (once)' % VERSION] * 2)
    for what, path in (('interface', include / 'veu/regs.h'),
                       ('kernel', folder / 'Module.symvers')):
        write(path, b'changed')
        driver.obtain(found, source, include, cache, told.append)
        expect('another %s: again' % what, len(told), 3)
        told.pop()
    write(source / 'Makefile', b'all:\n\techo words of make; false\n')
    expect_error('a driver that does not build', 'words of make', driver.obtain,
                 found, source, include, cache, told.append)


def check_frames():
    """Frames arrive whole, in whatever pieces their bytes do."""
    ours, guests = socket.socketpair()
    one = session.Session(None, ours, False)
    found = []
    one.take_frame = lambda kind, data: found.append((kind, data))
    sent = b'O\x03\0\0\0abcS\x01\0\0\0\x07E\0\0\0\0'
    for at in range(len(sent)):
        guests.send(sent[at:at + 1])
        one.read_channel()
    expect('the last frame arrives with its last byte', len(found), 3)
    guests.send(sent)
    one.read_channel()
    expect('frames', found, [(b'O', b'abc'), (b'S', b'\x07'), (b'E', b'')] * 2)
    guests.close()
    expect('the end of a guest', one.read_channel(), False)
    ours.close()
    other = session.Session(None, None, False)
    other.take_frame(b'S', b'\x07')
    expect('a status is answered, and ends the input',
           (other.status, other.to_send, other.has_input),
           (7, b'L\0\0\0\0', False))


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(os.path.realpath(folder))
        for check in (check_packages, check_other_kernels, check_unpack,
                      check_initramfs, check_arguments):
            check(folder)
        if shutil.which('make'):
            check_driver(folder)
    check_frames()
    print('1..%d' % count)
    sys.exit(failed != 0)


if __name__ == '__main__':
    main()
