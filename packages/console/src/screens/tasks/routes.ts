import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
import { withWords } from '../../lib/words.ts';
import { STATES, type TaskSearch, type TasksSearch, VIEWS } from './search.ts';

export function tasksRoutes(shell: typeof shellRoute) {
  return [
    createRoute({
      getParentRoute: () => shell,
      path: '/tasks',
      validateSearch: ({ state, pipeline, bucket, key }: Record<string, unknown>): TasksSearch => {
        const known = STATES.find((each) => each === state);
        return {
          ...(known === undefined ? {} : { state: known }),
          ...text('pipeline', pipeline),
          ...text('bucket', bucket),
          ...text('key', key),
        };
      },
    }).lazy(() =>
      withWords(import('./tasks-screen.tsx'), 'commands', 'tasks').then(({ TasksScreen }) => TasksScreen),
    ),
    createRoute({
      getParentRoute: () => shell,
      path: '/tasks/$id',
      validateSearch: ({ item, view }: Record<string, unknown>): TaskSearch => {
        const known = VIEWS.find((each) => each === view);
        return {
          ...(typeof item === 'number' && Number.isSafeInteger(item) && item >= 0 ? { item } : {}),
          ...(known === undefined ? {} : { view: known }),
        };
      },
    }).lazy(() =>
      withWords(import('./detail/task-screen.tsx'), 'commands', 'tasks').then(({ TaskScreen }) => TaskScreen),
    ),
  ] as const;
}

/** Numbers that were written without quotes are names all the same. */
function text<Name extends string>(name: Name, value: unknown): { readonly [N in Name]?: string } {
  const given = typeof value === 'number' ? String(value) : value;
  return (typeof given === 'string' && given !== '' ? { [name]: given } : {}) as { [N in Name]?: string };
}
