/** Every reference page that is generated from the code's own tables, as it should be on disk. */
import { execFile } from 'node:child_process';
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
import { callsPage } from './calls.ts';
import { commandsPage, splitHelp } from './commands.ts';
import { configurationPage } from './configuration.ts';
import { errorsPage } from './errors.ts';
import { processingCommandsPage } from './processing-commands.ts';
import { recordsPage } from './records.ts';
import { uploadPolicyPage } from './upload-policy.ts';

/** File names under docs/reference, and their text. */
export async function makePages(root: string): Promise<Map<string, string>> {
  return new Map([
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
  ]);
}

async function askHelp(root: string): Promise<string> {
  const command = path.join(root, 'packages/cli/bin/millpond.js');
  // Neither colours nor the terminal's width may reach the page.
  const env = { PATH: process.env.PATH, NO_COLOR: '1' };
  const { stdout } = await promisify(execFile)(process.execPath, [command, 'help', '--all'], { env });
  return stdout;
}
