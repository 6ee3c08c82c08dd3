/**
 * The S3 engine for tests: the one that `npm run engines -- up` started, with a separate bucket for the test. Without an engine
 * the tests fail; they are never skipped.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { createWriteBudget } from '../budget.ts';
import { createS3Client } from '../s3/client.ts';
import { abortStale, listHour, listHours } from '../s3/list.ts';
import type { S3BlobOptions } from '../s3/options.ts';
import { createS3BlobStore } from '../s3/store.ts';

const ENVIRONMENT_FILE = join(import.meta.dirname, '../../../../.engines/millpond.env');

export function engineOptions(): S3BlobOptions {
  let settings: NodeJS.Dict<string>;
  try {
    settings = parseEnv(readFileSync(ENVIRONMENT_FILE, 'utf8'));
  } catch {
    throw new Error(`no S3 engine: start it with "npm run engines -- up" (looked for ${ENVIRONMENT_FILE})`);
  }
  const setting = (name: string): string => {
    const value = settings[`MILLPOND_S3_${name}`];
    if (value === undefined) throw new Error(`${ENVIRONMENT_FILE} has no MILLPOND_S3_${name}`);
    return value;
  };
  return {
    endpoint: setting('ENDPOINT'),
    region: setting('REGION'),
    accessKey: setting('ACCESS_KEY'),
    secretKey: setting('SECRET_KEY'),
    bucket: `test-${randomBytes(8).toString('hex')}`,
    budget: createWriteBudget(64 * 1024 * 1024),
  };
}

/** Empties and removes the bucket of a test. */
export async function removeEngineBucket(options: S3BlobOptions): Promise<void> {
  const store = createS3BlobStore(options);
  const client = createS3Client(options);
  await abortStale(client, Number.POSITIVE_INFINITY, undefined);
  for (const hour of await listHours(client, undefined))
    for await (const page of listHour(client, hour, {})) await store.remove(page.map(({ id }) => id));
  await client.call({ method: 'DELETE', expect: [204, 404], doing: 'removing a test bucket' });
  await Promise.all([store.close(), client.close()]);
}
