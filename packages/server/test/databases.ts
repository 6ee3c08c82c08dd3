/** Copies of the migrated databases for one test file, opened as the server opens them. */
import { openLog } from '@millpond/base';
import { createDatabase } from '@millpond/testing';
import { afterAll, beforeAll, inject } from 'vitest';
import { Database } from '../src/platform/db/database.ts';

export interface TestDatabases {
  readonly control: Database;
  readonly region: Database;
}

/** To be called at the top of a test file; what it returns is open while its tests run. */
export function useDatabases(): TestDatabases {
  const open: { control?: Database; region?: Database } = {};
  const close: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const templates = inject('templates');
    for (const name of ['control', 'region'] as const) {
      const copy = await createDatabase(name, templates[name]);
      const options = { connections: 20, timeoutMs: 15_000, applicationName: 'test', log: openLog('silent') };
      const database = new Database({ url: copy.url, ...options });
      open[name] = database;
      close.push(async () => {
        await database.close();
        await copy.drop();
      });
    }
  });
  afterAll(async () => {
    await Promise.all(close.map((each) => each()));
  });
  const opened = (name: 'control' | 'region'): Database => {
    const database = open[name];
    if (database === undefined) throw new Error('databases are open only while tests run');
    return database;
  };
  return {
    get control() {
      return opened('control');
    },
    get region() {
      return opened('region');
    },
  };
}
