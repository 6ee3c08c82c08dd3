/** A process that packs once and kills itself at a given step, without a word to anybody. For tests. */
import { openLog } from '@millpond/base';
import {
  createDiskBlobStore,
  createS3BlobStore,
  createWriteBudget,
  type S3BlobOptions,
} from '@millpond/blobs';
import { Database } from '../../../../platform/db/database.ts';
import { dyingAt, type Step } from './dying.ts';
import { smallHouse } from './small-house.ts';

export interface ChildOrder {
  readonly url: string;
  readonly engine: { readonly root: string } | { readonly s3: Omit<S3BlobOptions, 'budget'> };
  readonly step: Step;
  /** How often the step is passed before it is the last. */
  readonly after: number;
  readonly packBytes: number;
  readonly work: 'pack' | 'compact';
}

const order = JSON.parse(process.argv[2] ?? '') as ChildOrder;
const region = new Database({
  url: order.url,
  connections: 4,
  timeoutMs: 15_000,
  applicationName: 'test',
  log: openLog('silent'),
});
const engine =
  'root' in order.engine
    ? createDiskBlobStore(order.engine)
    : createS3BlobStore({ ...order.engine.s3, budget: createWriteBudget(64 * 1024 * 1024) });
const house = smallHouse(region, engine);
const dying = dyingAt(house, order.step, order.after, () => process.kill(process.pid, 'SIGKILL'));
const { signal } = new AbortController();
if (order.work === 'pack') await house.packer({ packBytes: order.packBytes, ...dying }).run(signal);
else await house.compactor(dying).run(signal);
// The step never came so often.
process.exit(3);
