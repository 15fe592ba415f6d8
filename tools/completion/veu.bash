# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Completion of the tools' options, commands, formats, tables and files. It is
# installed under the name of each tool. Options come from --help, so that
# there is no list of them here.

# _veu_words WORD...: those that begin with what has been typed
_veu_words()
{
    mapfile -t COMPREPLY < <(compgen -W "$*" -- "$current")
}

_veu_files()
{
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
}

# _veu_options TOOL: its long options, with "=" where they take a value
_veu_options()
{
    local equals
    mapfile -t COMPREPLY < <(compgen -W "$("$1" --help 2>/dev/null |
        grep -oE -- '^ +(-., )?--[a-z-]+=?' | grep -oE -- '--.*')" \
        -- "$current")
    equals=${COMPREPLY[*]}
    [[ $equals != *= ]] || compopt -o nospace 2>/dev/null
}

_veu_format()
{
    if [ "$COMP_CWORD" = 1 ]; then
        _veu_words list pack unpack tile untile
    else
        _veu_words "$("$1" list 2>/dev/null | awk 'NR > 1 { print $2 }')"
    fi
}

# A program of any name, then what the program takes: files, mostly
_veu_linux()
{
    if [ "$COMP_CWORD" = 1 ]; then
        mapfile -t COMPREPLY < <(compgen -c -- "$current"
                                 compgen -f -- "$current")
    else
        _veu_files
    fi
}

_veu()
{
    local tool=$1 current=$2 previous=$3
    COMPREPLY=()
    case ${tool##*/}:$previous:$current in
    veu-qemu:-device:*) _veu_words veu veu-display ;;
    *:-*) _veu_options "$tool" ;;
    veu-spec:*) _veu_words "$("$tool" --list 2>/dev/null)" ;;
    veu-format:*) _veu_format "$tool" ;;
    veu-linux:*) _veu_linux ;;
    veu-kernel:*)
        if [ "$COMP_CWORD" = 1 ]; then
            _veu_words pack
        else
            _veu_files
        fi
        ;;
    *) _veu_files ;;
    esac
}

complete -o filenames -o bashdefault -F _veu veu-as veu-bench veu-dis \
    veu-format veu-kernel veu-linux veu-qemu veu-run veu-spec
