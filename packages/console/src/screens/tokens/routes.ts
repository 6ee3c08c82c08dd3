import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
import { withWords } from '../../lib/words.ts';
import { readSearch } from './search.ts';

export function tokensRoutes(shell: typeof shellRoute) {
  return [
    createRoute({
      getParentRoute: () => shell,
      path: '/upload-tokens',
      validateSearch: readSearch,
    }).lazy(() => withWords(import('./tokens.tsx'), 'tokens').then(({ TokensScreen }) => TokensScreen)),
  ] as const;
}
