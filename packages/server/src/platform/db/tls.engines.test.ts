// @module-tag debian
import { chownSync, copyFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeAuthority, type SignedFiles, type SparePostgres, startSparePostgres } from '@millpond/engines';
import { freePort } from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openClient } from './client.ts';

let folder: string;
let files: SignedFiles;
let server: SparePostgres;

/** A server with a certificate of our own authority for the name `localhost`, and none for its address. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'millpond-db-tls-'));
  files = await makeAuthority(folder, 'localhost');
  server = await startSparePostgres(await freePort());
  const data = path.join(server.folder, 'data');
  const { uid, gid } = statSync(data);
  for (const [from, name] of [
    [files.certificate, 'server.crt'],
    [files.key, 'server.key'],
  ] as const) {
    copyFileSync(from, path.join(data, name));
    chownSync(path.join(data, name), uid, gid);
  }
  await server.configure('ssl = on');
}, 120_000);
afterAll(async () => {
  await server?.destroy();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

async function isEncrypted(host: string, query: string): Promise<boolean> {
  const url = new URL(server.url);
  url.hostname = host;
  const client = await openClient(`${url.href}?${query}`, {});
  try {
    const { rows } = await client.query<{ ssl: boolean }>(
      'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
    );
    return rows[0]?.ssl ?? false;
  } finally {
    await client.end();
  }
}

test('a certificate of the named authority is taken, for its own name only', async () => {
  const root = `sslrootcert=${encodeURIComponent(files.authority)}`;
  for (const mode of ['verify-full', 'verify-ca', 'require', 'prefer']) {
    expect(await isEncrypted('localhost', `sslmode=${mode}&${root}`)).toBe(true);
    await expect(isEncrypted('127.0.0.1', `sslmode=${mode}&${root}`)).rejects.toThrow(/altnames|IP/);
  }
});

test('a certificate of an unknown authority is refused in every mode that asks for TLS but no-verify', async () => {
  for (const mode of ['verify-full', 'require', 'verify-full&sslrootcert=system'])
    await expect(isEncrypted('localhost', `sslmode=${mode}`)).rejects.toThrow(/self-signed|certificate/);
  expect(await isEncrypted('127.0.0.1', 'sslmode=no-verify')).toBe(true);
  expect(await isEncrypted('127.0.0.1', 'sslmode=disable')).toBe(false);
});

test('several hosts: the one whose certificate fits is used', async () => {
  const { username, password, port, pathname } = new URL(server.url);
  const hosts = `127.0.0.1:${port},localhost:${port}`;
  const query = `sslmode=verify-full&sslrootcert=${encodeURIComponent(files.authority)}`;
  const client = await openClient(`postgres://${username}:${password}@${hosts}${pathname}?${query}`, {});
  await client.end();
});
