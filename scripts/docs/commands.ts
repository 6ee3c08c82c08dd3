/** The page of commands: the `--help` of each, as `millpond help --all` prints them. */
import { page } from './markdown.ts';

export interface CommandHelp {
  /** `millpond account create`. */
  readonly name: string;
  readonly help: string;
}

/** From the help of all commands: each begins with a line `# <its name>`. */
export function splitHelp(text: string): CommandHelp[] {
  return text
    .split(/^# (?=millpond)/m)
    .slice(1)
    .map((section) => {
      const [name = '', ...lines] = section.split('\n');
      return { name, help: lines.join('\n').trim() };
    });
}

const INTRODUCTION = `What \`millpond --help\` and the \`--help\` of each command print. A command exits with 0 when it is done, 1 when a
part of it failed, 2 for wrong usage, 3 when something was not found, 4 when it was denied, 5 when trying again may
help, 6 on a conflict, 7 when it can't work at all and 130 when it was interrupted.`;

export function commandsPage(commands: readonly CommandHelp[]): string {
  const sections = commands.flatMap(({ name, help }) => [
    `## ${name}`,
    `\`\`\`text
${help}
\`\`\``,
  ]);
  return page('Commands', 'the command’s own help', [INTRODUCTION, ...sections]);
}
