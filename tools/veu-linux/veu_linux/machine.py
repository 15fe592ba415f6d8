# SPDX-License-Identifier: GPL-2.0-or-later
"""The machine that veu-linux starts: QEMU's arguments, and the first file
system of its guest."""

import shlex

from . import Error, initramfs

# What the guest's first process uses; what the kernel has built in is left
# out.
MODULES = ['virtio_pci', 'virtio_console', '9pnet_virtio', '9p', 'overlay']
# quiet: errors are shown, all else is in dmesg. panic, reboot: QEMU ends.
# no_timer_check: on a busy host the kernel's check of its timer fails.
# cryptomgr.notests: its ciphers' tests take two seconds.
APPEND = ['console=ttyS0', 'quiet', 'panic=-1', 'reboot=t', 'no_timer_check',
          'cryptomgr.notests']
# The library that commands of an administrator are in, as root has it.
SYSTEM_PATH = '/usr/local/sbin:/usr/sbin:/sbin'


def strings(*items):
    """Returns a list in the form that the guest reads."""
    return b''.join(str(item).encode(errors='surrogateescape') + b'\0'
                    for item in items)


def guest_environment(environment):
    path = environment.get('PATH', '/usr/local/bin:/usr/bin:/bin')
    changed = dict(environment, PATH='%s:%s' % (path, SYSTEM_PATH))
    return ['%s=%s' % pair for pair in changed.items()]


def make_initramfs(init, kernel, driver, program, environment, folder,
                   terminal):
    """@init, @driver: files. @program: a list."""
    modules = kernel.load_order(MODULES) + [('veu', driver.read_bytes())]
    session = strings(folder, 'terminal' if terminal else 'pipes',
                      kernel.modules or '', kernel.headers or '')
    return initramfs.archive(
        [initramfs.folder(name) for name in ('dev', 'proc', 'sys', 'run',
                                             'veu')] +
        [initramfs.console(), initramfs.program('init', init.read_bytes()),
         initramfs.file('veu/session', session),
         initramfs.file('veu/arguments', strings(*program)),
         initramfs.file('veu/environment',
                        strings(*guest_environment(environment))),
         initramfs.file('veu/modules', strings(
             *('/%s.ko' % name for name, _ in modules)))] +
        [initramfs.file(name + '.ko', data) for name, data in modules])


def share(name, path, *more):
    """A folder of the host's for 9p; QEMU wants commas twice."""
    fsdev = ','.join(['local', 'id=' + name,
                      'path=' + str(path).replace(',', ',,'),
                      'security_model=none', 'multidevs=remap', *more])
    return ['-fsdev', fsdev, '-device',
            'virtio-9p-pci,fsdev=%s,mount_tag=%s' % (name, name)]


def accelerator(kvm, qemu_args):
    if '-accel' in qemu_args or '-enable-kvm' in qemu_args:
        return []
    return ['-accel', 'kvm', '-cpu', 'host'] if kvm else \
        ['-accel', 'tcg', '-cpu', 'max']


def has_veu(qemu_args):
    """Returns True if the user's arguments have a device of ours."""
    return any(option in ('-device', '--device') and
               value.split(',')[0] in ('veu', 'veu-display')
               for option, value in zip(qemu_args, qemu_args[1:]))


def split(texts):
    try:
        return [word for text in texts for word in shlex.split(text)]
    except ValueError as error:
        raise Error('--qemu-args %s: %s' % (shlex.quote(' '.join(texts)),
                                            error)) from error


def command(launcher, kernel, image, channel_fd, folder, options):
    """QEMU's, as a list."""
    extra = split(options.qemu_args)
    append = APPEND + (['nokaslr'] if options.gdb else []) + options.append
    debugger = ['-S', '-gdb', 'tcp:127.0.0.1:1234'] if options.gdb else []
    return [
        launcher, '-M', 'q35', '-m', '1G', '-nodefaults', '-display', 'none',
        '-no-reboot', '-serial', 'stdio', '-kernel',
        kernel.fast or kernel.image, '-initrd', image,
        '-append', ' '.join(append),
        '-chardev', 'socket,id=veu-session,fd=%d' % channel_fd,
        '-device', 'virtio-serial-pci',
        '-device', 'virtserialport,chardev=veu-session,name=veu',
        *share('veu-root', '/', 'readonly=on'), *share('veu-folder', folder),
        *([] if has_veu(extra) else ['-device', 'veu']),
        *accelerator(options.kvm, extra), *debugger, *extra]
