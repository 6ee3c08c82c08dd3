/** Uploads, fetches, mirrors, archive and buckets. */
import { restoreTimes } from '@millpond/protocol';
import { withDefault } from '../setting-kinds.ts';
import { choice, duration, durationBetween, flag, integer, list, matchingText, size } from '../values.ts';

const { archive, deepArchive } = restoreTimes;

export const objects = {
  maxObjectSize: withDefault(
    'MILLPOND_MAX_OBJECT_SIZE',
    size,
    '5GiB',
    'Largest object that an upload may create, and so the largest part or block of one.',
  ),
  lateTokenMemory: withDefault(
    'MILLPOND_LATE_TOKEN_MEMORY',
    size,
    '64MiB',
    'Memory for files that arrive before their token, and for fields beyond 16 KiB; when it is used up, such uploads are answered with 573. No address (for IPv6, no /64) gets more of it than it leaves for others.',
  ),
  fetchTimeout: withDefault(
    'MILLPOND_FETCH_TIMEOUT',
    duration,
    '60s',
    'Longest time that a fetch, a prefetch or a mirror may take to get a file from its origin.',
  ),
  fetchMaxSize: withDefault('MILLPOND_FETCH_MAX_SIZE', size, '5GiB', 'Largest file that is fetched.'),
  asyncFetchTimeout: withDefault(
    'MILLPOND_ASYNC_FETCH_TIMEOUT',
    duration,
    '1h',
    'Longest time that one attempt of an asynchronous fetch may take; less than the commit window.',
  ),
  mirrorFills: withDefault(
    'MILLPOND_MIRROR_FILLS',
    integer(1, 1000),
    '16',
    'Missing files that one process fetches at a time for one mirrored bucket; others wait.',
  ),
  fetchesPerAccount: withDefault(
    'MILLPOND_FETCHES_PER_ACCOUNT',
    integer(1, 1000),
    '16',
    'Files that one process fetches at a time for one account while callers wait; further fetches are answered with 573, and further files of its mirrored buckets wait.',
  ),
  restoreArchive: withDefault(
    'MILLPOND_RESTORE_ARCHIVE',
    durationBetween(archive.least, archive.most),
    archive.least,
    'How long the restore of an archive object takes.',
  ),
  restoreDeepArchive: withDefault(
    'MILLPOND_RESTORE_DEEP_ARCHIVE',
    durationBetween(deepArchive.least, deepArchive.most),
    deepArchive.least,
    'How long the restore of a deep-archive object takes.',
  ),
  maxBuckets: withDefault(
    'MILLPOND_MAX_BUCKETS',
    integer(1, 100_000),
    '100',
    'Buckets that one account may have.',
  ),
  openCors: withDefault(
    'MILLPOND_OPEN_CORS',
    flag,
    'true',
    'Web pages of any origin may read from buckets whose owner has set no CORS rules. `millpond dev` sets `false`, because web pages can reach your machine through your browser.',
  ),
  domainProof: withDefault(
    'MILLPOND_DOMAIN_PROOF',
    choice('dns', 'none'),
    'dns',
    'What it takes to bind a domain to a bucket: a TXT record in its DNS zone, or nothing (first come, first served).',
  ),
  dnsServers: withDefault(
    'MILLPOND_DNS_SERVERS',
    list(
      matchingText(
        /^[\d.]+(?::\d{1,5})?$|^[\da-fA-F:]+$|^\[[\da-fA-F:]+\](?::\d{1,5})?$/,
        'an address, with or without a port',
      ),
    ),
    '',
    'DNS servers that are asked for such records; by default those of the system.',
  ),
  usageFoldEvery: withDefault(
    'MILLPOND_USAGE_FOLD_EVERY',
    duration,
    '5s',
    'How often changes are added up to usage figures; the figures may be this far behind, and writes may exceed a quota for this long.',
  ),
  lifecycleEvery: withDefault(
    'MILLPOND_LIFECYCLE_EVERY',
    duration,
    '1h',
    'How often buckets are walked to apply their lifecycle rules.',
  ),
} as const;
