/** Downloads of objects that were uploaded in parts and merged, against those uploaded whole. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeBase64Text } from '@millpond/protocol';
import { uploadToken } from '@millpond/testing';
import { withClient } from '../database.ts';
import type { Driver } from '../load/driver.ts';
import { type Options, sizes } from '../options.ts';
import { type Comparison, compare } from '../report.ts';
import { runRounds } from '../rounds.ts';
import type { Stage } from '../stage.ts';
import { getWork, uploadObjects } from './get.ts';

const OBJECTS = 4;
const PART_BYTES = sizes['4m'];
const MERGE_TIMEOUT_MS = 300_000;

export async function benchMerged(stage: Stage, driver: Driver, options: Options): Promise<Comparison> {
  const bytes = sizes[options.size];
  const whole = await uploadObjects(stage, OBJECTS, bytes);
  const merged = await uploadMerged(stage, bytes);
  const downloads = (targets: readonly string[]) => getWork(stage.address, targets, bytes);
  const rounds = await runRounds(
    driver,
    { ours: downloads(merged), bare: downloads(whole) },
    { ...options, serverCpu: stage.serverCpu },
  );
  return compare(rounds, options, bytes);
}

/** The targets for downloading the objects, once each is one engine object. */
async function uploadMerged(stage: Stage, bytes: number): Promise<string[]> {
  const [bucket = ''] = stage.buckets;
  const keys = Array.from({ length: OBJECTS }, (_, index) => `merged/${index}`);
  for (const key of keys) await uploadInParts(stage, bucket, key, bytes);
  await untilMerged(stage.regionDb);
  return keys.map((key) => `/${bucket}/${key}`);
}

async function uploadInParts(stage: Stage, bucket: string, key: string, bytes: number): Promise<void> {
  const headers = { authorization: `UpToken ${uploadToken(stage.account, { scope: bucket })}` };
  const uploads = `${stage.server.url}/buckets/${bucket}/objects/${encodeBase64Text(key)}/uploads`;
  const call = async <T>(url: string, init: RequestInit): Promise<T> => {
    const answer = await fetch(url, init);
    if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const { uploadId } = await call<{ uploadId: string }>(uploads, { method: 'POST', headers });
  const parts: { partNumber: number; etag: string }[] = [];
  for (let at = 0; at < bytes; at += PART_BYTES) {
    const partNumber = parts.length + 1;
    const { etag } = await call<{ etag: string }>(`${uploads}/${uploadId}/${partNumber}`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      body: randomBytes(PART_BYTES),
    });
    parts.push({ partNumber, etag });
  }
  await call(`${uploads}/${uploadId}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ parts }),
  });
}

function untilMerged(regionDb: string): Promise<void> {
  return withClient(regionDb, async (client) => {
    for (const end = Date.now() + MERGE_TIMEOUT_MS; Date.now() < end; await sleep(500)) {
      const { rowCount } = await client.query('SELECT FROM region.objects WHERE segment_count > 1 LIMIT 1');
      if (rowCount === 0) return;
    }
    throw new Error('the parts were not merged in time');
  });
}
