import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';

export const STATES = ['waiting', 'failed', 'delivered', 'unsent'] as const;
export type State = (typeof STATES)[number];

export interface DeliveriesSearch {
  readonly endpoint?: string | undefined;
  readonly state?: State | undefined;
  /** The attempt that is open. */
  readonly try?: number | undefined;
}

function validateSearch(given: Record<string, unknown>): DeliveriesSearch {
  const state = STATES.find((each) => each === given.state);
  return {
    ...(typeof given.endpoint === 'string' && { endpoint: given.endpoint }),
    ...(state !== undefined && { state }),
    ...(typeof given.try === 'number' && { try: given.try }),
  };
}

export function deliveriesRoutes(shell: typeof shellRoute) {
  const load = () => import('./deliveries.tsx');
  return [
    createRoute({ getParentRoute: () => shell, path: '/deliveries', validateSearch }).lazy(() =>
      load().then(({ AllScreen }) => AllScreen),
    ),
    createRoute({ getParentRoute: () => shell, path: '/deliveries/$id', validateSearch }).lazy(() =>
      load().then(({ OneScreen }) => OneScreen),
    ),
    createRoute({ getParentRoute: () => shell, path: '/endpoints/$endpoint', validateSearch }).lazy(() =>
      load().then(({ EndpointScreen }) => EndpointScreen),
    ),
  ] as const;
}
