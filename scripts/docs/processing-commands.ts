/** The page of the processing commands: what each does, its parameters, and where it differs from Qiniu. */
import type { CommandDefinition, Parameter, ParameterTable } from '@millpond/protocol';
import { code, page, table } from './markdown.ts';

export interface CommandTables {
  readonly commands: Readonly<Record<string, Pick<CommandDefinition<never>, DocumentedField>>>;
  /** Not for tasks. */
  readonly byUrl: CommandTables['commands'];
  readonly saveAs: ParameterTable;
}

type DocumentedField = 'syntax' | 'about' | 'parameters' | 'more' | 'differences' | 'idle';

const INTRODUCTION = `How commands are joined, named and run is described in [processing-commands.md](../processing-commands.md).
A parameter is written \`/name/value\`; parameters may come in any order, each once.`;

export function processingCommandsPage({ commands, byUrl, saveAs }: CommandTables): string {
  return page('Processing commands', 'packages/protocol/src/processing', [
    INTRODUCTION,
    ...Object.entries({ ...commands, ...byUrl }).flatMap(([name, command]) => section(name, command)),
    '## saveas',
    '`saveas/<EncodedEntryURI>[/<parameter>/<value>]…`, last in a pipe: where the result is stored.',
    parameterTable(saveAs),
  ]);
}

function section(name: string, command: CommandTables['commands'][string]): string[] {
  const { syntax, about, parameters, more = [], differences = [], idle } = command;
  return [
    `## ${name}`,
    code(syntax),
    idle ? `${about} May run in idle time.` : about,
    ...(Object.keys(parameters).length === 0 ? [] : [parameterTable(parameters)]),
    ...more.flatMap(({ title, parameters: rows }) => [`### ${name}: ${title}`, parameterTable(rows)]),
    ...(differences.length === 0 ? [] : ['Unlike Qiniu:', differences.map((line) => `- ${line}`).join('\n')]),
  ];
}

function parameterTable(parameters: ParameterTable): string {
  return table(
    ['parameter', 'value', 'meaning'],
    Object.entries<Parameter>(parameters).map(([name, { value, meaning, required, aliases = [] }]) => [
      [name, ...aliases].map(code).join(', '),
      // Angle brackets and bars would be interpreted as markup.
      value.form.replaceAll(/<[^<>]*>/g, (words) => `\`${words}\``),
      required ? `${meaning} (required)` : meaning,
    ]),
  );
}
