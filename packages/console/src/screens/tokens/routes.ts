import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
import { readSearch } from './search.ts';

export function tokensRoutes(shell: typeof shellRoute) {
  return [
    createRoute({
      getParentRoute: () => shell,
      path: '/upload-tokens',
      validateSearch: readSearch,
    }).lazy(() => import('./tokens.tsx').then(({ TokensScreen }) => TokensScreen)),
  ] as const;
}
