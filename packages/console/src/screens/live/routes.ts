import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
import { namespaceSearch, streamSearch } from './search.ts';

export function liveRoutes(shell: typeof shellRoute) {
  return [
    createRoute({ getParentRoute: () => shell, path: '/live' }).lazy(() =>
      import('./live-screen.tsx').then(({ LiveScreen }) => LiveScreen),
    ),
    createRoute({ getParentRoute: () => shell, path: '/live/$ns', validateSearch: namespaceSearch }).lazy(
      () => import('./namespace-screen.tsx').then(({ NamespaceScreen }) => NamespaceScreen),
    ),
    createRoute({
      getParentRoute: () => shell,
      path: '/live/$ns/streams/$stream',
      validateSearch: streamSearch,
    }).lazy(() => import('./stream/stream-screen.tsx').then(({ StreamScreen }) => StreamScreen)),
  ] as const;
}
