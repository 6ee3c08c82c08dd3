/** `millpond completion`: a script for bash, zsh or fish, made from the commands themselves. */
import { Argument, type Command } from 'commander';

export interface CompletionNode {
  readonly words: readonly string[];
  readonly subcommands: readonly { readonly name: string; readonly about: string }[];
  readonly options: readonly string[];
}

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      '\n  bash: source <(millpond completion bash)\n  zsh:  source <(millpond completion zsh)\n  fish: millpond completion fish | source',
    )
    .action((shell: 'bash' | 'zsh' | 'fish') => {
      process.stdout.write({ bash, zsh, fish }[shell](nodesOf(program)));
    });
}

export function nodesOf(command: Command, words: readonly string[] = []): CompletionNode[] {
  const below = command.commands.map((each) => ({ name: each.name(), about: each.description() }));
  const options = command.options.flatMap(({ long, short }) => [long, short]).filter((name) => name != null);
  return [
    { words, subcommands: below, options: [...options, '--help'] },
    ...command.commands.flatMap((each) => nodesOf(each, [...words, each.name()])),
  ];
}

/** One case for each command: what may follow it. Files otherwise. */
function cases(nodes: readonly CompletionNode[]): string {
  return nodes
    .map(({ words, subcommands, options }) => {
      const follow = [...subcommands.map(({ name }) => name), ...options].join(' ');
      return `    '${words.join(' ')}') words='${follow}' ;;`;
    })
    .join('\n');
}

function bash(nodes: readonly CompletionNode[]): string {
  return `_millpond() {
  local word path='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    [[ $word == -* ]] && continue
    case "\${path:+$path }$word" in
${knownCases(nodes)}
      *) break ;;
    esac
  done
  case "$path" in
${cases(nodes)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _millpond millpond
`;
}

function zsh(nodes: readonly CompletionNode[]): string {
  return `#compdef millpond
autoload -U +X bashcompinit && bashcompinit
${bash(nodes)}`;
}

/** Words that lead on to a command; anything else is an argument. */
function knownCases(nodes: readonly CompletionNode[]): string {
  const known = nodes.filter(({ words }) => words.length > 0).map(({ words }) => `'${words.join(' ')}'`);
  return `      ${known.join('|')}) path="\${path:+$path }$word" ;;`;
}

function fish(nodes: readonly CompletionNode[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = nodes.flatMap(({ words, subcommands, options }) => {
    const when =
      words.length === 0
        ? '__fish_use_subcommand'
        : words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
    return [
      ...subcommands.map(
        ({ name, about }) => `complete -c millpond -n ${quoted(when)} -a ${name} -d ${quoted(about)}`,
      ),
      ...options
        .filter((name) => name.startsWith('--'))
        .map((name) => `complete -c millpond -n ${quoted(when)} -l ${name.slice(2)}`),
    ];
  });
  return `${lines.join('\n')}\n`;
}
