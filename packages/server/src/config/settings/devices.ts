/** The registrar of cameras. */
import { sipListener } from '../listeners.ts';
import { durationBetween, integer, rate, word } from '../values.ts';
import { optional, withDefault } from './setting.ts';

export const devices = {
  sipListen: optional(
    'MILLPOND_SIP_LISTEN',
    sipListener,
    'Where devices register by SIP (GB/T 28181), over UDP and TCP; unset: nowhere. Of all processes with the same address one listens, the others stand by.',
  ),
  sipPublicHost: optional(
    'MILLPOND_SIP_PUBLIC_HOST',
    word(/^[A-Za-z0-9.-]+:\d{1,5}$/, 'written `host:port`'),
    'How devices reach that address; by default as it is listened at.',
  ),
  sipServerId: withDefault(
    'MILLPOND_SIP_SERVER_ID',
    word(/^\d{20}$/, '20 digits'),
    '34020000002000000001',
    'Our own id, that devices are told as the id of their SIP server.',
  ),
  sipRealm: withDefault(
    'MILLPOND_SIP_REALM',
    word(/^[A-Za-z0-9.-]{1,64}$/, '1 to 64 letters, digits, `.` and `-`'),
    '3402000000',
    'Our domain, that devices are told as the domain of their SIP server.',
  ),
  sipHeartbeat: withDefault(
    'MILLPOND_SIP_HEARTBEAT',
    durationBetween('1s', '1h'),
    '60s',
    'How often devices say that they are there; after three times as long without a word one is offline.',
  ),
  sipLeastExpires: withDefault(
    'MILLPOND_SIP_LEAST_EXPIRES',
    durationBetween('1s', '1d'),
    '60s',
    'Shortest registration that a device may ask for.',
  ),
  sipMostExpires: withDefault(
    'MILLPOND_SIP_MOST_EXPIRES',
    durationBetween('1s', '30d'),
    '1d',
    'Longest registration that a device is given.',
  ),
  sipRequestsPerAddress: withDefault(
    'MILLPOND_SIP_REQUESTS_PER_ADDRESS',
    rate,
    '20000+120000/m',
    'SIP requests from one address; what comes beyond it is dropped. Many devices may share an address.',
  ),
  sipPending: withDefault(
    'MILLPOND_SIP_PENDING',
    integer(1, 100_000),
    '2000',
    'Registrations that are judged or written at a time; beyond that a device is told to come again.',
  ),
  sipConnections: withDefault(
    'MILLPOND_SIP_CONNECTIONS',
    integer(2, 1_000_000),
    '20000',
    'TCP connections of devices; at most half of them from one address.',
  ),
} as const;
