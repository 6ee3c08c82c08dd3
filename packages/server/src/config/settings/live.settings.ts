/** Engines of live streams, recordings and snapshots. */
import { liveEngine } from '../listeners.ts';
import { optional, secret, withDefault } from '../setting-kinds.ts';
import { durationBetween, flag, integer, list, text, url } from '../values.ts';

export const live = {
  liveEngines: withDefault(
    'MILLPOND_LIVE_ENGINES',
    list(liveEngine),
    '',
    'Engines for live streams; none: live is off. Their addresses are private.',
  ),
  liveHookSecret: secret(
    optional(
      'MILLPOND_LIVE_HOOK_SECRET',
      text,
      'The secret that engines send with their hooks, and that the server sends to engines; required with engines.',
    ),
  ),
  liveRecordFolder: withDefault(
    'MILLPOND_LIVE_RECORD_FOLDER',
    text,
    '/var/lib/millpond/live',
    'Folder with a subfolder for each engine, named after its id, that holds what the engine records.',
  ),
  liveRtmpUrl: withDefault(
    'MILLPOND_LIVE_RTMP_URL',
    url('rtmp:', 'rtmps:'),
    'rtmp://127.0.0.1:1935/live',
    'Where publishers reach the engines, for the URLs of streams.',
  ),
  livePlayUrl: optional(
    'MILLPOND_LIVE_PLAY_URL',
    url('http:', 'https:'),
    'Where players reach the `live` host; by default the host of the call that asks for URLs.',
  ),
  liveProgressEvents: withDefault(
    'MILLPOND_LIVE_PROGRESS_EVENTS',
    flag,
    'false',
    'Also send record and snap events with code 1 (waiting) and code 2 (being processed).',
  ),
  liveReconcileEvery: withDefault(
    'MILLPOND_LIVE_RECONCILE_EVERY',
    durationBetween('1s', '1m'),
    '5s',
    'How often engines are asked who publishes.',
  ),
  liveLease: withDefault(
    'MILLPOND_LIVE_LEASE',
    durationBetween('2s', '1m'),
    '6s',
    'When a process that looks after an engine dies, another one takes over after this long.',
  ),
  liveRecordSlots: withDefault(
    'MILLPOND_LIVE_RECORD_SLOTS',
    integer(0, 64),
    '2',
    'Recordings of one engine that are stored at a time.',
  ),
  liveSnapSlots: withDefault(
    'MILLPOND_LIVE_SNAP_SLOTS',
    integer(0, 64),
    '2',
    'Snapshots of one engine that are taken at a time.',
  ),
  liveSnapTimeout: withDefault(
    'MILLPOND_LIVE_SNAP_TIMEOUT',
    durationBetween('1s', '5m'),
    '20s',
    'Longest time that a snapshot may wait for its turn, and then take.',
  ),
} as const;
