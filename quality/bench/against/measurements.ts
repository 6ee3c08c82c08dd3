/** What two trees are compared by. Everything is done as users and operators do it, because the trees differ inside. */
import { getWork, OBJECTS, uploadObjects } from '../benches/get.ts';
import { listWork, pageStarts } from '../benches/list.ts';
import { putWork } from '../benches/put.ts';
import { randomRows } from '../benches/random-rows.ts';
import { STAT_KEYS, statWork } from '../benches/stat.ts';
import type { Work } from '../load/work.ts';
import { sizes } from '../options.ts';
import type { Stage } from '../stage.ts';
import { openDeliveries } from './deliveries.ts';
import { copyObjects } from './objects.ts';
import type { MeasurementName } from './options.ts';
import type { Side } from './rounds.ts';
import { openSubmissions, openWholeTasks } from './tasks.ts';
import { type Opening, openTree, requestSide } from './tree.ts';

const MANY = 32;
/** Pages are long. */
const FEW = 8;
const BYTES = sizes['4k'];

export interface Measurement {
  readonly name: string;
  readonly open: (opening: Opening) => Promise<Side>;
}

export const measurementsOf: Record<MeasurementName, readonly Measurement[]> = {
  put: [{ name: 'put', open: (opening) => openRequests(opening, MANY, (stage) => putWork(stage, BYTES)) }],
  get: [
    {
      name: 'get',
      open: (opening) =>
        openRequests(opening, MANY, async (stage) =>
          getWork(stage.address, await uploadObjects(stage, OBJECTS['4k'], BYTES), BYTES),
        ),
    },
  ],
  stat: [
    {
      name: 'stat',
      open: (opening) =>
        openRequests(opening, MANY, async (stage) =>
          statWork(stage, randomRows(stage, await copyObjects(stage, opening.rows), STAT_KEYS)),
        ),
    },
  ],
  list: [
    {
      name: 'list',
      open: (opening) =>
        openRequests(opening, FEW, async (stage) =>
          listWork(stage, pageStarts(stage, await copyObjects(stage, opening.rows))),
        ),
    },
  ],
  deliveries: [{ name: 'deliveries', open: openDeliveries }],
  tasks: [
    { name: 'tasks submitted', open: openSubmissions },
    { name: 'tasks finished', open: openWholeTasks },
  ],
};

/** On the engines' store, where the bytes are. */
async function openRequests(
  opening: Opening,
  concurrency: number,
  workOf: (stage: Stage) => Work | Promise<Work>,
): Promise<Side> {
  const stage = await openTree(opening, { store: 's3', bucketCount: 1 });
  return requestSide(stage, opening.driver, await workOf(stage), concurrency);
}
