import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
import type { AuditSearch } from './audit-search.ts';

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

export function accessRoutes(shell: typeof shellRoute) {
  return [
    createRoute({ getParentRoute: () => shell, path: '/keys' }).lazy(() =>
      import('./keys/keys.tsx').then(({ KeysScreen }) => KeysScreen),
    ),
    createRoute({ getParentRoute: () => shell, path: '/keys/$key' }).lazy(() =>
      import('./keys/keys.tsx').then(({ KeyScreen }) => KeyScreen),
    ),
    createRoute({
      getParentRoute: () => shell,
      path: '/accounts',
      validateSearch: ({ begins }: Record<string, unknown>): { begins?: string | undefined } => ({
        // An address that is all digits was read as a number.
        begins: text(typeof begins === 'number' ? String(begins) : begins),
      }),
    }).lazy(() => import('./people/accounts.tsx').then(({ AccountsScreen }) => AccountsScreen)),
    createRoute({ getParentRoute: () => shell, path: '/sessions' }).lazy(() =>
      import('./people/sessions.tsx').then(({ SessionsScreen }) => SessionsScreen),
    ),
    createRoute({
      getParentRoute: () => shell,
      path: '/audit',
      validateSearch: ({ action, actor, target, reqid }: Record<string, unknown>): AuditSearch => ({
        action: text(action),
        actor: text(actor),
        target: text(target),
        reqid: text(reqid),
      }),
    }).lazy(() => import('./audit.tsx').then(({ AuditScreen }) => AuditScreen)),
  ] as const;
}
