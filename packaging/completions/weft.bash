# SPDX-License-Identifier: Apache-2.0
# Completion of `weft` and `weft-workbench` in bash: source it, or put it into
# /usr/share/bash-completion/completions under both names. The program's own help says which verbs
# and options there are.

_weft() {
    local word=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]}
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "--help --version $("$program" --help 2>/dev/null |
            sed -n '/^Subcommands:/,$s/^  \([a-z]\{1,\}\) .*/\1/p')" -- "$word")
    elif [ "${word#-}" != "$word" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$program" "${COMP_WORDS[1]}" --help 2>/dev/null |
            grep -oE -- '--[a-z][a-z-]*' | sort -u)" -- "$word")
    else
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -X '!*.weft' -- "$word"; compgen -d -- "$word")
    fi
}
complete -F _weft weft

_weft_workbench() {
    if [ "${2#-}" != "$2" ]; then
        mapfile -t COMPREPLY < <(compgen -W "--help --version --play --quit" -- "$2")
    else
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -X '!*.weft' -- "$2"; compgen -d -- "$2")
    fi
}
complete -F _weft_workbench weft-workbench
