import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
import { withWords } from '../../lib/words.ts';

export function enginesRoutes(shell: typeof shellRoute) {
  return [
    createRoute({ getParentRoute: () => shell, path: '/engines' }).lazy(() =>
      withWords(import('./engines.tsx'), 'overview').then(({ EnginesScreen }) => EnginesScreen),
    ),
  ] as const;
}
