import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
import { withWords } from '../../lib/words.ts';
import { readSearch } from './search.ts';

export function fetchesRoutes(shell: typeof shellRoute) {
  return [
    createRoute({
      getParentRoute: () => shell,
      path: '/fetches',
      validateSearch: readSearch,
    }).lazy(() => withWords(import('./fetches.tsx'), 'fetches').then(({ FetchesScreen }) => FetchesScreen)),
  ] as const;
}
