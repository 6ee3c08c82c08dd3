import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
import { withWords } from '../../lib/words.ts';
import { namespaceSearch, streamSearch } from './search.ts';

export function liveRoutes(shell: typeof shellRoute) {
  return [
    createRoute({ getParentRoute: () => shell, path: '/live' }).lazy(() =>
      withWords(import('./live-screen.tsx'), 'live').then(({ LiveScreen }) => LiveScreen),
    ),
    createRoute({ getParentRoute: () => shell, path: '/live/$ns', validateSearch: namespaceSearch }).lazy(
      () =>
        withWords(import('./namespace-screen.tsx'), 'live').then(({ NamespaceScreen }) => NamespaceScreen),
    ),
    createRoute({
      getParentRoute: () => shell,
      path: '/live/$ns/streams/$stream',
      validateSearch: streamSearch,
    }).lazy(() =>
      withWords(import('./stream/stream-screen.tsx'), 'live').then(({ StreamScreen }) => StreamScreen),
    ),
  ] as const;
}
