/** The page of commands: what each prints for `--help`, found by asking the command itself, from the top down. */
import { page } from './markdown.ts';

/** The help text of `millpond <words…> --help`. */
export type AskHelp = (words: readonly string[]) => Promise<string>;

export interface CommandHelp {
  readonly words: readonly string[];
  readonly help: string;
}

export async function collectHelp(ask: AskHelp, words: readonly string[] = []): Promise<CommandHelp[]> {
  const help = await ask(words);
  const found: CommandHelp[] = [{ words, help }];
  for (const name of subcommandsIn(help)) found.push(...(await collectHelp(ask, [...words, name])));
  return found;
}

/** The names under `Commands:`, without `help`, which every command has. */
export function subcommandsIn(help: string): string[] {
  const [, section = ''] = help.split(/^Commands:\n/m);
  const [block = ''] = section.split(/\n\S/);
  // Deeper lines go on with the description of the line above.
  return [...block.matchAll(/^ {2}([a-z][a-z0-9-]*)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');
}

const INTRODUCTION = `What \`millpond --help\` and the \`--help\` of each command print. A command ends with 0 when it is done, 1 when a
part of it failed, 2 for wrong usage, 3 when something was not found, 4 when it was denied, 5 when trying again may
help, 6 on a conflict, 7 when it can't work at all and 130 when it was interrupted.`;

export function commandsPage(commands: readonly CommandHelp[]): string {
  const sections = commands.flatMap(({ words, help }) => [
    `## ${['millpond', ...words].join(' ')}`,
    `\`\`\`text\n${help.trimEnd()}\n\`\`\``,
  ]);
  return page('Commands', 'the command’s own help', [INTRODUCTION, ...sections]);
}
