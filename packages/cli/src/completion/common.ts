/**
 * What the scripts of all shells have in common, in sh syntax, which bash and zsh understand and fish can call.
 * `_millpond_offers` takes the words of a line, the last one being typed, and prints what it could become, each with or
 * without a tab and its description. A line before these says `files` if files are meant too.
 */
import { type CompletionKind, type CompletionNode, completionKinds } from './nodes.ts';

export function commonScript(nodes: readonly CompletionNode[]): string {
  return `_millpond_node() {
  case "$1" in
${nodes.map(caseOf).join('\n')}
  *) return 1 ;;
  esac
}

# The command as it was typed; for npx the one that it would find, because npx itself takes its time.
_millpond_ask() {
  case "$_millpond_by" in
  npx | */npx)
    local folder="$PWD"
    while :; do
      if [ -x "$folder/node_modules/.bin/millpond" ]; then
        "$folder/node_modules/.bin/millpond" complete "$1" "$2"
        return
      fi
      [ -n "$folder" ] || break
      folder="\${folder%/*}"
    done
    npx --no millpond complete "$1" "$2"
    ;;
  *) "$_millpond_by" complete "$1" "$2" ;;
  esac </dev/null 2>/dev/null
}

_millpond_matching() {
  local line
  while IFS= read -r line; do
    case "$line" in "$1"*) printf '%s\\n' "$line" ;; esac
  done
}

_millpond_offer() {
  case "$1" in
  ${completionKinds.map((kind) => `=${kind}`).join(' | ')}) _millpond_ask "\${1#=}" "$2" ;;
  =*) ;;
  *) printf '%s\\n' "$1" | tr '|' '\\n' | _millpond_matching "$2" ;;
  esac
}

_millpond_offers() {
  if [ -n "\${ZSH_VERSION-}" ]; then emulate -L sh; fi
  local _millpond_by="$1" at='' offered='' values='' argument='' kind='' value='' isArgument=''
  shift
  case "$_millpond_by" in
  npx | */npx)
    while [ $# -gt 1 ] && [ "$1" != millpond ]; do shift; done
    shift
    ;;
  esac
  [ $# -gt 0 ] || return 0
  _millpond_node ''
  while [ $# -gt 1 ]; do
    if [ -n "$value" ]; then value=''
    else
      case "$1" in
      -*) case "$values" in *" $1:"*) value="$1" ;; esac ;;
      *)
        if [ -z "$isArgument" ] && _millpond_node "\${at:+$at }$1"; then at="\${at:+$at }$1"
        else isArgument=1; fi
        ;;
      esac
    fi
    shift
  done
  if [ -n "$value" ]; then
    kind="\${values#*" $value:"}"
    kind="\${kind%% *}"
  else
    case "$1" in
    -*) ;;
    *) kind="$argument" ;;
    esac
  fi
  case "$kind" in
  ${filesToo().join(' | ')}) echo files ;;
  *) echo words ;;
  esac
  if [ -z "$value" ] && { [ -z "$isArgument" ] || [ "\${1#-}" != "$1" ]; }; then
    printf '%s\\n' "$offered" | while IFS= read -r word; do
      # Options are offered to who asks for them.
      case "$word" in
      -*) case "$1" in -*) ;; *) [ -n "$argument" ] && continue ;; esac ;;
      esac
      printf '%s\\n' "$word"
    done | _millpond_matching "$1"
  fi
  [ -z "$kind" ] || _millpond_offer "$kind" "$1"
}
`;
}

function filesToo(): string[] {
  const asked: CompletionKind = 'path-or-place';
  return ['=file', `=${asked}`];
}

function caseOf({ words, subcommands, options, argument }: CompletionNode): string {
  const offers = [
    ...subcommands.map(({ name, about }) => `${name}\t${about}`),
    ...options.flatMap(({ names }) => names),
  ];
  const values = options
    .filter(({ value }) => value !== 'none')
    .flatMap(({ names, value }) => names.map((name) => ` ${name}:${kindText(value) || '='}`));
  return `  ${quoted(words.join(' '))})
    offered=${quoted(offers.join('\n'))}
    values=${quoted(`${values.join('')} `)} argument=${quoted(kindText(argument))}
    ;;`;
}

/** `a|b` are words to choose from; `=kind` has to be asked for. */
function kindText(offer: CompletionNode['argument'] | 'none'): string {
  if (offer === undefined) return '';
  return typeof offer === 'string' ? `=${offer}` : offer.join('|');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
