/** Form uploads with a token, against presigned PUTs of as many bytes to the same engine. */
import { uploadToken } from '@millpond/testing';
import { emptyEngine } from '../engine.ts';
import type { Driver } from '../load/driver.ts';
import type { FormWork } from '../load/work.ts';
import { type Options, sizes } from '../options.ts';
import { type Comparison, compare } from '../report.ts';
import { runRounds } from '../rounds.ts';
import type { Stage } from '../stage.ts';

/** From this size on the engine's disks would be full before the last round. */
const CLEAR_FROM_BYTES = 1024 * 1024;

export async function benchPut(stage: Stage, driver: Driver, options: Options): Promise<Comparison> {
  const { engine } = stage;
  const bytes = sizes[options.size];
  const rounds = await runRounds(
    driver,
    {
      ours: putWork(stage, bytes),
      bare: { kind: 'enginePut', engine, keyPrefix: 'bare/', bytes },
    },
    {
      ...options,
      serverCpu: stage.serverCpu,
      ...(bytes < CLEAR_FROM_BYTES ? {} : { afterSide: () => emptyEngine(engine) }),
    },
  );
  return compare(rounds, options, bytes);
}

export function putWork(
  { address, account, buckets: [bucket = ''] }: Stage,
  bytes: number,
  keyPrefix = 'put/',
): FormWork {
  const deadline = Math.floor(Date.now() / 1000) + 24 * 3600;
  const token = uploadToken(account, { scope: bucket, deadline });
  return { kind: 'form', to: address, token, keyPrefix, bytes };
}
