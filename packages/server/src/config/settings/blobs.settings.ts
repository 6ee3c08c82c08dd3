/** Where bytes are stored, and how they are sent. */

import { optional, secret, withDefault } from '../setting-kinds.ts';
import { choice, duration, integer, matchingText, origin, size, sizeUpTo, text } from '../values.ts';

export const blobs = {
  blobs: withDefault(
    'MILLPOND_BLOBS',
    choice('s3', 'disk'),
    's3',
    'Where bytes are kept: an S3 engine or the local disk.',
  ),
  diskRoot: optional('MILLPOND_DISK_ROOT', text, 'Folder of the disk store.'),
  s3Endpoint: optional('MILLPOND_S3_ENDPOINT', origin('bare'), 'Address of the S3 engine.'),
  s3Region: withDefault(
    'MILLPOND_S3_REGION',
    text,
    'default',
    'Region name that the engine expects in signatures.',
  ),
  s3AccessKey: secret(optional('MILLPOND_S3_ACCESS_KEY', text, 'Access key for the engine.')),
  s3SecretKey: secret(optional('MILLPOND_S3_SECRET_KEY', text, 'Secret key for the engine.')),
  s3Bucket: withDefault(
    'MILLPOND_S3_BUCKET',
    matchingText(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      '3 to 63 lower-case letters, digits, dots and hyphens, a letter or digit at both ends',
    ),
    'millpond',
    'The engine’s bucket that holds all blobs.',
  ),
  s3ColdClass: withDefault(
    'MILLPOND_S3_COLD_CLASS',
    matchingText(/^[A-Za-z0-9_-]{1,64}$/, '1 to 64 letters, digits, `_` and `-`'),
    'COLD',
    'The engine’s storage class for objects of the archive classes. Objects in it must be readable at once. `STANDARD`: the engine has only one class.',
  ),
  s3Connections: withDefault(
    'MILLPOND_S3_CONNECTIONS',
    integer(1, 1000),
    '64',
    'Connections to the engine per process.',
  ),
  s3VerifyWrites: withDefault(
    'MILLPOND_S3_VERIFY_WRITES',
    choice('always', 'small', 'never'),
    'small',
    'Let the engine check an MD5 of what it receives: always, up to 64 KiB, or never. An MD5 costs about 1.9 ms of CPU per MiB. Bodies put by S3 are always checked, as their MD5 is known anyway.',
  ),
  capacity: optional(
    'MILLPOND_CAPACITY',
    size,
    'How much the S3 engine can hold, as usable bytes: the console shows how full it is. The disk store asks its file system.',
  ),
  writeBuffers: withDefault(
    'MILLPOND_WRITE_BUFFERS',
    size,
    '96MiB',
    'Memory for parts on their way to the engine; when it is used up, an upload sends one part at a time.',
  ),
  smallObjects: withDefault(
    'MILLPOND_SMALL_OBJECTS',
    sizeUpTo('128KiB'),
    '16KiB',
    'Objects up to this size are committed with their bytes in the database, and packed into large blobs of the engine later. `0B`: all bytes go to the engine at once. Can be changed at any time.',
  ),
  smallCache: withDefault(
    'MILLPOND_SMALL_CACHE',
    size,
    '64MiB',
    'Memory per process for bytes of small objects that were written or read lately.',
  ),
  smallInbox: withDefault(
    'MILLPOND_SMALL_INBOX',
    size,
    '4GiB',
    'How much of the database’s disk small objects that wait to be packed may use; beyond it, all bytes go to the engine at once.',
  ),
  packAfter: withDefault(
    'MILLPOND_PACK_AFTER',
    duration,
    '10m',
    'How long small objects wait to be packed if they are few; many are packed as soon as there are enough.',
  ),
  sendBytes: withDefault(
    'MILLPOND_SEND_BYTES',
    choice('stream', 'nginx', 'redirect'),
    'stream',
    'How downloads travel: through this process, handed to nginx in front (`X-Accel-Redirect`), or by a redirect to the engine for passive types.',
  ),
} as const;
