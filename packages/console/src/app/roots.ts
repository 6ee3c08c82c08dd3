/** The two roots of all addresses: of everything, and of what needs a session. */

import type { SessionState } from '@millpond/protocol';
import {
  createRootRouteWithContext,
  createRoute,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { currentSession } from '../lib/session.ts';
import { NotFound } from './not-found.tsx';
import { queries, SESSION } from './queries.ts';
import { ScreenFailure } from './screen-failure.tsx';
import { Shell } from './shell.tsx';

interface Context {
  readonly session?: SessionState;
}

export const rootRoute = createRootRouteWithContext<Context>()({});

/** For an operator, the account that all screens are about; it stays while one moves between screens. */
interface ShellSearch {
  readonly account?: number | undefined;
}

export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  validateSearch: ({ account }: Record<string, unknown>): ShellSearch =>
    typeof account === 'number' && Number.isSafeInteger(account) ? { account } : {},
  // A link says nothing of it unless it leads to another account.
  search: { middlewares: [retainSearchParams(['account'])] },
  async beforeLoad({ location }) {
    const session = await queries.fetchQuery({
      queryKey: SESSION,
      queryFn: async () => (await currentSession()) ?? null,
      staleTime: 60_000,
    });
    if (session === null) throw redirect({ to: '/sign-in', search: { to: location.href } });
    return { session };
  },
  component: Shell,
  errorComponent: ScreenFailure,
  notFoundComponent: NotFound,
});
