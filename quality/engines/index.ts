// What other workspaces may use of the engines: where they are, the command that breaks and repairs them, and separate servers.

import { join } from 'node:path';
import { readEnvironment } from './src/environment.ts';
import { EngineError } from './src/fault.ts';
import { findPlaces } from './src/places.ts';
import { readPostgresRecord } from './src/record.ts';
import { attempt } from './src/run.ts';

export { makeRtmpFolders } from '@millpond/server/rtmp-engine';
export {
  type CertificateFiles,
  makeAuthority,
  makeCertificate,
  type SignedFiles,
} from './src/certificate.ts';
export { postgresPrograms } from './src/postgres-programs.ts';
export { filledRtmpConfiguration } from './src/rtmp.ts';
export { type SparePostgres, startSparePostgres } from './src/spare-postgres.ts';

// For the Ceph cluster: what its own commands take with -c, or as CEPH_CONF.
export function cephConfiguration(): string {
  return join(findPlaces().ceph, 'ceph.conf');
}

// The settings that `engines up` wrote for the server, except for where it listens: other users have their own addresses.
export function readEnginesEnv(): Record<string, string> {
  const { environmentFile } = findPlaces();
  try {
    const settings = Object.entries(readEnvironment(environmentFile));
    return Object.fromEntries(settings.filter(([name]) => !/^MILLPOND_(?:LISTEN|TLS_)/.test(name)));
  } catch {
    throw new EngineError(`${environmentFile} can't be read: run \`npm run engines -- up\` first`);
  }
}

// The server's maintenance database as its superuser. Ours never needs one; a server that is measured beside it may.
export function superuserUrl(): string {
  const record = readPostgresRecord(findPlaces().postgres);
  if (record === undefined)
    throw new EngineError('there is no PostgreSQL here: run `npm run engines -- up` first');
  return `postgres://postgres:${record.superuserPassword}@127.0.0.1:${record.settings.port}/postgres`;
}

// Runs one engines command, such as engineCommand('osd', 'kill', '1'), and returns its stdout.
export async function engineCommand(...args: string[]): Promise<string> {
  const main = join(import.meta.dirname, 'main.ts');
  const { code, output, errors } = await attempt(process.execPath, [main, ...args], { env: process.env });
  if (code !== 0) throw new EngineError(`engines ${args.join(' ')} exited with ${code}: ${errors.trimEnd()}`);
  return output;
}
