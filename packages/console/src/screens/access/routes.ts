import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
import { withWords } from '../../lib/words.ts';
import type { AuditSearch } from './audit-search.ts';

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

export function accessRoutes(shell: typeof shellRoute) {
  return [
    createRoute({ getParentRoute: () => shell, path: '/keys' }).lazy(() =>
      withWords(import('./keys/keys.tsx'), 'access').then(({ KeysScreen }) => KeysScreen),
    ),
    createRoute({ getParentRoute: () => shell, path: '/keys/$key' }).lazy(() =>
      withWords(import('./keys/keys.tsx'), 'access').then(({ KeyScreen }) => KeyScreen),
    ),
    createRoute({
      getParentRoute: () => shell,
      path: '/accounts',
      validateSearch: ({ begins }: Record<string, unknown>): { begins?: string | undefined } => ({
        // An address that is all digits was read as a number.
        begins: text(typeof begins === 'number' ? String(begins) : begins),
      }),
    }).lazy(() =>
      withWords(import('./people/accounts.tsx'), 'access').then(({ AccountsScreen }) => AccountsScreen),
    ),
    createRoute({ getParentRoute: () => shell, path: '/sessions' }).lazy(() =>
      withWords(import('./people/sessions.tsx'), 'access').then(({ SessionsScreen }) => SessionsScreen),
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
    }).lazy(() => withWords(import('./audit.tsx'), 'access').then(({ AuditScreen }) => AuditScreen)),
  ] as const;
}
