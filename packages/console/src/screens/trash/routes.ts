import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
import { withWords } from '../../lib/words.ts';

export interface TrashSearch {
  /** Only keys that begin with it. */
  readonly begins?: string | undefined;
}

/** Of a bucket, and a way there from the navigation. */
export function trashRoutes(shell: typeof shellRoute) {
  return [
    createRoute({ getParentRoute: () => shell, path: '/trash' }).lazy(() =>
      withWords(import('./trash-places.tsx'), 'bucket-frame', 'trash').then(
        ({ TrashPlacesScreen }) => TrashPlacesScreen,
      ),
    ),
    createRoute({
      getParentRoute: () => shell,
      path: '/buckets/$bucket/trash',
      validateSearch: ({ begins }: Record<string, unknown>): TrashSearch =>
        typeof begins === 'string' || typeof begins === 'number' ? { begins: String(begins) } : {},
    }).lazy(() =>
      withWords(import('./trash.tsx'), 'bucket-frame', 'trash').then(({ TrashScreen }) => TrashScreen),
    ),
  ] as const;
}
