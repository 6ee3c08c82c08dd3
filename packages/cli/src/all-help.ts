/** `millpond help --all`: the help of every command, from the top down, each under its own name. */
import type { Command } from 'commander';

export function allHelp(root: Command, all: Command): string {
  return [
    section(['millpond'], root),
    ...all.commands.flatMap((command) => sections(['millpond'], command)),
  ].join('');
}

function sections(above: readonly string[], command: Command): string[] {
  const words = [...above, command.name()];
  const below = command.commands.filter((each) => each.name() !== 'help');
  return [section(words, command), ...below.flatMap((each) => sections(words, each))];
}

function section(words: readonly string[], command: Command): string {
  let help = '';
  command.configureOutput({
    writeOut: (piece) => {
      help += piece;
    },
  });
  command.outputHelp();
  return `# ${words.join(' ')}\n\n${help}\n`;
}
