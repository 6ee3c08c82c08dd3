import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
import { withWords } from '../../lib/words.ts';

interface TemplatesSearch {
  /** The template that is open. */
  readonly template?: string | undefined;
}

export function templatesRoutes(shell: typeof shellRoute) {
  return [
    createRoute({
      getParentRoute: () => shell,
      path: '/templates',
      validateSearch: ({ template }: Record<string, unknown>): TemplatesSearch =>
        typeof template === 'string' && template !== '' ? { template } : {},
    }).lazy(() =>
      withWords(import('./templates-screen.tsx'), 'commands', 'templates').then(
        ({ TemplatesScreen }) => TemplatesScreen,
      ),
    ),
  ] as const;
}
