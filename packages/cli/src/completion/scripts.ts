/** The scripts that shells load, one for each shell; all of them also complete `npx millpond …`. */
import { commonScript } from './common.ts';
import type { CompletionNode } from './nodes.ts';

type Shell = 'bash' | 'zsh' | 'fish';

export function completionScript(shell: Shell, nodes: readonly CompletionNode[]): string {
  return { bash, zsh, fish }[shell](commonScript(nodes));
}

/** Readline breaks words at colons and leaves quotes in place, so the script parses the line again. */
function bash(common: string): string {
  return `${common}
_millpond() {
  local line="\${COMP_LINE:0:COMP_POINT}" word='' quote='' character i has=''
  local -a typed=()
  for ((i = 0; i < \${#line}; i++)); do
    character="\${line:i:1}"
    if [[ $quote == "'" && $character != "'" ]]; then word+="$character"
    elif [[ $character == '\\' && $quote != "'" ]]; then ((i++)); word+="\${line:i:1}"
    elif [[ -n $quote && $character == "$quote" ]]; then quote=''
    elif [[ -z $quote && $character == [\\'\\"] ]]; then quote="$character" has=1
    elif [[ -z $quote && $character == [[:space:]] ]]; then
      [[ -n $word || -n $has ]] && typed+=("$word")
      word='' has=''
    else word+="$character"
    fi
  done
  # What stands before the last colon is not Readline's to replace.
  local before='' offer kind='' unquotable=$'[\\\\\\\\\\'"$\\x60!]'
  [[ -z $quote && $COMP_WORDBREAKS == *:* && $word == *:* ]] && before="\${word%:*}:"
  COMPREPLY=()
  while IFS= read -r offer; do
    if [[ -z $kind ]]; then kind="$offer"; continue; fi
    offer="\${offer%%$'\\t'*}"
    [[ $offer == *[/:] ]] && compopt -o nospace 2>/dev/null
    offer="\${offer#"$before"}"
    # Names come from strangers: none of them may become a command.
    if [[ -z $quote ]]; then printf -v offer %q "$offer"
    elif [[ $offer == *$unquotable* ]]; then continue
    fi
    COMPREPLY+=("$offer")
  done < <(_millpond_offers "\${typed[@]}" "$word")
}

_millpond_npx() {
  if [[ "\${COMP_LINE:0:COMP_POINT}" == *[[:space:]]millpond[[:space:]]* ]]; then _millpond
  elif [[ -n $_millpond_npx_before ]]; then "$_millpond_npx_before" "$@"
  fi
}

if [[ $(complete -p npx 2>/dev/null) =~ ' -F '([^ ]+) && \${BASH_REMATCH[1]} != _millpond_npx ]]; then
  _millpond_npx_before="\${BASH_REMATCH[1]}"
fi
complete -o bashdefault -o default -F _millpond millpond
complete -o bashdefault -o default -F _millpond_npx npx
`;
}

function zsh(common: string): string {
  return `#compdef millpond
${common}
_millpond() {
  local offer kind='' about
  local -a whole wholeShown begun
  for offer in "\${(@f)$(_millpond_offers "\${(@Q)words[1,CURRENT-1]}" "\${(Q)PREFIX}")}"; do
    if [[ -z $kind ]]; then kind="$offer"; continue; fi
    about="\${offer#*$'\\t'}"
    offer="\${offer%%$'\\t'*}"
    if [[ $offer == *[/:] ]]; then begun+=("$offer")
    elif [[ $about == "$offer" ]]; then whole+=("$offer") wholeShown+=("$offer")
    else whole+=("$offer") wholeShown+=("$offer  $about")
    fi
  done
  local found=1
  (( $#begun )) && compadd -S '' -a begun && found=0
  (( $#whole )) && compadd -d wholeShown -a whole && found=0
  [[ $kind == files ]] && _files && found=0
  return $found
}

_millpond_npx() {
  local at="\${words[(i)millpond]}"
  if (( at < CURRENT )); then _millpond
  elif [[ -n $_millpond_npx_before ]]; then "$_millpond_npx_before" "$@"
  else _default "$@"
  fi
}

if (( ! $+functions[compdef] )); then autoload -Uz compinit && compinit; fi
[[ \${_comps[npx]-} == _millpond_npx ]] || typeset -g _millpond_npx_before="\${_comps[npx]-}"
compdef _millpond millpond
compdef _millpond_npx npx
`;
}

/** Fish has its own syntax, and calls sh. */
function fish(common: string): string {
  const program = `${common}\n_millpond_offers "$@"`;
  return `set -g __millpond_program ${fishQuoted(program)}

function __millpond_offers
    set -l typed (commandline -opc)
    set -l word (commandline -ct | string unescape --style=script 2>/dev/null)
    test (count $word) -eq 1; or set word ''
    set -l offers (sh -c $__millpond_program sh $typed $word)
    test (count $offers) -gt 1; and printf '%s\\n' $offers[2..-1]
    test "$offers[1]" = files; and __fish_complete_path $word
    return 0
end

function __millpond_by_npx
    contains -- millpond (commandline -opc)
end

complete -c millpond -f -k -a '(__millpond_offers)'
complete -c npx -n __millpond_by_npx -f -k -a '(__millpond_offers)'
`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
