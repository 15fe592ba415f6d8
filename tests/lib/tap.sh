# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# TAP for tests written in shell: source this, call the functions, end with
# tap_done.

tap_count=0

tap_plan()
{
    echo "1..$1"
    tap_planned=$1
}

tap_result()
{
    tap_count=$((tap_count + 1))
    echo "$1 $tap_count - $2"
}

# tap_ok NAME COMMAND...: passes when COMMAND succeeds
tap_ok()
{
    tap_name=$1
    shift
    if tap_output=$("$@" 2>&1); then
        tap_result ok "$tap_name"
    else
        tap_result 'not ok' "$tap_name"
        printf '%s\n' "$tap_output" | sed 's/^/# /'
    fi
}

tap_skip()
{
    tap_result ok "$1 # SKIP $2"
}

# For completeness only: meson compares the plan with the output.
tap_done()
{
    [ "$tap_count" = "$tap_planned" ]
}
