/** The overview and the failures, for accounts and operators; the engines' health, for operators. */
import { Fault, type WireRecord } from '@millpond/protocol';
import { type Authenticate, isAllAccountsCall, operatorOf } from '../../identity/accounts/index.ts';
import { jsonResponse, queryFields, type RequestContext, type Route } from '../../platform/web/index.ts';
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

const MAX_FAILURES = 200;
const USUAL_FAILURES = 50;

export function overviewRoutes({ authenticate, overview, failures, health }: OverviewRouteDeps): Route[] {
  const get = (path: string, answer: (context: RequestContext) => Promise<object>): Route => ({
    role: 'api',
    methods: ['GET'],
    path,
    handle: async (context) => jsonResponse(await answer(context)),
  });
  /** An operator who acts for no account sees all of them. */
  const scopeOf = async (context: RequestContext): Promise<Scope> => {
    const { uid } = await authenticate(context, () => ({ action: 'administer' }));
    return isAllAccountsCall(context) ? undefined : uid;
  };
  return [
    get(
      '/v1/overview',
      async (context): Promise<WireRecord<'Overview'>> => overview.read(await scopeOf(context)),
    ),
    get('/v1/failures', async (context) => {
      const scope = await scopeOf(context);
      const query = queryFields(context);
      return failures.page(scope, query.get('marker') || undefined, limitOf(query));
    }),
    get('/v1/operator/health', async (context): Promise<WireRecord<'Health'>> => {
      operatorOf(context);
      return health.read();
    }),
  ];
}

function limitOf(query: URLSearchParams): number {
  const text = query.get('limit') ?? String(USUAL_FAILURES);
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_FAILURES)
    throw new Fault('invalidArgument', { hint: `limit must be from 1 to ${MAX_FAILURES}` });
  return limit;
}
