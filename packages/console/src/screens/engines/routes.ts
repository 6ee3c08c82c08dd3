import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';

export function enginesRoutes(shell: typeof shellRoute) {
  return [
    createRoute({ getParentRoute: () => shell, path: '/engines' }).lazy(() =>
      import('./engines.tsx').then(({ EnginesScreen }) => EnginesScreen),
    ),
  ] as const;
}
