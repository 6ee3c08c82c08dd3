/** Form uploads with a token, against presigned PUTs of as many bytes to the same engine. */
import { emptyEngine } from '../engine.ts';
import type { Driver } from '../load/driver.ts';
import type { FormWork } from '../load/work.ts';
import { type Options, sizes } from '../options.ts';
import { type Comparison, compare } from '../report.ts';
import { runRounds } from '../rounds.ts';
import type { Stage } from '../stage.ts';
import { longToken, siteOf } from '../upload.ts';

/** From this size on, the engine's disks would be full before the last round. */
export const CLEAR_FROM_BYTES = 1024 * 1024;

export async function benchPut(stage: Stage, driver: Driver, options: Options): Promise<Comparison> {
  const { engine } = stage;
  const bytes = sizes[options.size];
  const rounds = await runRounds(
    driver,
    {
      ours: putWork(stage, bytes),
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

export function putWork(stage: Stage, bytes: number, keyPrefix = 'put/'): FormWork {
  return { kind: 'form', to: stage.address, token: longToken(siteOf(stage)), keyPrefix, bytes };
}
