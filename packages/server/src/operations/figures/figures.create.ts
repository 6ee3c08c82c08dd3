/** Builds the figures over time: every process writes its own, and one of them folds them. */
import type { Log, Metrics } from '@millpond/base';
import type { Database } from '../../platform/db/database.ts';
import type { Feature } from '../../platform/feature.ts';
import { figuresRoutes } from './figures.routes.ts';
import { MetricsHistory } from './figures.service.ts';
import { FiguresStore } from './figures.store.ts';
import { FiguresWriter, type FiguresWriterDeps } from './writer.ts';

export interface FiguresDeps {
  readonly region: Database;
  readonly metrics: Metrics;
  readonly log: Log;
}

export interface FiguresFeature extends Feature {
  readonly read: MetricsHistory['read'];
  readonly processes: FiguresStore['processes'];
  readonly requestsByDay: MetricsHistory['requestsByDay'];
  /** For a process that runs; operators' commands write none. */
  writer(of: Pick<FiguresWriterDeps, 'roles' | 'facts'>): FiguresWriter;
}

const FOLD_SECONDS = 60;

export function createMetricValues({ region, metrics, log }: FiguresDeps): FiguresFeature {
  const store = new FiguresStore(region);
  const figures = new MetricsHistory(store);
  return {
    read: (seriesQuery) => figures.read(seriesQuery),
    processes: () => store.processes(),
    requestsByDay: (days) => figures.requestsByDay(days),
    writer: (of) => new FiguresWriter({ metrics, store, log, ...of }),
    routes: figuresRoutes(figures),
    jobs: [
      {
        name: 'figures-fold',
        everySeconds: FOLD_SECONDS,
        async run(signal) {
          await figures.fold(signal);
          return {};
        },
      },
    ],
    metrics: [],
  };
}
