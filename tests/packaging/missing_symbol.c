/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A reference to a symbol that QEMU does not have, as in a plugin for another
 * version: it must not keep the plugin from explaining itself.
 */
void qemu_function_of_another_version(void);
void call_qemu_function_of_another_version(void);

#pragma weak qemu_function_of_another_version

__attribute__((visibility("default"))) void
call_qemu_function_of_another_version(void)
{
    qemu_function_of_another_version();
}
