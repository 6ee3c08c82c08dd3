import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
import { withWords } from '../../lib/words.ts';

export function requestsRoutes(shell: typeof shellRoute) {
  const load = () => withWords(import('./requests.tsx'), 'requests');
  return [
    createRoute({ getParentRoute: () => shell, path: '/requests' }).lazy(() =>
      load().then(({ AskScreen }) => AskScreen),
    ),
    createRoute({ getParentRoute: () => shell, path: '/requests/$reqid' }).lazy(() =>
      load().then(({ RequestScreen }) => RequestScreen),
    ),
  ] as const;
}
