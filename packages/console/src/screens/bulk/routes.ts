import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
import { type BulkState, STATES } from './states.ts';

export interface BulkSearch {
  readonly state?: BulkState | undefined;
}

export function bulkRoutes(shell: typeof shellRoute) {
  return [
    createRoute({
      getParentRoute: () => shell,
      path: '/bulk',
      validateSearch: ({ state }: Record<string, unknown>): BulkSearch => {
        const known = STATES.find((each) => each === state);
        return known === undefined ? {} : { state: known };
      },
    }).lazy(() => import('./bulk-list.tsx').then(({ BulkListScreen }) => BulkListScreen)),
    createRoute({ getParentRoute: () => shell, path: '/bulk/$id' }).lazy(() =>
      import('./bulk-detail.tsx').then(({ BulkDetailScreen }) => BulkDetailScreen),
    ),
  ] as const;
}
