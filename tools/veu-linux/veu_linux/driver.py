# SPDX-License-Identifier: GPL-2.0-or-later
"""The driver of firmware/linux/module, built for a kernel."""

import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile

from . import Error

# A module's types for BPF take a tool, pahole, and the kernel's own image.
NO_BTF = 'CONFIG_DEBUG_INFO_BTF_MODULES='


def make(source, include, headers, work, *variables):
    """Builds a copy of the driver in @work; returns the finished make."""
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(source, work, ignore=shutil.ignore_patterns(
        '*.o', '*.ko', '*.mod*', '.*', 'Module.symvers', 'modules.order'))
    return subprocess.run(
        ['make', '-C', work, 'KERNEL=%s' % headers, 'VEU_INCLUDE=%s' % include,
         NO_BTF, *variables],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors='replace', check=False)


def _fingerprint(kernel, *folders):
    """Changes with the sources, the kernel and where its headers are."""
    digest = hashlib.sha256(('%s %s' % (kernel.version,
                                        kernel.headers)).encode())
    symbols = pathlib.Path(kernel.headers) / 'Module.symvers'
    if symbols.exists():
        digest.update(symbols.read_bytes())
    for folder in folders:
        for path in sorted(pathlib.Path(folder).glob('*')):
            if path.suffix in ('.c', '.h') or path.name in ('Kbuild',
                                                            'Makefile'):
                digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def obtain(kernel, source, include, cache, tell):
    """The driver for @kernel as a file in @cache, where it is built if it is
    missing: tell() is then called with a sentence for the user."""
    if not kernel.headers:
        raise Error('there are no headers of Linux %s, which a module needs: '
                    'name the tree in which it was built in place of its image'
                    % kernel.version)
    print_of_all = _fingerprint(kernel, source, pathlib.Path(include) / 'veu')
    module = cache / 'drivers' / ('veu-%s-%s.ko' % (kernel.version,
                                                    print_of_all))
    if module.exists():
        return module
    tell('building the driver for Linux %s (once)' % kernel.version)
    module.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=module.parent) as work:
        work = pathlib.Path(work) / 'module'
        done = make(source, include, kernel.headers, work)
        if done.returncode:
            raise Error('the driver does not build for Linux %s:\n%s' %
                        (kernel.version, done.stdout.rstrip()))
        os.replace(work / 'veu.ko', module)
    return module
