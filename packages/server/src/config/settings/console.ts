/** The console: its sessions, and who may see all accounts in it. */
import { durationBetween, list, text } from '../values.ts';
import { withDefault } from './setting.ts';

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
  consoleOperators: withDefault(
    'MILLPOND_CONSOLE_OPERATORS',
    list(text),
    '',
    'E-mails of accounts whose sessions see all accounts, and may act for them.',
  ),
} as const;
