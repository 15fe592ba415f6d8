# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# For scripts that fetch sources of Debian packages. The system's apt
# configuration is read, never changed. $work is a directory for it, $log a file
# that its output is appended to.
#
# shellcheck disable=SC2154

# Turns the system's "deb" entries into "deb-src" ones, in both formats
copy_one_line_sources()
{
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ ! -r "$file" ] || sed -n -e 's/^[[:space:]]*//' -e '/cdrom:/d' \
            -e 's/^deb\(-src\)\{0,1\}\([[:space:]]\)/deb-src\2/p' "$file"
    done | sort -u >"$1"
}

copy_deb822_sources()
{
    for file in /etc/apt/sources.list.d/*.sources; do
        [ -r "$file" ] || continue
        sed -e 's/^[Tt]ypes:.*/Types: deb-src/' "$file"
        echo
    done >"$1"
}

run_apt()
{
    tool=$1
    shift
    "$tool" -q \
        -o Dir::Etc::SourceList="$work/empty" \
        -o Dir::Etc::SourceParts="$work/sources" \
        -o Dir::State::Lists="$work/lists" \
        -o Dir::Cache="$work/archives" \
        -o APT::Sandbox::User=root \
        "$@" >>"$log" 2>&1
}

# download_sources NAME=VERSION...: the files of source packages, whose
# signatures and checksums apt verifies. If it fails, prints the end of the log.
download_sources()
{
    mkdir -p "$work/sources" "$work/lists/partial" \
        "$work/archives/archives/partial"
    : >"$work/empty"
    copy_one_line_sources "$work/sources/system.list"
    copy_deb822_sources "$work/sources/system.sources"
    # A third party's source list may fail; only the download matters.
    run_apt apt-get update || true
    (cd "$work" && run_apt apt-get source --download-only --only-source \
        "$@") || {
        tail -n 20 "$log" >&2
        return 1
    }
}

# unpack_source NAME DIR
unpack_source()
{
    dpkg-source --no-check --no-copy -x "$work/$1"_*.dsc "$2" >>"$log" 2>&1 || {
        tail -n 20 "$log" >&2
        return 1
    }
}
