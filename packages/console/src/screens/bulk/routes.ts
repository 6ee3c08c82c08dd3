import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
import { withWords } from '../../lib/words.ts';
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
    }).lazy(() => withWords(import('./bulk-list.tsx'), 'bulk').then(({ BulkListScreen }) => BulkListScreen)),
    createRoute({ getParentRoute: () => shell, path: '/bulk/$id' }).lazy(() =>
      withWords(import('./bulk-detail.tsx'), 'bulk').then(({ BulkDetailScreen }) => BulkDetailScreen),
    ),
  ] as const;
}
