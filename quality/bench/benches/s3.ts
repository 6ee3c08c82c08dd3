/** Presigned PUTs and GETs of our S3 listener, against the same of the engine: the same client, the same protocol. */
import { randomBytes } from 'node:crypto';
import { emptyEngine, putInEngine } from '../engine.ts';
import type { Driver } from '../load/driver.ts';
import { presigner } from '../load/presign.ts';
import type { Engine, RequestWork } from '../load/work.ts';
import { type Options, sizes } from '../options.ts';
import { type Comparison, compare } from '../report.ts';
import { addressOf, getRequest } from '../requests.ts';
import { runRounds } from '../rounds.ts';
import type { Stage } from '../stage.ts';
import { OBJECTS } from './get.ts';
import { CLEAR_FROM_BYTES } from './put.ts';

const MAX_CONCURRENT_UPLOADS = 4;
const REGION = 'us-east-1';

export async function benchS3Put(stage: Stage, driver: Driver, options: Options): Promise<Comparison> {
  const { engine } = stage;
  const bytes = sizes[options.size];
  const rounds = await runRounds(
    driver,
    {
      ours: { kind: 'presignedPut', to: listenerOf(stage), keyPrefix: 'put/', bytes },
      bare: { kind: 'presignedPut', to: engine, keyPrefix: 'bare/', bytes },
    },
    {
      ...options,
      serverCpu: stage.serverCpu,
      ...(bytes < CLEAR_FROM_BYTES ? {} : { afterSide: () => emptyEngine(engine) }),
    },
  );
  return compare(rounds, options, bytes);
}

export async function benchS3Get(stage: Stage, driver: Driver, options: Options): Promise<Comparison> {
  const bytes = sizes[options.size];
  const listener = listenerOf(stage);
  const keys = await putObjects(listener, OBJECTS[options.size], bytes);
  const rounds = await runRounds(
    driver,
    {
      ours: presignedGets(listener, keys, bytes),
      bare: presignedGets(stage.engine, await putInEngine(stage.engine, OBJECTS[options.size], bytes), bytes),
    },
    { ...options, serverCpu: stage.serverCpu },
  );
  return compare(rounds, options, bytes);
}

/** Our listener in the engine's place. */
export function listenerOf({ s3Url, account, buckets: [bucket = ''] }: Stage): Engine {
  if (s3Url === undefined) throw new Error('the stage has no S3 listener');
  const { accessKey, secretKey } = account;
  return { ...addressOf(s3Url), region: REGION, bucket, accessKey, secretKey };
}

export function presignedGets(at: Engine, keys: readonly string[], bytes: number): RequestWork {
  const presign = presigner(at);
  const requests = keys.map((key) => getRequest(at, presign('GET', key)));
  return { kind: 'requests', to: at, requests, answerBytes: bytes };
}

export async function putObjects(at: Engine, count: number, bytes: number): Promise<string[]> {
  const presign = presigner(at);
  const keys = Array.from({ length: count }, (_, index) => `get/${String(index).padStart(6, '0')}`);
  const waiting = keys.values();
  const worker = async () => {
    for (const key of waiting) {
      const url = `http://${at.host}:${at.port}${presign('PUT', key)}`;
      const answer = await fetch(url, { method: 'PUT', body: randomBytes(bytes) });
      if (!answer.ok) throw new Error(`uploading ${key}: ${answer.status} ${await answer.text()}`);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_UPLOADS }, worker));
  return keys;
}
