# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests an installed veu when QEMU is updated: steps of the script package,
# which sources this file. The update is the installed QEMU with another
# version in its package and in its binary, so the source of the installed one
# fits it.

# work, veu: set by package
# shellcheck disable=SC2154
binary=/usr/bin/qemu-system-x86_64
made=/var/lib/veu/veu.so

# Sets version, of the package of QEMU
read_version()
{
    version=$(dpkg-query -W -f '${Version}' qemu-system-x86)
}

make_update()
{
    cd "$work" || return 1
    apt-get -q download qemu-system-x86
    rm -rf update
    dpkg-deb -R qemu-system-x86_*.deb update
    python3 - "$version" <<'EOF'
import re, sys
version = sys.argv[1]
source, rebuild = re.fullmatch(r'(.*?)((?:\+b\d+)?)', version).groups()
new = source[:-1] + str((int(source[-1]) + 1) % 10) + rebuild
# Other packages from QEMU's source stay, and so does their version. A compiler
# may have made two constants of 16 bytes of a text: the second has its end.
for name, before, after in (('usr/bin/qemu-system-x86_64', '', ''),
                            ('usr/bin/qemu-system-x86_64', '', '\0'),
                            ('DEBIAN/control', '\nVersion: ', '')):
    with open('update/' + name, 'r+b') as file:
        data = file.read()
        old_text, new_text = (before + v[-15 if after else 0:] + after
                              for v in (version, new))
        assert after or old_text.encode() in data, name
        file.seek(0)
        file.write(data.replace(old_text.encode(), new_text.encode()))
EOF
    rm -f update/DEBIAN/md5sums
    # Compressing it would take minutes.
    dpkg-deb -Znone -b update update.deb
}

# The update is neither held back nor the end of veu; a message tells the user
# what to do.
update()
{
    dpkg -i "$work/update.deb" >"$work/update.log" 2>&1
    cat "$work/update.log"
    grep "type 'veu-rebuild' as root" "$work/update.log"
    dpkg-query -W -f '${Status}' veu | grep 'install ok installed'
    apt-get check
}

says_how_to_rebuild()
{
    veu-qemu -device veu -M none -display none 2>&1 |
        grep 'rebuild it with: veu-rebuild, as root'
}

rebuild_with_source()
{
    veu-rebuild --qemu-source "$qemu_source"
    veu-rebuild | grep . && return 1
    runs_a_guest && has_rom
}

# The state after veu-rebuild has fetched the source: the trigger has all that
# it needs.
rebuild_by_itself()
{
    now=$("$veu/scripts/qemu-source" --version "$binary")
    package=${now% *}
    now=${now#* }
    mkdir -p /var/cache/veu
    cp -r "$qemu_source" "/var/cache/veu/${package}_${now#*:}"
    rm -f "$made"
    dpkg -i "$work/update.deb"
    [ -e "$made" ] && runs_a_guest
}

# The package's own plugin fits again.
undo_update()
{
    install --allow-downgrades --reinstall "qemu-system-x86=$version"
    [ ! -e "$made" ] && runs_a_guest
}

read_version
qemu_source=$("$veu/scripts/qemu-source" "$binary" "$veu/.cache")
step 'making an update of QEMU' make_update
step 'updating QEMU' update
step 'the launcher says how to rebuild' says_how_to_rebuild
step 'rebuilding with its source' rebuild_with_source
step 'rebuilding in an update' rebuild_by_itself
step 'undoing the update' undo_update
