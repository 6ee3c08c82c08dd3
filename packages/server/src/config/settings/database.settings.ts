/** What the server stores in PostgreSQL, and how its secrets are sealed. */
import { databaseUrl } from '../database-url.ts';
import { required, secret, withDefault } from '../setting-kinds.ts';
import { duration, integer, list, matchingText } from '../values.ts';

export const records = {
  controlDb: secret(
    required(
      'MILLPOND_CONTROL_DB',
      databaseUrl,
      'Database of accounts, keys and buckets (schema `control`).',
    ),
  ),
  regionDb: secret(
    required(
      'MILLPOND_REGION_DB',
      databaseUrl,
      'Database of objects, trash and background work (schema `region`).',
    ),
  ),
  dbConnections: withDefault(
    'MILLPOND_DB_CONNECTIONS',
    integer(2, 500),
    '16',
    'Connections per database and process.',
  ),
  dbTimeout: withDefault(
    'MILLPOND_DB_TIMEOUT',
    duration,
    '15s',
    'Longest time that a statement of a request may run, and that a request waits for a connection.',
  ),
  controlCache: withDefault(
    'MILLPOND_CONTROL_CACHE',
    duration,
    '5s',
    'How long a gateway caches keys, accounts and buckets.',
  ),
  controlStale: withDefault(
    'MILLPOND_CONTROL_STALE',
    duration,
    '15m',
    'How long a gateway keeps using what it last read while the control database is unavailable.',
  ),
  masterKeys: secret(
    required(
      'MILLPOND_MASTER_KEY',
      list(
        matchingText(
          /^[A-Za-z0-9._-]{1,64}:[A-Za-z0-9+/_-]{43}=?$/,
          'written `id:base64` of exactly 32 bytes',
        ),
      ),
      'Master keys `id:base64` (32 bytes each) that seal the access keys’ secrets; the first one seals new secrets, the others only open existing ones. If they are lost, every access key is lost.',
    ),
  ),
  region: withDefault(
    'MILLPOND_REGION',
    matchingText(/^[a-z0-9-]{1,16}$/, '1 to 16 of a-z, 0-9 and `-`'),
    'z0',
    'Id of this region; a bucket never changes its region.',
  ),
} as const;
