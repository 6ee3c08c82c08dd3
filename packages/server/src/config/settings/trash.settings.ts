/** When bytes that nothing names any more are removed. */

import { withDefault } from '../setting-kinds.ts';
import { duration } from '../values.ts';

export const trash = {
  trashGrace: withDefault(
    'MILLPOND_TRASH_GRACE',
    duration,
    '7d',
    'How long replaced and deleted bytes are kept; at least as far back as the database may be restored.',
  ),
  collectEvery: withDefault(
    'MILLPOND_COLLECT_EVERY',
    duration,
    '1m',
    'How often the trash is emptied and expired objects are removed.',
  ),
  commitWindow: withDefault(
    'MILLPOND_COMMIT_WINDOW',
    duration,
    '24h',
    'Longest time from an upload’s first byte to its commit; must be at most half of the sweep age.',
  ),
  sweepAge: withDefault(
    'MILLPOND_SWEEP_AGE',
    duration,
    '48h',
    'Age at which bytes that no database row refers to are removed.',
  ),
  sweepEvery: withDefault(
    'MILLPOND_SWEEP_EVERY',
    duration,
    '1h',
    'How often the sweep looks for such bytes.',
  ),
} as const;
