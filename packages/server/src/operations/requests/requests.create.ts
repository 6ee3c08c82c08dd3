/** Builds traces of requests: their recorder, which listeners call, and the call that shows one. */
import type { Log } from '@millpond/base';
import type { Deliveries } from '../../events/deliveries/index.ts';
import type { Accounts, Authenticate } from '../../identity/accounts/index.ts';
import type { Tasks } from '../../media/processing/index.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Traced } from './chosen.ts';
import { Recorder } from './recorder.ts';
import { requestMetrics } from './requests.metrics.ts';
import { requestRoutes } from './requests.routes.ts';
import { Requests } from './requests.service.ts';
import { TraceStore } from './trace.store.ts';

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
  readonly traces: Traced;
  readonly plainHttp: boolean;
}

export interface RequestsFeature extends Feature {
  readonly recorder: Recorder;
  readonly requests: Requests;
}

const KEPT_DAYS = 7;
/** About 2 GB. */
const MOST_KEPT = 1_000_000;
const FORGOTTEN_AT_ONCE = 10_000;
const EVERY_SECONDS = 600;

export function createRequests(deps: RequestsDeps, settings: RequestsSettings): RequestsFeature {
  const { region, log, authenticate, accounts, deliveries, tasks } = deps;
  const traces = new TraceStore(region);
  const recorder = new Recorder(traces, log, settings.traces);
  const requests = new Requests({ traces, tasks, deliveries, accounts });
  return {
    ...{ recorder, requests },
    routes: requestRoutes({ requests, authenticate, plainHttp: settings.plainHttp }),
    jobs: [
      {
        name: 'traces-forget',
        everySeconds: EVERY_SECONDS,
        says: 'traces of requests forgotten',
        async run(signal) {
          let forgotten = 0;
          for (let gone = FORGOTTEN_AT_ONCE; gone === FORGOTTEN_AT_ONCE && !signal.aborted; ) {
            gone = await traces.forget(KEPT_DAYS, MOST_KEPT, FORGOTTEN_AT_ONCE);
            forgotten += gone;
          }
          return { forgotten };
        },
      },
    ],
    metrics: requestMetrics(recorder),
  };
}
