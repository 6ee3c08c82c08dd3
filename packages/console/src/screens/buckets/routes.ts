import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
import { withWords } from '../../lib/words.ts';

export interface BucketsSearch {
  /** Only names that contain it. */
  readonly find?: string | undefined;
  /** The form for a new one is open. */
  readonly create?: true | undefined;
}

export function bucketsRoutes(shell: typeof shellRoute) {
  return [
    createRoute({
      getParentRoute: () => shell,
      path: '/buckets',
      validateSearch: ({ find, create }: Record<string, unknown>): BucketsSearch => ({
        ...(typeof find === 'string' || typeof find === 'number' ? { find: String(find) } : {}),
        ...(create === true ? { create } : {}),
      }),
    }).lazy(() => withWords(import('./buckets.tsx'), 'buckets').then(({ BucketsScreen }) => BucketsScreen)),
  ] as const;
}
