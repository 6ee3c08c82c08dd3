/** The `millpond` command as a user of an installation runs it: keys in the environment, folders of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type FinishedCommand, finishCommand } from '@millpond/testing';
import { afterAll } from 'vitest';
import { target } from '../target.ts';

export interface CommandLine {
  /** For files of the test. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  run(args: readonly string[], input?: string): Promise<FinishedCommand>;
  /** One object for each line of JSON that a command prints. */
  json(args: readonly string[], input?: string): Promise<Record<string, unknown>[]>;
}

export function useCommandLine(changes: Readonly<Record<string, string>> = {}): CommandLine {
  const folder = mkdtempSync(path.join(tmpdir(), 'millpond-cli-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const environment = {
    HOME: folder,
    // Code that was read once is read fast the next time.
    XDG_CACHE_HOME: path.join(tmpdir(), 'millpond-cli-cache'),
    NODE_EXTRA_CA_CERTS: target.trusted.certificate,
    MILLPOND_ENDPOINT: `${target.url},api=${target.secure.url},auth=${target.secure.url}`,
    MILLPOND_ACCESS_KEY: target.account.accessKey,
    MILLPOND_SECRET_KEY: target.account.secretKey,
    ...changes,
  };
  const run = (args: readonly string[], input?: string) => finishCommand(environment, args, input);
  return {
    folder,
    environment,
    run,
    async json(args, input) {
      const { stdout } = await run([...args, '--json'], input);
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    },
  };
}
