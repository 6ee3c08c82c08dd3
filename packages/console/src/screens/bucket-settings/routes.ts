import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
import { readEdited } from './use-edited.ts';

export function bucketSettingsRoutes(shell: typeof shellRoute) {
  return [
    createRoute({ getParentRoute: () => shell, path: '/buckets/$bucket/access' }).lazy(() =>
      import('./access.tsx').then(({ AccessScreen }) => AccessScreen),
    ),
    createRoute({
      getParentRoute: () => shell,
      path: '/buckets/$bucket/cors',
      validateSearch: readEdited,
    }).lazy(() => import('./cors/cors.tsx').then(({ CorsScreen }) => CorsScreen)),
    createRoute({
      getParentRoute: () => shell,
      path: '/buckets/$bucket/lifecycle',
      validateSearch: readEdited,
    }).lazy(() => import('./lifecycle/lifecycle.tsx').then(({ LifecycleScreen }) => LifecycleScreen)),
    createRoute({ getParentRoute: () => shell, path: '/buckets/$bucket/domains' }).lazy(() =>
      import('./domains.tsx').then(({ DomainsScreen }) => DomainsScreen),
    ),
    createRoute({ getParentRoute: () => shell, path: '/buckets/$bucket/mirror' }).lazy(() =>
      import('./mirror.tsx').then(({ MirrorScreen }) => MirrorScreen),
    ),
    createRoute({ getParentRoute: () => shell, path: '/buckets/$bucket/quota' }).lazy(() =>
      import('./quota/quota.tsx').then(({ QuotaScreen }) => QuotaScreen),
    ),
    createRoute({
      getParentRoute: () => shell,
      path: '/buckets/$bucket/events',
      validateSearch: readEdited,
    }).lazy(() => import('./events/events.tsx').then(({ EventsScreen }) => EventsScreen)),
    createRoute({
      getParentRoute: () => shell,
      path: '/buckets/$bucket/triggers',
      validateSearch: readEdited,
    }).lazy(() => import('./triggers/triggers.tsx').then(({ TriggersScreen }) => TriggersScreen)),
    createRoute({
      getParentRoute: () => shell,
      path: '/buckets/$bucket/styles',
      validateSearch: readEdited,
    }).lazy(() => import('./styles/styles.tsx').then(({ StylesScreen }) => StylesScreen)),
  ] as const;
}
