# SPDX-License-Identifier: GPL-2.0-or-later
"""Wrong reports of a kernel that checks its drivers: a boot does not fail for
them."""

import re

# What a kernel prints when something is wrong.
WRONG = re.compile(r'BUG:|Oops|WARNING:|DMAR:.*fault')
# lockdep's report on locks that are taken in two orders.
CIRCLE = re.compile(r'WARNING: possible circular locking dependency detected'
                    r'.*?</TASK>', re.S)
# The locks of its circle.
LINK = re.compile(r'-> #\d+ \((.*?)\)[{-]')
# Since Linux 6.1.26, the thread of a slot that has been emptied releases the
# slot's lock while drivers are unbound, and takes it again inside the other
# one. Nothing can wait for itself there, because each slot has one such thread:
# https://lkml.iu.edu/hypermail/linux/kernel/2310.1/08600.html
PCIEHP = {'&ctrl->reset_lock', 'pci_rescan_remove_lock'}


def is_pciehp(report):
    """Returns True if the report is about the two locks of pciehp, about no
    others, and not about the driver, and has no other report in it."""
    return set(LINK.findall(report)) == PCIEHP and '[veu]' not in report and \
        len(WRONG.findall(report)) == 1


def is_clean(console):
    """Returns True if the kernel that printed @console has reported nothing
    except what is_pciehp() allows."""
    return not WRONG.search(CIRCLE.sub(
        lambda found: '' if is_pciehp(found[0]) else found[0], console))


def allowed(console):
    """Returns a description of each allowed report in @console."""
    return ['lockdep reports pciehp, as on each surprise removal; it checks no '
            'locks from there on'
            for report in CIRCLE.findall(console) if is_pciehp(report)]
