import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';

const RANGES = ['1h', '6h', '24h', '7d', '30d'] as const;
export type Range = (typeof RANGES)[number];

export function overviewRoutes(shell: typeof shellRoute) {
  return [
    createRoute({
      getParentRoute: () => shell,
      path: '/',
      validateSearch: ({ range }: Record<string, unknown>): { range?: Range } => {
        const known = RANGES.find((each) => each === range);
        return known === undefined ? {} : { range: known };
      },
    }).lazy(() => import('./overview.tsx').then(({ OverviewScreen }) => OverviewScreen)),
  ] as const;
}
