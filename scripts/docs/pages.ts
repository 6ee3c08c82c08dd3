/** Every reference page, and the schema of the chart's values, generated from the code's own tables: as they should be on disk. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  accountErrors,
  calls,
  commandDefinitions,
  eventTypes,
  objectErrors,
  pm3u8,
  policyFields,
  records,
  saveAsParameters,
  templateVariables,
} from '@millpond/protocol';
import { settingGroups } from '@millpond/server';
import { parse } from 'yaml';
import { callsPage } from './calls.ts';
import { chartPage } from './chart/page.ts';
import { valuesSchema } from './chart/schema.ts';
import { commandsPage, splitHelp } from './commands.ts';
import { configurationPage } from './configuration.ts';
import { databasePage } from './database.ts';
import { errorsPage } from './errors.ts';
import { processingCommandsPage } from './processing-commands.ts';
import { recordsPage } from './records.ts';
import { uploadPolicyPage } from './upload-policy.ts';

const CHART = 'deploy/helm/millpond';

/** Paths from the project's root, and their text. */
export async function makePages(root: string): Promise<Map<string, string>> {
  const schema = valuesSchema(settingGroups);
  const values = parse(await readFile(path.join(root, CHART, 'values.yaml'), 'utf8')) as Record<
    string,
    unknown
  >;
  const tablesOf = (name: string) => readFile(path.join(root, `packages/server/schema/${name}.sql`), 'utf8');
  const reference: readonly (readonly [string, string])[] = [
    ['calls.md', callsPage(calls)],
    ['records.md', recordsPage(records, eventTypes)],
    ['configuration.md', configurationPage(settingGroups)],
    ['errors.md', errorsPage({ objects: objectErrors, accounts: accountErrors })],
    ['upload-policy.md', uploadPolicyPage({ fields: policyFields, variables: templateVariables })],
    [
      'processing-commands.md',
      processingCommandsPage({ commands: commandDefinitions, byUrl: { pm3u8 }, saveAs: saveAsParameters }),
    ],
    ['commands.md', commandsPage(splitHelp(await askHelp(root)))],
    ['chart.md', chartPage(schema, values)],
    [
      'database.md',
      databasePage({
        'Control database': await tablesOf('control'),
        'Region database': await tablesOf('region'),
      }),
    ],
  ];
  return new Map([
    ...reference.map(([name, text]) => [`docs/reference/${name}`, text] as const),
    [`${CHART}/values.schema.json`, `${JSON.stringify(schema, null, 2)}\n`],
  ]);
}

async function askHelp(root: string): Promise<string> {
  const command = path.join(root, 'packages/cli/bin/millpond.js');
  // Neither colours nor the terminal's width may reach the page.
  const env = { PATH: process.env.PATH, NO_COLOR: '1' };
  const { stdout } = await promisify(execFile)(process.execPath, [command, 'help', '--all'], { env });
  return stdout;
}
