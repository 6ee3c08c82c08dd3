/** Engines of live streams, recordings and snapshots. */
import { liveEngine } from '../listeners.ts';
import { durationBetween, flag, integer, list, text, url } from '../values.ts';
import { optional, secret, withDefault } from './setting.ts';

export const live = {
  liveEngines: withDefault(
    'MILLPOND_LIVE_ENGINES',
    list(liveEngine),
    '',
    'Engines of live streams; none: live is off. Their addresses are private.',
  ),
  liveHookSecret: secret(
    optional(
      'MILLPOND_LIVE_HOOK_SECRET',
      text,
      'What engines show with their hooks, and the server to engines; required with engines.',
    ),
  ),
  liveRecordFolder: withDefault(
    'MILLPOND_LIVE_RECORD_FOLDER',
    text,
    '/var/lib/millpond/live',
    'Folder in which each engine has one, named after it, with what it records.',
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
    'Where players reach the `live` host; by default the host that the call for URLs came to.',
  ),
  liveProgressEvents: withDefault(
    'MILLPOND_LIVE_PROGRESS_EVENTS',
    flag,
    'false',
    'Record and snap events also while they wait (code 1) and are processed (code 2).',
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
    'How long after a process that looks after an engine died another one takes over.',
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
    'Longest that a snapshot may wait for its turn, and then take.',
  ),
} as const;
