/** Time and the log. */

import { withDefault } from '../setting-kinds.ts';
import { choice, integer } from '../values.ts';

export const process = {
  timeFactor: withDefault(
    'MILLPOND_TIME_FACTOR',
    integer(1, 1_000_000),
    '1',
    'Development only: how many times as fast these are: restores, the days they last, and retries of events and asynchronous fetches.',
  ),
  logLevel: withDefault(
    'MILLPOND_LOG_LEVEL',
    choice('debug', 'info', 'warn', 'error', 'silent'),
    'info',
    'Lowest level that is logged.',
  ),
  logOutput: withDefault(
    'MILLPOND_LOG_OUTPUT',
    choice('stdout', 'stderr'),
    'stdout',
    'Where the log goes: standard output or standard error.',
  ),
  traces: withDefault(
    'MILLPOND_TRACES',
    choice('refused', 'all', 'none'),
    'refused',
    'Requests whose steps are kept for 7 days, to be looked up by their id: `refused`: those answered with 400 or more or slower than a second, and one in a hundred of the others; `all`; `none`.',
  ),
  logRequests: withDefault(
    'MILLPOND_LOG_REQUESTS',
    choice('true', 'refused', 'false'),
    'false',
    'Requests that are logged in addition to slow and failed ones: `true`: every one; `refused`: those answered with 400 or more, with the reason.',
  ),
} as const;
