import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
import { withWords } from '../../lib/words.ts';
import type { CommandsSearch } from './search.ts';

export function commandsRoutes(shell: typeof shellRoute) {
  return [
    createRoute({
      getParentRoute: () => shell,
      path: '/commands',
      validateSearch: ({ bucket, key, command }: Record<string, unknown>): CommandsSearch => ({
        ...text('bucket', bucket),
        ...text('key', key),
        ...text('command', command),
      }),
    }).lazy(() =>
      // A dialog that had to wait for its words would empty the screen meanwhile.
      withWords(import('./commands-screen.tsx'), 'commands', 'tasks').then(
        ({ CommandsScreen }) => CommandsScreen,
      ),
    ),
  ] as const;
}

/** Numbers that were written without quotes are names all the same. */
function text(name: keyof CommandsSearch, value: unknown): CommandsSearch {
  const given = typeof value === 'number' ? String(value) : value;
  return typeof given === 'string' && given !== '' ? { [name]: given } : {};
}
