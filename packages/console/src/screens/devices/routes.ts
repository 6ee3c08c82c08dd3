import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
import { withWords } from '../../lib/words.ts';

export interface DevicesSearch {
  /** The namespace that is open in the tree. */
  readonly ns?: string | undefined;
  /** Devices whose ids begin so. */
  readonly begins?: string | undefined;
}

function validateSearch({ ns, begins }: Record<string, unknown>): DevicesSearch {
  return {
    ...(typeof ns === 'string' && ns !== '' && { ns }),
    // Twenty digits are a number to the address's reader.
    ...((typeof begins === 'string' || typeof begins === 'number') &&
      begins !== '' && { begins: String(begins) }),
  };
}

export function devicesRoutes(shell: typeof shellRoute) {
  const load = () => withWords(import('./devices-screen.tsx'), 'devices', 'live');
  return [
    createRoute({ getParentRoute: () => shell, path: '/devices', validateSearch }).lazy(() =>
      load().then(({ DevicesScreen }) => DevicesScreen),
    ),
    createRoute({ getParentRoute: () => shell, path: '/devices/$ns/$gbId', validateSearch }).lazy(() =>
      load().then(({ DeviceScreen }) => DeviceScreen),
    ),
    createRoute({
      getParentRoute: () => shell,
      path: '/devices/$ns/$gbId/$channel',
      validateSearch,
    }).lazy(() => load().then(({ ChannelScreen }) => ChannelScreen)),
  ] as const;
}
