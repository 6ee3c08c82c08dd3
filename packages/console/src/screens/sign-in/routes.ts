import { type SignInFailure, signInFailures } from '@millpond/protocol';
import { createRoute } from '@tanstack/react-router';
import type { rootRoute } from '../../app/roots.ts';
import { withWords } from '../../lib/words.ts';

interface SignInSearch {
  /** Where one was, and will be again. */
  readonly to?: string | undefined;
  /** Why signing in by another provider failed. */
  readonly failed?: SignInFailure | undefined;
  readonly ended?: true | undefined;
}

export function signInRoute(root: typeof rootRoute) {
  return createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    validateSearch: ({ to, failed, ended }: Record<string, unknown>): SignInSearch => ({
      // Only an address of our own: `//elsewhere` and `https:` are others'.
      to: typeof to === 'string' && /^\/(?![/\\])/.test(to) ? to : undefined,
      ended: ended === true ? true : undefined,
      failed: signInFailures.find((each) => each === failed),
    }),
  }).lazy(() => withWords(import('./sign-in.tsx'), 'sign-in').then(({ SignInScreen }) => SignInScreen));
}
