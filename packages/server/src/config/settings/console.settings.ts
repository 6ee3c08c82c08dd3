/** The console: its sessions. */

import { withDefault } from '../setting-kinds.ts';
import { durationBetween } from '../values.ts';

export const console = {
  sessionIdle: withDefault(
    'MILLPOND_SESSION_IDLE',
    durationBetween('1s', '30d'),
    '1h',
    'A session of the console ends if it is not used for this long.',
  ),
  sessionLife: withDefault(
    'MILLPOND_SESSION_LIFE',
    durationBetween('1s', '30d'),
    '12h',
    'A session of the console ends after this time, used or not.',
  ),
} as const;
