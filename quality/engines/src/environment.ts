// The file that tells the server where its engines are. It is generated from the engines' own records, so it can be
// deleted at any time; `up` writes it again.

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { CertificateFiles } from './certificate.ts';
import type { CephRecord, PostgresRecord, RtmpRecord } from './record.ts';
import { readOrNothing } from './text-file.ts';

export function serverEnvironment(
  postgres: PostgresRecord | undefined,
  ceph: CephRecord | undefined,
  rtmp?: { folder: string; record: RtmpRecord | undefined },
  tls?: CertificateFiles,
  disk?: string,
): Record<string, string> {
  const database = (name: string, made: PostgresRecord) =>
    `postgres://millpond:${made.password}@127.0.0.1:${made.settings.port}/${name}`;
  return {
    ...(postgres && {
      MILLPOND_CONTROL_DB: database('millpond_control', postgres),
      MILLPOND_REGION_DB: database('millpond_region', postgres),
    }),
    ...(ceph && {
      MILLPOND_BLOBS: 's3',
      MILLPOND_S3_ENDPOINT: `http://127.0.0.1:${ceph.settings.s3Port}`,
      MILLPOND_S3_REGION: 'default',
      MILLPOND_S3_ACCESS_KEY: ceph.accessKey,
      MILLPOND_S3_SECRET_KEY: ceph.secretKey,
      MILLPOND_S3_BUCKET: 'millpond',
    }),
    ...(disk !== undefined && { MILLPOND_BLOBS: 'disk', MILLPOND_DISK_ROOT: disk }),
    ...(postgres && { MILLPOND_MASTER_KEY: postgres.masterKey }),
    ...(rtmp?.record && {
      MILLPOND_LIVE_ENGINES: `main=nginx-rtmp@http://127.0.0.1:${rtmp.record.settings.httpPort}`,
      MILLPOND_LIVE_HOOK_SECRET: rtmp.record.secret,
      MILLPOND_LIVE_RECORD_FOLDER: join(rtmp.folder, 'records'),
      MILLPOND_LIVE_RTMP_URL: `rtmp://127.0.0.1:${rtmp.record.settings.port}/live`,
    }),
    ...(tls && {
      MILLPOND_LISTEN: 'http://127.0.0.1:8100,https://127.0.0.1:8101',
      MILLPOND_TLS_CERT: tls.certificate,
      MILLPOND_TLS_KEY: tls.key,
    }),
  };
}

export function writeEnvironment(path: string, environment: Record<string, string>): void {
  const lines = [
    '# Written by `npm run engines -- up`. For development and CI only.',
    ...Object.entries(environment).flatMap(([name, value]) => [
      ...(name === 'MILLPOND_MASTER_KEY'
        ? ['# A development key, created together with the database: never use it for real data.']
        : []),
      `${name}=${value}`,
    ]),
  ];
  const text = `${lines.join('\n')}\n`;
  if (readOrNothing(path) === text) return;
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export function readEnvironment(path: string): Record<string, string> {
  const entries = Object.entries(parseEnv(readFileSync(path, 'utf8')));
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
