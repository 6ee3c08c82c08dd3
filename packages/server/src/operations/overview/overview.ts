/** What is stored and under way, on one page: of an account, or of the whole region. */
import type { WireRecord } from '@millpond/protocol';
import type { DeliveriesFeature } from '../../events/deliveries/index.ts';
import type { PipelineView, ProcessingFeature } from '../../media/processing/index.ts';
import type { Buckets } from '../../storage/buckets/index.ts';
import type { ObjectsFeature } from '../../storage/objects/index.ts';
import type { UsageFeature } from '../../storage/usage/index.ts';
import type { FiguresFeature } from '../figures/index.ts';
import { type AwayRow, DAYS_SHOWN, type OverviewStore, type Scope } from './overview.store.ts';

type OverviewRecord = WireRecord<'Overview'>;

export interface OverviewDeps {
  readonly store: OverviewStore;
  readonly buckets: Buckets;
  readonly stored: UsageFeature['stored'];
  readonly tasks: ProcessingFeature['taskFigures'];
  readonly pipelines: ProcessingFeature['pipelines'];
  readonly restores: ObjectsFeature['restores'];
  readonly queued: DeliveriesFeature['queued'];
  readonly requestsByDay: FiguresFeature['requestsByDay'];
}

export class Overview {
  readonly #deps: OverviewDeps;

  constructor(deps: OverviewDeps) {
    this.#deps = deps;
  }

  async read(scope: Scope): Promise<OverviewRecord> {
    const { store, tasks } = this.#deps;
    const [special, buckets, open, failedToday, away, live, bulk] = await Promise.all([
      scope === undefined ? this.#ofRegion() : this.#ofAccount(scope),
      store.buckets(scope),
      tasks.read(scope),
      store.failedTasks(scope),
      store.endpointsAway(scope),
      store.live(scope),
      store.bulk(scope),
    ]);
    return {
      buckets,
      ...special,
      tasks: { ...open, failedToday },
      endpointsAway: away.map(awayJson),
      ...live,
      bulk,
    };
  }

  async #ofAccount(uid: bigint) {
    const { store, buckets, stored, restores } = this.#deps;
    const bucketIds = (await buckets.ofAccount(uid)).map(({ id }) => id);
    const [classes, underWay, deliveries, pipelines, days] = await Promise.all([
      stored(bucketIds),
      restores.count(bucketIds),
      store.deliveries(uid),
      this.#deps.pipelines.list(uid),
      store.requestDays(uid),
    ]);
    const { oldest, ...rest } = deliveries;
    return {
      ...byClass(classes),
      restores: underWay,
      deliveries: { ...rest, ...timeOf('oldest', oldest) },
      pipelines: pipelines.map(pipelineJson),
      requests: { days },
    };
  }

  async #ofRegion() {
    const { stored, restores, queued, requestsByDay } = this.#deps;
    const [classes, underWay, { queued: waiting, failed, lateSeconds }, days] = await Promise.all([
      stored(undefined),
      restores.count(),
      queued(),
      requestsByDay(DAYS_SHOWN),
    ]);
    const oldest = lateSeconds > 0 ? new Date(Date.now() - lateSeconds * 1000) : null;
    return {
      ...byClass(classes),
      restores: underWay,
      deliveries: { waiting, failed, ...timeOf('oldest', oldest) },
      pipelines: [],
      requests: { days },
    };
  }
}

interface ClassUsage {
  readonly class: number;
  readonly bytes: bigint;
  readonly objects: bigint;
}

function byClass(rows: readonly ClassUsage[]): Pick<OverviewRecord, 'bytes' | 'objects'> {
  const sum = (figure: 'bytes' | 'objects') => {
    const of = (number: number) =>
      Number(rows.filter((row) => row.class === number).reduce((total, row) => total + row[figure], 0n));
    return { 0: of(0), 1: of(1), 2: of(2), 3: of(3) };
  };
  return { bytes: sum('bytes'), objects: sum('objects') };
}

function pipelineJson({ oldest, ...row }: PipelineView): OverviewRecord['pipelines'][number] {
  return { ...row, ...timeOf('oldest', oldest) };
}

function awayJson({
  endpoint_id,
  name,
  since,
  words,
  waiting,
}: AwayRow): OverviewRecord['endpointsAway'][number] {
  return { endpoint: String(endpoint_id), name, ...timeOf('since', since), words: words ?? '', waiting };
}

function timeOf<Name extends string>(name: Name, time: Date | null): { [N in Name]?: string } {
  return (time === null ? {} : { [name]: time.toISOString() }) as { [N in Name]?: string };
}
