import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';

export function accessRoutes(shell: typeof shellRoute) {
  return [
    createRoute({ getParentRoute: () => shell, path: '/keys' }).lazy(() =>
      import('./keys/keys.tsx').then(({ KeysScreen }) => KeysScreen),
    ),
    createRoute({ getParentRoute: () => shell, path: '/keys/$key' }).lazy(() =>
      import('./keys/keys.tsx').then(({ KeyScreen }) => KeyScreen),
    ),
    createRoute({ getParentRoute: () => shell, path: '/accounts' }).lazy(() =>
      import('./people/accounts.tsx').then(({ AccountsScreen }) => AccountsScreen),
    ),
    createRoute({ getParentRoute: () => shell, path: '/sessions' }).lazy(() =>
      import('./people/sessions.tsx').then(({ SessionsScreen }) => SessionsScreen),
    ),
  ] as const;
}
