// What an engine was made with: its settings and generated secrets, kept in a private file inside its folder. The file
// is written last, so a folder without it is incomplete and is made again.

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CephSettings, PostgresSettings, RtmpSettings } from './settings.ts';

export type PostgresRecord = {
  settings: PostgresSettings;
  superuserPassword: string;
  password: string;
  masterKey: string;
  // Made with the PostgreSQL that npm installs, not with the system's.
  embedded?: boolean;
};

export type CephRecord = { settings: CephSettings; accessKey: string; secretKey: string };

export type RtmpRecord = { settings: RtmpSettings; secret: string };

export const readRtmpRecord = (folder: string) => read<RtmpRecord>(folder);
export const readPostgresRecord = (folder: string) => read<PostgresRecord>(folder);
export const readCephRecord = (folder: string) => read<CephRecord>(folder);

export function writeRecord(folder: string, record: PostgresRecord | CephRecord | RtmpRecord): void {
  const path = join(folder, 'made.json');
  writeFileSync(`${path}.new`, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}

function read<T>(folder: string): T | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'made.json'), 'utf8')) as T;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
