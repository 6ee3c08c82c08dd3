import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
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
    }).lazy(() => import('./tasks-screen.tsx').then(({ TasksScreen }) => TasksScreen)),
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
    }).lazy(() => import('./detail/task-screen.tsx').then(({ TaskScreen }) => TaskScreen)),
  ] as const;
}

/** Numbers that were written without quotes are names all the same. */
function text<Name extends string>(name: Name, value: unknown): { readonly [N in Name]?: string } {
  const given = typeof value === 'number' ? String(value) : value;
  return (typeof given === 'string' && given !== '' ? { [name]: given } : {}) as { [N in Name]?: string };
}
