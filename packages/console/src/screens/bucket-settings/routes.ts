import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';

export function bucketSettingsRoutes(shell: typeof shellRoute) {
  return [
    createRoute({ getParentRoute: () => shell, path: '/buckets/$bucket/access' }).lazy(() =>
      import('./access.tsx').then(({ AccessScreen }) => AccessScreen),
    ),
  ] as const;
}
