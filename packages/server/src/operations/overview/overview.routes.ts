/** The overview and the failures, for accounts and operators; the engines' health, for operators. */
import { Fault, type WireRecord } from '@millpond/protocol';
import { type Authenticate, isForAll, operatorOf } from '../../identity/accounts/index.ts';
import { type Call, jsonAnswer, queryFields, type Route } from '../../platform/web/index.ts';
import type { Failures } from './overview.failures.ts';
import type { Health } from './overview.health.ts';
import type { Scope } from './overview.store.ts';
import type { Overview } from './overview.ts';

export interface OverviewRouteDeps {
  readonly authenticate: Authenticate;
  readonly overview: Overview;
  readonly failures: Failures;
  readonly health: Health;
}

const MOST_FAILURES = 200;
const USUAL_FAILURES = 50;

export function overviewRoutes({ authenticate, overview, failures, health }: OverviewRouteDeps): Route[] {
  const get = (path: string, answer: (call: Call) => Promise<object>): Route => ({
    role: 'api',
    methods: ['GET'],
    path,
    handle: async (call) => jsonAnswer(await answer(call)),
  });
  /** An operator who acts for no account sees all of them. */
  const scopeOf = async (call: Call): Promise<Scope> => {
    const { uid } = await authenticate(call, () => ({ action: 'administer' }));
    return isForAll(call) ? undefined : uid;
  };
  return [
    get('/v1/overview', async (call): Promise<WireRecord<'Overview'>> => overview.read(await scopeOf(call))),
    get('/v1/failures', async (call) => {
      const scope = await scopeOf(call);
      const query = queryFields(call);
      return failures.page(scope, query.get('marker') || undefined, limitOf(query));
    }),
    get('/v1/operator/health', async (call): Promise<WireRecord<'Health'>> => {
      operatorOf(call);
      return health.read();
    }),
  ];
}

function limitOf(query: URLSearchParams): number {
  const text = query.get('limit') ?? String(USUAL_FAILURES);
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MOST_FAILURES)
    throw new Fault('invalidArgument', { hint: `limit must be from 1 to ${MOST_FAILURES}` });
  return limit;
}
