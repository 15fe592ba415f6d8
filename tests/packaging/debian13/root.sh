# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A Debian 13 in a directory, with these sources in it, for scripts that work
# there. They set source, build and root, and then call enter_root. The root is
# kept, and the next run begins where this one ended. The mirror is the one
# that apt uses here. Needs root; nothing of this system changes.

. "$(dirname "$0")/../../lib/mirror.sh"

suite=trixie
inside=/src/veu

say()
{
    printf '%s: %s\n' "${0##*/}" "$*"
}

die()
{
    say "$*" >&2
    exit 1
}

# Mounts go away with this process and all that it starts.
enter_namespace()
{
    [ "$(id -u)" = 0 ] || die "this needs root: it makes a system and enters it"
    [ -n "${VEU_NAMESPACE:-}" ] ||
        VEU_NAMESPACE=1 exec unshare --mount --propagation private "$0" "$@"
}

make_root()
{
    [ ! -e "$root/.complete" ] || return 0
    command -v debootstrap >/dev/null || die "debootstrap is missing:" \
        "apt-get install debootstrap"
    find_mirror
    say "making $suite in $root"
    rm -rf "$root"
    debootstrap --variant=minbase "$suite" "$root" "$uri" \
        >"$root.log" 2>&1 || die "debootstrap failed: see $root.log"
    rm "$root.log"
    touch "$root/.complete"
}

mount_host()
{
    mount --rbind /dev "$root/dev"
    mount --rbind /proc "$root/proc"
    mkdir -p "$root$shared"
    mount --bind "$shared" "$root$shared"
    for file in /etc/resolv.conf /etc/hosts; do
        [ ! -r "$file" ] || cp -L "$file" "$root$file"
    done
    # Settings for downloads; the root decides what to fetch. (Files of
    # apt.conf.d may belong to packages that are installed there later.)
    apt-config dump | grep '^Acquire::' | grep -v '^Acquire::IndexTargets' \
        >"$root/etc/apt/apt.conf.d/99acquire"
}

source_files()
{
    git -C "$source" -c safe.directory='*' ls-files -z --cached --others \
        --exclude-standard
}

# For ninja, unchanged files keep their times, and others get new ones.
set_times()
{
    python3 - "$1" "$2" <<'EOF'
import filecmp, os, sys
new, old = sys.argv[1:]
for folder, _, names in os.walk(new):
    for name in names:
        path = os.path.join(folder, name)
        before = os.path.join(old, os.path.relpath(path, new))
        if os.path.exists(before) and filecmp.cmp(path, before, False):
            os.utime(path, ns=(os.stat(before).st_mtime_ns,) * 2)
        else:
            os.utime(path)
EOF
}

copy_source()
{
    old=$root$inside
    new=$old.new
    rm -rf "$new"
    mkdir -p "$old" "$new"
    (cd "$source" && source_files | xargs -0 -r ls -d 2>/dev/null |
        tar -c --files-from=-) | tar -x -C "$new"
    set_times "$new" "$old"
    for kept in build .cache; do
        [ ! -e "$old/$kept" ] || mv "$old/$kept" "$new/"
    done
    rm -rf "$old"
    mv "$new" "$old"
}

in_root()
{
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        LC_ALL=C.UTF-8 TMPDIR="$shared" sh -c "cd $inside && $1"
}

# With all that is needed to work there; one at a time
enter_root()
{
    shared=$build/debian13-shared
    mkdir -p "$shared" "$root"
    root=$(cd "$root" && pwd)
    exec 9>"$root.lock"
    flock 9
    make_root
    mount_host
    copy_source
}

# With all packages; builds nothing
configure()
{
    version=$(in_root 'qemu-system-x86_64 --version' 2>/dev/null | head -n 1)
    say "building for ${version:-a QEMU that is yet to be installed}"
    logged './configure --install-deps'
}

# logged COMMAND: runs in the root; shows the output only if it fails
logged()
{
    in_root "$1" >"$build/debian13-build.log" 2>&1 || {
        tail -n 40 "$build/debian13-build.log"
        die "'$1' failed (see above and $build/debian13-build.log)"
    }
}
