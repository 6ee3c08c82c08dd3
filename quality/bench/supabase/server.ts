/** supabase/storage, started from a checkout of its own beside our server: on the same PostgreSQL and the same engine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { superuserUrl } from '@millpond/engines';
import { createDatabase, freePort } from '@millpond/testing';
import pg from 'pg';
import { createEngineBucket, removeEngineBucket } from '../engine.ts';
import type { Engine } from '../load/work.ts';
import { UsageError } from '../options.ts';

const PROGRAM = 'dist/start/server.js';
const READY_TIMEOUT_MS = 60_000;
const REGION = 'us-east-1';
/** Made by its migrations, for the whole cluster. */
const ROLES = ['authenticator', 'anon', 'authenticated', 'service_role'];

export interface SupabaseServer {
  /** Its S3 protocol, with a bucket. */
  readonly listener: Engine;
  /** The bucket of the engine where its bytes are. */
  readonly stored: Engine;
  readonly pid: number;
  stop(): Promise<void>;
}

export async function startSupabase(
  source: string,
  engine: Engine,
  connections: number,
): Promise<SupabaseServer> {
  if (!existsSync(path.join(source, PROGRAM)))
    throw new UsageError(`${source} has no ${PROGRAM}: run \`npm ci && npm run build\` there`);
  const stored = { ...engine, bucket: `${engine.bucket}-supabase` };
  const database = await createDatabase('supabase', undefined, superuserUrl());
  await createEngineBucket(stored);
  const port = await freePort();
  const listener: Engine = {
    host: '127.0.0.1',
    port,
    region: REGION,
    bucket: 'bench',
    accessKey: randomBytes(16).toString('hex'),
    secretKey: randomBytes(32).toString('hex'),
    root: '/s3',
  };
  const child = spawn(process.execPath, [PROGRAM], {
    cwd: source,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      NODE_ENV: 'production',
      ...environmentOf(listener, stored, database.url, connections),
      SERVER_ADMIN_PORT: String(await freePort()),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = async () => {
    await ended(child);
    await removeEngineBucket(stored);
    await database.drop();
    await dropRoles();
  };
  try {
    await untilReady(child, port);
    await createEngineBucket(listener);
  } catch (error) {
    await stop();
    throw error;
  }
  return { listener, stored, pid: child.pid ?? 0, stop };
}

/** As in its own sample, without what needs another server: image proxy, queue and rate limits are off. */
function environmentOf(
  listener: Engine,
  stored: Engine,
  databaseUrl: string,
  connections: number,
): Record<string, string> {
  return {
    SERVER_HOST: listener.host,
    SERVER_PORT: String(listener.port),
    SERVER_REGION: REGION,
    AUTH_JWT_SECRET: randomBytes(32).toString('hex'),
    DATABASE_URL: databaseUrl,
    DATABASE_MAX_CONNECTIONS: String(connections),
    DB_INSTALL_ROLES: 'true',
    DB_SUPER_USER: 'postgres',
    UPLOAD_FILE_SIZE_LIMIT: String(512 * 1024 * 1024),
    S3_PROTOCOL_ACCESS_KEY_ID: listener.accessKey,
    S3_PROTOCOL_ACCESS_KEY_SECRET: listener.secretKey,
    STORAGE_BACKEND: 's3',
    STORAGE_S3_BUCKET: stored.bucket,
    STORAGE_S3_ENDPOINT: `http://${stored.host}:${stored.port}`,
    STORAGE_S3_FORCE_PATH_STYLE: 'true',
    STORAGE_S3_REGION: REGION,
    AWS_ACCESS_KEY_ID: stored.accessKey,
    AWS_SECRET_ACCESS_KEY: stored.secretKey,
    IMAGE_TRANSFORMATION_ENABLED: 'false',
    PG_QUEUE_ENABLE: 'false',
    RATE_LIMITER_ENABLED: 'false',
    // As ours in a bench: it says nothing of requests that went well.
    LOG_LEVEL: 'error',
  };
}

async function untilReady(child: ChildProcess, port: number): Promise<void> {
  const end = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < end) {
    if (child.exitCode !== null) throw new Error('supabase/storage ended before it was ready');
    const answer = await fetch(`http://127.0.0.1:${port}/status`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error(`supabase/storage was not ready within ${READY_TIMEOUT_MS / 1000} s`);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** Another database may use them, if somebody else's is on this server. */
async function dropRoles(): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl() });
  await client.connect();
  try {
    for (const role of ROLES) await client.query(`DROP ROLE IF EXISTS ${role}`).catch(() => undefined);
  } finally {
    await client.end();
  }
}
