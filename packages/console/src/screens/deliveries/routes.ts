import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
import { withWords } from '../../lib/words.ts';
import { validateSearch } from './search.ts';

export function deliveriesRoutes(shell: typeof shellRoute) {
  const load = () => withWords(import('./deliveries.tsx'), 'deliveries');
  return [
    createRoute({ getParentRoute: () => shell, path: '/deliveries', validateSearch }).lazy(() =>
      load().then(({ AllScreen }) => AllScreen),
    ),
    createRoute({ getParentRoute: () => shell, path: '/deliveries/$id', validateSearch }).lazy(() =>
      load().then(({ OneScreen }) => OneScreen),
    ),
    createRoute({ getParentRoute: () => shell, path: '/endpoints/$endpoint', validateSearch }).lazy(() =>
      load().then(({ EndpointScreen }) => EndpointScreen),
    ),
  ] as const;
}
