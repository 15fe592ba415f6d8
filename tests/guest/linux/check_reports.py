#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks which reports of a kernel boots allow. Prints TAP."""

import sys

import known_reports

# In the form in which Linux 6.1 prints it when a device is pulled out of its
# slot, without most of its frames.
PCIEHP = '''\
PASS: a point before
[   21.1] ======================================================
[   21.1] WARNING: possible circular locking dependency detected
[   21.1] 6.1.192 #1 Tainted: G           O
[   21.1] ------------------------------------------------------
[   21.1] irq/24-pciehp/60 is trying to acquire lock:
[   21.1] ffff88 (&ctrl->reset_lock){.+.+}-{3:3}, at: pciehp_unconfigure_device
[   21.1] but task is already holding lock:
[   21.1] ffffff (pci_rescan_remove_lock){+.+.}-{3:3}, at: pciehp_unconfigure
[   21.1] which lock already depends on the new lock.
[   21.1] -> #1 (pci_rescan_remove_lock){+.+.}-{3:3}:
[   21.1]        __mutex_lock+0x101/0x1180
[   21.1]        pciehp_unconfigure_device+0x8a/0x270
[   21.1] -> #0 (&ctrl->reset_lock){.+.+}-{3:3}:
[   21.1]        down_read_nested+0x9b/0x470
[   21.1]        pciehp_unconfigure_device+0x1b5/0x270
[   21.1]  *** DEADLOCK ***
[   21.1] 1 lock held by irq/24-pciehp/60:
[   21.1] stack backtrace:
[   21.1] Call Trace:
[   21.1]  <TASK>
[   21.1]  dump_stack_lvl+0x56/0x73
[   21.1]  pciehp_ist+0x2a5/0x2b0
[   21.1]  </TASK>
PASS: a point after
'''
THIRD = '[   21.1] -> #2 (&veu->gate){++++}-{3:3}:\n[   21.1] -> #1 ('
CASES = [
    # what is printed, the console, whether it is clean
    ('a silent kernel', 'PASS: all\n', True),
    ('pciehp\'s order of its locks', PCIEHP, True),
    ('a frame of the driver in it',
     PCIEHP.replace('pciehp_ist+0x2a5/0x2b0', 'kveu_remove+0x1/0x2 [veu]'),
     False),
    ('a third lock', PCIEHP.replace('-> #1 (', THIRD), False),
    ('another lock', PCIEHP.replace('&ctrl->reset_lock', '&ctrl->lock'), False),
    ('a report that was cut off', PCIEHP[:PCIEHP.index('</TASK>')], False),
    ('a report inside it',
     PCIEHP.replace(' *** DEADLOCK', ' BUG: KASAN: x\n *** DEADLOCK'), False),
    ('a report after it', PCIEHP + 'WARNING: CPU: 0 PID: 1 at x.c:1\n', False),
    ('another report first', 'BUG: KASAN: x\n' + PCIEHP, False),
    ('a fault of the IOMMU', 'DMAR: [DMA Read] fault\n', False),
    ('pciehp\'s order, and that of others',
     PCIEHP + PCIEHP.replace('reset_lock', 'lock'), False),
]


def main():
    failed = 0
    print('1..%d' % (len(CASES) + 1))
    for number, (what, console, clean) in enumerate(CASES, 1):
        good = known_reports.is_clean(console) == clean
        failed += not good
        print('%s %d - %s is %s' % ('ok' if good else 'not ok', number, what,
                                    'allowed' if clean else 'a failure'))
    good = len(known_reports.allowed(PCIEHP)) == 1 and \
        not known_reports.allowed(PCIEHP.replace('&ctrl->reset_lock', 'x'))
    print('%s %d - what is allowed is named' % ('ok' if good else 'not ok',
                                                len(CASES) + 1))
    sys.exit(failed != 0 or not good)


if __name__ == '__main__':
    main()
