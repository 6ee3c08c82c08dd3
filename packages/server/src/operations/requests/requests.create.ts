/** Builds traces of requests: their recorder, which listeners call, and the call that shows one. */
import type { Log } from '@millpond/base';
import type { Deliveries } from '../../events/deliveries/index.ts';
import type { Accounts, Authenticate } from '../../identity/accounts/index.ts';
import type { Tasks } from '../../media/processing/index.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Feature } from '../../platform/feature.ts';
import { Recorder } from './recorder.ts';
import { requestMetrics } from './requests.metrics.ts';
import { requestRoutes } from './requests.routes.ts';
import { Requests } from './requests.service.ts';
import { TraceStore } from './trace.store.ts';
import type { TraceMode } from './trace-sampler.ts';

export interface RequestsDeps {
  readonly region: Database;
  readonly log: Log;
  readonly authenticate: Authenticate;
  readonly accounts: Accounts;
  readonly deliveries: Deliveries;
  readonly tasks: Tasks;
}

/** The settings, by name. */
export interface RequestsSettings {
  readonly traces: TraceMode;
  readonly plainHttp: boolean;
}

export interface RequestsFeature extends Feature {
  readonly recorder: Recorder;
  readonly requests: Requests;
}

const RETENTION_DAYS = 7;
/** About 2 GB. */
const MAX_KEPT = 1_000_000;
const DELETED_BATCH = 10_000;
const EVERY_SECONDS = 600;

export function createRequests(deps: RequestsDeps, settings: RequestsSettings): RequestsFeature {
  const { region, log, authenticate, accounts, deliveries, tasks } = deps;
  const traces = new TraceStore(region);
  const recorder = new Recorder(traces, log, settings.traces);
  const requests = new Requests({ traces, tasks, deliveries, accounts });
  return {
    recorder,
    requests,
    routes: requestRoutes({ requests, authenticate, plainHttp: settings.plainHttp }),
    jobs: [
      {
        name: 'traces-forget',
        everySeconds: EVERY_SECONDS,
        says: 'traces of requests forgotten',
        async run(signal) {
          let forgotten = 0;
          for (let gone = DELETED_BATCH; gone === DELETED_BATCH && !signal.aborted; ) {
            gone = await traces.forget(RETENTION_DAYS, MAX_KEPT, DELETED_BATCH);
            forgotten += gone;
          }
          return { forgotten };
        },
      },
    ],
    metrics: requestMetrics(recorder),
  };
}
