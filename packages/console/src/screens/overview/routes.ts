import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
import { withWords } from '../../lib/words.ts';
import { type Range, rangeOf } from './range.ts';

export function overviewRoutes(shell: typeof shellRoute) {
  return [
    createRoute({
      getParentRoute: () => shell,
      path: '/',
      validateSearch: ({ range }: Record<string, unknown>): { range?: Range } => {
        const known = rangeOf(range);
        return known === undefined ? {} : { range: known };
      },
    }).lazy(() =>
      withWords(import('./overview.tsx'), 'overview').then(({ OverviewScreen }) => OverviewScreen),
    ),
  ] as const;
}
