# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# For scripts that fetch a Debian, and have a function die().

# Sets uri to the mirror that apt uses here, and http_proxy to its proxy.
find_mirror()
{
    # shellcheck disable=SC2016
    uri=$(apt-get indextargets --format '$(REPO_URI)' \
        'Created-By: Packages' 'Origin: Debian' | head -n 1)
    [ -n "$uri" ] || die "apt has no Debian mirror here, or no lists yet:" \
        "try 'apt-get update'"
    proxy=
    eval "$(apt-config shell proxy Acquire::http::Proxy)"
    [ -z "$proxy" ] || export http_proxy="$proxy"
}
