/** The page of settings, from the table with which the server itself reads them. */
import type { SettingGroup } from '@millpond/server';
import { code, page, table } from './markdown.ts';

const INTRODUCTION = `Settings are environment variables, or lines \`NAME=value\` of a file: the one that \`--config\` or
\`MILLPOND_CONFIG\` names, else \`millpond.env\` in the working folder, else the \`.engines/millpond.env\` that the local
engines wrote. The environment takes precedence over the file. The server reads them once, when it starts. If any is
wrong it does not start and reports all faults together; a \`MILLPOND_\` name that is not here is a fault too,
because it is a typo.`;

const SECRETS = `A setting marked secret is never printed. It may also be given as \`<name>_FILE\`, the path of a file that
holds the value. A server does not start with a master key in a file that anyone but its owner and group can access.`;

type Setting = SettingGroup['settings'][number];

export function configurationPage(groups: readonly SettingGroup[]): string {
  return page('Configuration', 'packages/server/src/config/settings', [
    INTRODUCTION,
    SECRETS,
    ...groups.flatMap(({ title, settings }) => [
      `## ${title}`,
      table(['name', 'format', 'default', 'meaning', 'secret'], settings.map(rowOf)),
    ]),
  ]);
}

function rowOf(setting: Setting): string[] {
  const { env, reader, meaning, secret } = setting;
  return [code(env), reader.form, defaultOf(setting), meaning, secret ? 'yes' : ''];
}

function defaultOf({ fallback, optional }: Setting): string {
  if (fallback === undefined) return optional ? 'none' : '**required**';
  return fallback === '' ? 'empty' : code(fallback);
}
