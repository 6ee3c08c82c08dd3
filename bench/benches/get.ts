/** Downloads of public objects in the server's configured way, against presigned GETs of the same engine objects. */
import { randomBytes } from 'node:crypto';
import { listEngine } from '../engine.ts';
import type { Driver } from '../load/driver.ts';
import { presigner } from '../load/presign.ts';
import type { Address, RequestWork } from '../load/work.ts';
import { type Options, type Size, sizes } from '../options.ts';
import { type Comparison, compare } from '../report.ts';
import { getRequest } from '../requests.ts';
import { runRounds } from '../rounds.ts';
import type { Stage } from '../stage.ts';
import { siteOf, upload } from '../upload.ts';

export const OBJECTS: Record<Size, number> = { '4k': 256, '1m': 32, '4m': 16, '64m': 4 };
const UPLOADS_AT_ONCE = 4;

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
  const targets = await uploadObjects(stage, OBJECTS[options.size], bytes);
  const presign = presigner(engine);
  const engineKeys = await listEngine(engine);
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
  const site = siteOf(stage);
  const targets: string[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++)
      targets[index] = await upload(site, `get/${String(index).padStart(6, '0')}`, randomBytes(bytes));
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, worker));
  return targets;
}
