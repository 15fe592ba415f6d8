#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests veu-linux as its manual page describes it. Without a kernel it is
skipped.

Usage: veu_linux_runs.py BUILD-DIR SOURCE-DIR"""

import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

TIMEOUT = 240
GATHER = ' '.join(str(n * n) for n in range(15, -1, -1))
POINTERS = ' '.join(str(n * n) for n in range(14)) + ' 1000 2000'
MODULE = '''\
// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>
static int __init own_init(void)
{
    pr_info("own: loaded\\n");
    return 0;
}
static void __exit own_exit(void)
{
}
module_init(own_init);
module_exit(own_exit);
MODULE_LICENSE("GPL");
'''
# What each run checks, in one boot.
IN_THE_FOLDER = '''\
cat
echo to-stderr >&2
printf 'a\\0\\377b\\r\\n'
pwd
echo "$OF_THE_HOST"
echo written >made
echo forgotten >"$BESIDE"
cat "$BESIDE"
exit 7
'''
OWN_MODULE = '''\
set -e
rmmod veu
insmod ./own.ko
dmesg | grep -o 'own: loaded'
grep -o veu.own=1 /proc/cmdline
lspci 2>/dev/null | grep -c no-such-thing || true
cat /sys/bus/pci/devices/*/device | grep -c 0xbeef
kill -9 $$
'''
# A shell with a prompt of its own: a PS1 of the host's need not arrive, because
# a bash without a terminal (a wrapper of Python, say) removes it.
SHELL = '''\
#!/bin/sh
PS1='ready> ' exec sh -i
'''
count = 0
failed = 0


def point(name, found, expected):
    global count, failed
    count += 1
    good = found == expected
    failed += not good
    print('%s %d - %s' % ('ok' if good else 'not ok', count, name), flush=True)
    if not good:
        for line in ('found:    %r' % (found,), 'expected: %r' % (expected,)):
            print('# ' + line.replace('\n', ' '), flush=True)


def run(tool, *arguments, folder, **kwargs):
    return subprocess.run([tool, *arguments], cwd=folder, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=TIMEOUT, **kwargs)


def check_program(tool, folder):
    """Input, output, errors, environment, files, status."""
    own = folder / 'own folder,with a comma'
    own.mkdir()
    beside = folder / 'beside'
    done = run(tool, 'sh', '-c', IN_THE_FOLDER, folder=own, input=b'x\0y\xff\n',
               env=dict(os.environ, OF_THE_HOST='a variable', BESIDE=beside))
    point('input and output arrive byte for byte', done.stdout,
          b'x\0y\xff\na\0\xffb\r\n%s\na variable\nforgotten\n' %
          bytes(own))
    point('errors are separate', done.stderr.splitlines()[-1:], [b'to-stderr'])
    point('the exit status is the program\'s', done.returncode, 7)
    point('what is written in the current folder stays',
          (own / 'made').read_text() if (own / 'made').exists() else None,
          'written\n')
    point('what is written beside it does not', beside.exists(), False)


def build_program(build, source, folder):
    """As docs/linux.md builds a program of the user's own."""
    done = subprocess.run(['gcc', '-I%s' % (source / 'include'),
                           '-I%s' % (source / 'firmware/lib'),
                           source / 'firmware/linux/examples/first_pointer.c',
                           build / 'firmware/linux' / 'libveu-client.a',
                           '-o', folder / 'my_program'], check=False)
    point('a program of the user\'s own builds', done.returncode, 0)


def check_driver(tool, build, source, folder):
    build_program(build, source, folder)
    done = run(tool, 'sh', '-c', '"$0" && ./my_program',
               build / 'firmware/linux/linux-first_gather', folder=folder,
               stdin=subprocess.DEVNULL)
    point('programs use the device',
          [line.strip() for line in done.stdout.decode().splitlines()],
          [GATHER, POINTERS])
    point('... and end with 0', done.returncode, 0)


def steps(source):
    """Commands that docs/linux.md shows for a compiled kernel, and the lines
    that it says they print."""
    page = (source / 'docs/linux.md').read_text(encoding='utf-8')
    section = page[page.index('\n## A compiled kernel in a Linux guest'):]
    block = re.search(r'^```sh\n(.*?)^```$', section, re.M | re.S)[1]
    lines = block.splitlines()
    return ([line[2:] for line in lines if line.startswith('$ ')],
            [line for line in lines if not line.startswith('$ ')])


def check_steps(build, source, folder):
    """From a .cl file to a result. Without ocloc the kernel is the stored one,
    as the page says."""
    own = folder / 'steps'
    own.mkdir()
    for name, path in ('build', build), ('firmware', source / 'firmware'), \
            ('include', source / 'include'):
        (own / name).symlink_to(path)
    commands, expected = steps(source)
    if not shutil.which('ocloc'):
        commands = ['cp firmware/examples/kernels/first_kernel.zebin . && '
                    'echo first_kernel.zebin' if '--compile' in command else
                    command for command in commands]
        print('# there is no ocloc: the kernel was not compiled')
    done = run('sh', '-ec', '\n'.join(commands), folder=own,
               stdin=subprocess.DEVNULL)
    point('from a .cl file to a result in %d commands' % len(commands),
          [line.strip() for line in done.stdout.decode().splitlines()],
          expected)
    point('... and none fails', done.returncode, 0)


def build_module(tool, folder):
    """A module of the user's own, as the manual page builds one."""
    (folder / 'own.c').write_text(MODULE)
    (folder / 'Kbuild').write_text('obj-m := own.o\n')
    headers = run(tool, '--print-headers', folder=folder).stdout.decode()
    done = subprocess.run(['make', '-C', headers.strip(), 'M=%s' % folder,
                           'CONFIG_DEBUG_INFO_BTF_MODULES=', 'modules'],
                          stdout=subprocess.PIPE, check=False,
                          stderr=subprocess.STDOUT, text=True)
    point('a module builds against --print-headers', done.returncode, 0)
    if done.returncode:
        print('\n'.join('# ' + line for line in done.stdout.splitlines()))


def check_module(tool, folder):
    build_module(tool, folder)
    done = run(tool, '--append', 'veu.own=1', '--qemu-args',
               '-device veu,device-id=0xbeef', 'sh', '-c', OWN_MODULE,
               folder=folder, stdin=subprocess.DEVNULL)
    point('a module of the user\'s own takes the driver\'s place',
          done.stdout.decode().split(), 'own: loaded veu.own=1 0 1'.split())
    point('a signal ends with 128 and its number', done.returncode, 128 + 9)


def read_terminal(fd, text=None):
    """What a terminal shows next, until @text is in it; without @text, or if
    it does not come, until the terminal is closed or the time is up. It may
    show more than @text: what follows may come with it."""
    shown = b''
    end = time.monotonic() + TIMEOUT
    while (not text or text not in shown) and time.monotonic() < end:
        if select.select([fd], [], [], 1)[0]:
            try:
                shown += os.read(fd, 4096)
            except OSError:
                break
    return shown


def check_terminal(tool, folder):
    shell = folder / 'shell'
    shell.write_text(SHELL)
    shell.chmod(0o755)
    pid, fd = pty.fork()
    if not pid:
        os.chdir(folder)
        os.environ['SHELL'] = str(shell)
        os.execv(tool, [tool])
    read_terminal(fd, b'ready> ')
    os.write(fd, b'test -t 0 && echo has-a"-"terminal\n')
    answer = b'has-a-terminal\r\nready> '
    shown = read_terminal(fd, answer)
    point('a shell has a terminal', shown[-len(answer):], answer)
    os.write(fd, b'exit 3\n')
    read_terminal(fd)
    point('... and its exit status', os.waitstatus_to_exitcode(
        os.waitpid(pid, 0)[1]), 3)


def check_failures(tool, folder):
    """125: there was no guest, or it ended first."""
    done = run(tool, 'sh', '-c', 'echo c >/proc/sysrq-trigger', folder=folder,
               stdin=subprocess.DEVNULL)
    point('a kernel that panics ends with 125', done.returncode, 125)
    point('... and says so', b'Kernel panic' in done.stderr, True)
    for name, arguments, words in [
            ('a kernel that is none', ['--kernel', '/etc/passwd', 'true'],
             'not a kernel image'),
            ('a quote that does not end', ['--qemu-args', "'", 'true'],
             'No closing quotation'),
            ('a program that does not exist', ['./no-such'], 'not exist'),
            ('an argument that QEMU does not know',
             ['--qemu-args', '-no-such', 'true'], 'invalid option')]:
        done = run(tool, *arguments, folder=folder, stdin=subprocess.DEVNULL)
        point(name + ' ends with 125', done.returncode, 125)
        point('... and an error that says so',
              words in done.stderr.decode(), True)


def main():
    build, source = (pathlib.Path(a).resolve() for a in sys.argv[1:])
    tool = build / 'veu-linux'
    done = run(tool, '--print-headers', folder=source)
    if done.returncode or not shutil.which('make'):
        print('1..0 # SKIP ' + (done.stderr.decode().strip().splitlines() or
                                ['there is no make'])[-1])
        return
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        check_program(tool, folder)
        check_driver(tool, build, source, folder)
        check_steps(build, source, folder)
        check_module(tool, folder)
        check_terminal(tool, folder)
        check_failures(tool, folder)
    print('1..%d' % count)
    sys.exit(failed != 0)


if __name__ == '__main__':
    main()
