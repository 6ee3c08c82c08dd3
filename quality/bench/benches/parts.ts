/** 4 MiB parts of multipart uploads, against presigned PUTs of as many bytes to the same engine. */
import { encodeBase64Text } from '@millpond/protocol';
import { emptyEngine } from '../engine.ts';
import type { Driver } from '../load/driver.ts';
import { type Options, sizes } from '../options.ts';
import { type Comparison, compare } from '../report.ts';
import { runRounds } from '../rounds.ts';
import type { Stage } from '../stage.ts';
import { longToken, siteOf } from '../upload.ts';

export async function benchParts(stage: Stage, driver: Driver, options: Options): Promise<Comparison> {
  const { address, engine } = stage;
  const bytes = sizes[options.size];
  const target = siteOf(stage);
  const token = longToken(target);
  const path = `/buckets/${target.bucket}/objects/${encodeBase64Text('parts')}/uploads`;
  const rounds = await runRounds(
    driver,
    {
      ours: { kind: 'parts', to: address, token, path, bytes },
      bare: { kind: 'presignedPut', to: engine, keyPrefix: 'bare/', bytes },
    },
    { ...options, serverCpu: stage.serverCpu, afterSide: () => emptyEngine(engine) },
  );
  return compare(rounds, options, bytes);
}
