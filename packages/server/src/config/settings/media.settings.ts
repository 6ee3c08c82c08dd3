/** Inspecting files, processing them, and the sandbox that both run in. */

import { withDefault } from '../setting-kinds.ts';
import { duration, durationBetween, flag, integer, rate, size, text } from '../values.ts';

export const media = {
  inspect: withDefault(
    'MILLPOND_INSPECT',
    flag,
    'true',
    'Inspect uploaded images and media for the variables `imageInfo`, `exif`, `imageAve` and `avinfo`; needs the sandbox.',
  ),
  inspectDeadline: withDefault(
    'MILLPOND_INSPECT_DEADLINE',
    duration,
    '5s',
    'Longest time that an upload waits for such a variable; after that, the variable has no value.',
  ),
  inspectConcurrency: withDefault(
    'MILLPOND_INSPECT_CONCURRENCY',
    integer(1, 64),
    '2',
    'How many images, and how many media files, are inspected at a time.',
  ),
  inspectWaiting: withDefault(
    'MILLPOND_INSPECT_WAITING',
    integer(0, 10_000),
    '32',
    'How many of each kind may wait; beyond that, the variables have no value.',
  ),
  ffprobe: withDefault('MILLPOND_FFPROBE', text, '/usr/bin/ffprobe', 'The program that produces `avinfo`.'),
  ffmpeg: withDefault('MILLPOND_FFMPEG', text, '/usr/bin/ffmpeg', 'The program that transcodes.'),
  mediaSlots: withDefault(
    'MILLPOND_MEDIA_SLOTS',
    integer(0, 256),
    '2',
    'Tasks that a worker runs at a time; 0: none, tasks are left to other workers.',
  ),
  mediaThreads: withDefault(
    'MILLPOND_MEDIA_THREADS',
    integer(0, 64),
    '0',
    'Threads of one encoder; 0: the encoder decides.',
  ),
  imageProcesses: withDefault(
    'MILLPOND_IMAGE_PROCESSES',
    integer(1, 64),
    '3',
    'Processes that make images, one image at a time each; started when needed. While several accounts ask for images, none gets all of them.',
  ),
  imageSlots: withDefault(
    'MILLPOND_IMAGE_SLOTS',
    integer(0, 256),
    '4',
    'Commands in download URLs that a gateway runs at a time; 0: none. While several accounts send them, one account gets at most half, and fewer than there are image processes.',
  ),
  imageWaiting: withDefault(
    'MILLPOND_IMAGE_WAITING',
    integer(0, 10_000),
    '64',
    'How many more may wait, at most half of them from one account; further ones are answered with 573.',
  ),
  imageTimeout: withDefault(
    'MILLPOND_IMAGE_TIMEOUT',
    durationBetween('1s', '10m'),
    '30s',
    'Longest time that such a command may take (then 400), and longest time that it waits before (then 573).',
  ),
  imageCache: withDefault(
    'MILLPOND_IMAGE_CACHE',
    size,
    '10GiB',
    'Space for results of such commands in the whole region, which may be exceeded for a minute; `0B`: none are kept.',
  ),
  taskQueriesPerAddress: withDefault(
    'MILLPOND_TASK_QUERIES_PER_ADDRESS',
    rate,
    '6000+6000/m',
    'Queries of task states from one address; further ones are answered with 573.',
  ),
  sandboxRoot: withDefault(
    'MILLPOND_SANDBOX_ROOT',
    text,
    '/var/tmp/millpond',
    'Folder for the sandbox’s job directories, on a local disk; created if missing.',
  ),
  sandboxUid: withDefault(
    'MILLPOND_SANDBOX_UID',
    integer(1, 4_294_967_294),
    '65534',
    'User that sandboxed programs run as, if the server runs as root.',
  ),
  sandboxGid: withDefault(
    'MILLPOND_SANDBOX_GID',
    integer(1, 4_294_967_294),
    '65534',
    'Group that sandboxed programs run as, if the server runs as root.',
  ),
} as const;
