# SPDX-License-Identifier: GPL-2.0-or-later
"""Objects of libraries, and functions that end a process."""

import os
import re
import subprocess

ENDS = re.compile(
    r'(abort|_?exit|__assert.*|g_assert.*|g_log.*|g_error.*|g_abort|raise|'
    r'g_(try_)?(malloc|realloc|new|slice|memdup|strdup|strndup)\w*|'
    r'g_(array|ptr_array|string|list|hash_table)_'
    r'\w*(new|append|add|insert)\w*|'
    r'object(_class)?_dynamic_cast_assert|error_(abort|fatal)|'
    r'hw_error|__\w*_chk|__chk_fail|__stack_chk_fail)$')


def objects(library, prefix):
    names = subprocess.check_output(['ar', 't', library], text=True)
    paths = [name if os.path.exists(name) else
             os.path.join(os.path.dirname(library), name)
             for name in names.split()]
    return sorted(path for path in paths if prefix in path)
