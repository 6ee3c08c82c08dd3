/** Downloads of public objects, or with `--signed` of private ones, in the server's configured way, against presigned GETs of as many objects of the same engine. */
import { randomBytes } from 'node:crypto';
import { signDownloadUrl } from '@millpond/protocol';
import { hashing, signedFetch } from '@millpond/testing';
import { putInEngine } from '../engine.ts';
import type { Driver } from '../load/driver.ts';
import { hostOf, presigner } from '../load/presign.ts';
import type { Address, RequestWork } from '../load/work.ts';
import { type Options, type Size, sizes } from '../options.ts';
import { type Comparison, compare } from '../report.ts';
import { getRequest } from '../requests.ts';
import { runRounds } from '../rounds.ts';
import type { Stage } from '../stage.ts';
import { siteOf, upload } from '../upload.ts';

export const OBJECTS: Record<Size, number> = {
  '1k': 256,
  '4k': 256,
  '16k': 256,
  '64k': 128,
  '1m': 32,
  '4m': 16,
  '64m': 4,
};
const MAX_CONCURRENT_UPLOADS = 4;

/** `front`: where clients send requests, if not to the server itself. */
export async function benchGet(
  stage: Stage,
  driver: Driver,
  options: Options,
  front: Address | undefined,
): Promise<Comparison> {
  const { engine } = stage;
  const bytes = sizes[options.size];
  const to = front ?? stage.address;
  const uploaded = await uploadObjects(stage, OBJECTS[options.size], bytes);
  const targets = options.signed ? await signedTargets(stage, to, uploaded) : uploaded;
  const presign = presigner(engine);
  if (options.small === 'packs') await stage.deployment.run('sweep');
  const engineKeys = await putInEngine(engine, OBJECTS[options.size], bytes);
  const rounds = await runRounds(
    driver,
    {
      ours: { ...getWork(to, targets, bytes), follow: options.way === 'redirect' ? engine : undefined },
      bare: {
        kind: 'requests',
        to: engine,
        requests: engineKeys.map((key) => getRequest(engine, presign('GET', key))),
        answerBytes: bytes,
      },
    },
    { ...options, serverCpu: stage.serverCpu },
  );
  return compare(rounds, options, bytes);
}

/** With tokens, of a bucket that is private from here on. */
async function signedTargets(stage: Stage, to: Address, targets: readonly string[]): Promise<string[]> {
  const { url, account, bucket } = siteOf(stage);
  const made = await signedFetch(url, account, '/private', { body: `bucket=${bucket}&private=1` });
  if (!made.ok) throw new Error(`making ${bucket} private: ${made.status}`);
  const origin = `http://${hostOf(to)}`;
  const deadline = Math.floor(Date.now() / 1000) + 3600;
  return targets.map((target) =>
    signDownloadUrl(hashing, account, origin + target, deadline).slice(origin.length),
  );
}

export function getWork(to: Address, targets: readonly string[], bytes: number): RequestWork {
  return {
    kind: 'requests',
    to,
    requests: targets.map((target) => getRequest(to, target)),
    answerBytes: bytes,
  };
}

/** Returns the targets for downloading the objects. */
export async function uploadObjects(stage: Stage, count: number, bytes: number): Promise<string[]> {
  const target = siteOf(stage);
  const targets: string[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++)
      targets[index] = await upload(target, `get/${String(index).padStart(6, '0')}`, randomBytes(bytes));
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_UPLOADS }, worker));
  return targets;
}
