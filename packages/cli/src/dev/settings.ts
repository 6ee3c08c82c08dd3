/**
 * The server's settings on a developer's machine. The environment overrides them, except for where things lie. What differs from
 * a server's defaults is in docs/local.md, and a test compares the two.
 */

import { randomBytes } from 'node:crypto';
import { type Environment, isToolVariable } from '@millpond/server';
import type { StateFolder } from './folders.ts';
import type { LivePlan } from './live.ts';
import type { Ports } from './ports.ts';

export interface DevSettings {
  readonly databaseUrl: string;
  readonly masterKey: string;
  readonly state: StateFolder;
  readonly ports: Ports;
  readonly timeFactor: number;
  readonly dialect: 'svc' | 'qiniu';
  readonly live: LivePlan;
  /** Where ffmpeg and ffprobe are. */
  readonly mediaPrograms: Readonly<Record<string, string>>;
}

/** Small pools: one developer makes few requests at a time, and every connection is a process. */
const SMALL = {
  MILLPOND_DB_CONNECTIONS: '4',
  MILLPOND_IMAGE_PROCESSES: '1',
  MILLPOND_INSPECT_CONCURRENCY: '1',
  MILLPOND_MEDIA_SLOTS: '1',
  MILLPOND_DELIVERY_SLOTS: '64',
  MILLPOND_WRITE_BUFFERS: '32MiB',
  MILLPOND_IMAGE_CACHE: '1GiB',
};

/** Changes made elsewhere are seen at once, and nothing waits for a minute. */
const PROMPT = {
  MILLPOND_CONTROL_CACHE: '500ms',
  MILLPOND_USAGE_FOLD_EVERY: '1s',
  MILLPOND_LIVE_RECONCILE_EVERY: '1s',
  MILLPOND_LIFECYCLE_EVERY: '1m',
  MILLPOND_DRAIN_TIMEOUT: '3s',
  MILLPOND_DOMAIN_PROOF: 'none',
  MILLPOND_LOG_LEVEL: 'warn',
  // A developer looks for what went wrong, and why.
  MILLPOND_LOG_REQUESTS: 'refused',
  // Standard output is for programs to read.
  MILLPOND_LOG_OUTPUT: 'stderr',
  MILLPOND_OUTBOUND_ALLOW: '127.0.0.0/8,::1/128',
  // Any page open in the developer's browser reaches loopback too.
  MILLPOND_OPEN_CORS: 'false',
  // On loopback only, where nobody can listen in.
  MILLPOND_PLAIN_HTTP: 'true',
  MILLPOND_EXPLAIN_SIGNATURES: 'true',
};

export function serverSettings(
  { databaseUrl, masterKey, state, ports, timeFactor, dialect, live, mediaPrograms }: DevSettings,
  environment: Environment,
): Record<string, string> {
  const given = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[0].startsWith('MILLPOND_') && !isToolVariable(entry[0]) && entry[1] !== undefined,
  );
  return {
    ...SMALL,
    ...PROMPT,
    // Successes are logged at this level, and whoever asks for them wants to see them.
    ...(environment.MILLPOND_LOG_REQUESTS === 'true' ? { MILLPOND_LOG_LEVEL: 'info' } : {}),
    ...live.defaults,
    ...mediaPrograms,
    ...Object.fromEntries(given),
    ...live.fixed,
    MILLPOND_TIME_FACTOR: String(timeFactor),
    MILLPOND_DIALECT: dialect,
    MILLPOND_CONTROL_DB: databaseUrl,
    MILLPOND_REGION_DB: databaseUrl,
    MILLPOND_MASTER_KEY: masterKey,
    MILLPOND_BLOBS: 'disk',
    MILLPOND_SEND_BYTES: 'stream',
    MILLPOND_DISK_ROOT: state.blobs,
    MILLPOND_SANDBOX_ROOT: state.sandbox,
    MILLPOND_LISTEN: [
      `http://127.0.0.1:${ports.http}`,
      `https://127.0.0.1:${ports.https}`,
      `http://127.0.0.1:${ports.s3}/s3`,
      `https://127.0.0.1:${ports.s3Secure}/s3`,
      `http://127.0.0.1:${ports.console}/console`,
    ].join(','),
    MILLPOND_ADMIN_LISTEN: `http://127.0.0.1:${ports.metrics}`,
    MILLPOND_TLS_CERT: state.certificate,
    MILLPOND_TLS_KEY: state.certificateKey,
  };
}

export function newMasterKey(): string {
  return `dev:${randomBytes(32).toString('base64')}`;
}
