# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line of veu-linux."""

import argparse
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile

from . import Error, driver, kernel, machine
from .session import Session, is_terminal, tell

# The status if veu-linux itself has failed, not the program.
FAILED = 125

DESCRIPTION = '''\
Boots a Linux guest that has a veu device, its driver and its library, runs
PROGRAM (or a shell) in it, and ends with its exit status.'''
EPILOG = '''\
The guest has the host's files. It may change all of them, but only what is
below the current folder is really written; the rest is forgotten with the
guest. Its user is root. Ctrl-] ends a guest with a terminal.
veu-linux(1) has examples.'''


class Parser(argparse.ArgumentParser):
    """An illegal option must not look like a program's status."""

    def error(self, message):
        self.exit(FAILED, 'veu-linux: %s; see veu-linux --help\n' % message)


def join_values(arguments):
    """Values may begin with a dash: "--qemu-args -snapshot". What follows the
    program's name is the program's."""
    joined = []
    rest = list(arguments)
    while rest and rest[0].startswith('-') and rest[0] != '--':
        option = rest.pop(0)
        if option in ('--append', '--kernel', '--qemu-args') and rest:
            option += '=' + rest.pop(0)
        joined.append(option)
    return joined + rest


def parse_arguments(version, arguments):
    parser = Parser(
        prog='veu-linux', description=DESCRIPTION, epilog=EPILOG,
        usage='veu-linux [OPTION]... [PROGRAM [ARGUMENT]...]',
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False)
    parser.add_argument('--kernel', metavar='PATH', help='boot this kernel: an '
                        'image, a tree in which Linux was built, or a folder '
                        "with boot/vmlinuz-* [Debian's, which is downloaded]")
    parser.add_argument('--append', metavar='TEXT', action='append', default=[],
                        help="more of the kernel's command line")
    parser.add_argument('--qemu-args', metavar='TEXT', action='append',
                        default=[], help='more arguments for QEMU, split as a '
                        'shell does; with "-device veu,..." that device is the '
                        'only one')
    parser.add_argument('--gdb', action='store_true', help='wait for gdb, on '
                        'port 1234 of this host, before the kernel starts')
    parser.add_argument('--kvm', action='store_true',
                        help="run on the host's processors [TCG]")
    parser.add_argument('--print-headers', action='store_true',
                        help='print the folder that a module for this kernel '
                        'is built against ("make -C"), and end')
    parser.add_argument('--version', action='version',
                        version='veu-linux ' + version)
    parser.add_argument('program', nargs=argparse.REMAINDER,
                        help=argparse.SUPPRESS)
    options = parser.parse_args(join_values(arguments))
    if options.program[:1] == ['--']:
        del options.program[0]
    return options


def find_kernel(paths, options):
    return kernel.find(options.kernel) if options.kernel else \
        kernel.obtain(paths.fetch, paths.cache)


def current_folder():
    folder = os.getcwd()
    if folder == '/':
        raise Error('the current folder is /, all of which a guest could '
                    'change: go to a folder of your own')
    return folder


def check_program(program):
    """The guest sees the host's files: a wrong path is noticed before it
    boots. A name without a path is for the guest's shell to find."""
    if program and '/' in program[0] and not os.path.exists(program[0]):
        raise Error('%s does not exist' % program[0])


def tell_about_gdb(guest_kernel):
    symbols = guest_kernel.headers and guest_kernel.headers / 'vmlinux'
    tell('waiting for gdb%s -ex "target remote :1234"' %
         (' %s' % symbols if symbols and symbols.exists() else ''))


def run_qemu(command, channel, guest_channel, terminal):
    with subprocess.Popen(command, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, start_new_session=True,
                          pass_fds=[guest_channel.fileno()]) as qemu:
        guest_channel.close()
        session = Session(qemu, channel, terminal)
        session.run()
    return session


def boot(paths, options):
    """Returns the exit status."""
    folder = current_folder()
    check_program(options.program)
    guest_kernel = find_kernel(paths, options)
    module = driver.obtain(guest_kernel, paths.driver, paths.include,
                           paths.cache, tell)
    terminal = is_terminal()
    program = options.program or [os.environ.get('SHELL') or '/bin/sh']
    image = machine.make_initramfs(paths.init, guest_kernel, module, program,
                                   os.environ, folder, terminal)
    ours, guests = socket.socketpair()
    with tempfile.NamedTemporaryFile(prefix='veu-linux-') as initrd:
        initrd.write(image)
        initrd.flush()
        if options.gdb:
            tell_about_gdb(guest_kernel)
        session = run_qemu(
            machine.command(paths.launcher, guest_kernel, initrd.name,
                            guests.fileno(), folder, options),
            ours, guests, terminal)
    return exit_status(session)


def exit_status(session):
    if session.stopped_by:
        return 128 + session.stopped_by
    if session.status is None:
        tell('the guest has ended before its program (QEMU: status %d)' %
             session.qemu.returncode)
        return FAILED
    return session.status


def run(paths, version):
    # A reader that is gone is not an error of ours.
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    options = parse_arguments(version, sys.argv[1:])
    try:
        if options.print_headers:
            headers = find_kernel(paths, options).headers
            if not headers:
                raise Error('there are no headers of this kernel')
            print(headers)
            return 0
        return boot(paths, options)
    except (Error, OSError) as error:
        tell(str(error))
        return FAILED


class Paths:
    """Where the parts are: files and folders; they differ between a build and
    what is installed."""

    def __init__(self, **paths):
        self.launcher = self.init = self.driver = self.include = None
        self.fetch = self.cache = None
        for name, path in paths.items():
            setattr(self, name, pathlib.Path(path))
