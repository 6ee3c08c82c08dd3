/** The registrar of cameras, and their media. */
import { portRange, sipListener } from '../listeners.ts';
import { optional, withDefault } from '../setting-kinds.ts';
import { address, choice, durationBetween, flag, integer, matchingText, rate, url } from '../values.ts';

export const devices = {
  sipListen: optional(
    'MILLPOND_SIP_LISTEN',
    sipListener,
    'Where devices register by SIP (GB/T 28181), over UDP and TCP; unset: nowhere. Of all processes with the same address, one listens and the others stand by.',
  ),
  sipPublicHost: optional(
    'MILLPOND_SIP_PUBLIC_HOST',
    matchingText(/^[A-Za-z0-9.-]+:\d{1,5}$/, 'written `host:port`'),
    'Where devices reach that address; by default the address itself.',
  ),
  sipServerId: withDefault(
    'MILLPOND_SIP_SERVER_ID',
    matchingText(/^\d{20}$/, '20 digits'),
    '34020000002000000001',
    'The id of this SIP server, as it is entered in devices.',
  ),
  sipRealm: withDefault(
    'MILLPOND_SIP_REALM',
    matchingText(/^[A-Za-z0-9.-]{1,64}$/, '1 to 64 letters, digits, `.` and `-`'),
    '3402000000',
    'The domain of this SIP server, as it is entered in devices.',
  ),
  sipHeartbeat: withDefault(
    'MILLPOND_SIP_HEARTBEAT',
    durationBetween('1s', '1h'),
    '60s',
    'How often devices send a keepalive; a device that is silent for three times as long is offline.',
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
    'SIP messages from one address (for IPv6, one /64); further ones are dropped unread. Many devices may share an address.',
  ),
  sipPending: withDefault(
    'MILLPOND_SIP_PENDING',
    integer(1, 100_000),
    '2000',
    'Registrations that are checked or written at a time, a quarter of them for one address (for IPv6, one /64); beyond that, a device is told to try again later.',
  ),
  sipConnections: withDefault(
    'MILLPOND_SIP_CONNECTIONS',
    integer(2, 1_000_000),
    '20000',
    'TCP connections of devices.',
  ),
  sipConnectionsPerAddress: withDefault(
    'MILLPOND_SIP_CONNECTIONS_PER_ADDRESS',
    integer(1, 1_000_000),
    '1000',
    'TCP connections from one address (for IPv6, one /64); further ones are closed at once. Devices that share an address need one each.',
  ),
  sipMessagesPerConnection: withDefault(
    'MILLPOND_SIP_MESSAGES_PER_CONNECTION',
    rate,
    '1000+6000/m',
    'SIP messages over one TCP connection. A connection that sends more is read more slowly if a device has registered over it, and closed otherwise.',
  ),
  sipMediaPorts: optional(
    'MILLPOND_SIP_MEDIA_PORTS',
    portRange,
    'Ports that receive the media of devices, at the address of `MILLPOND_SIP_LISTEN`; each session takes two and uses the even one. Unset: devices are not asked for media.',
  ),
  sipMediaHost: optional(
    'MILLPOND_SIP_MEDIA_HOST',
    address,
    'The address to which devices send their media; by default that of `MILLPOND_SIP_PUBLIC_HOST` or `MILLPOND_SIP_LISTEN`, if one of them is a single address.',
  ),
  sipMediaTransport: withDefault(
    'MILLPOND_SIP_MEDIA_TRANSPORT',
    choice('udp', 'tcp'),
    'udp',
    'How devices send their media; with `tcp` they connect to us.',
  ),
  sipMediaSessions: withDefault(
    'MILLPOND_SIP_MEDIA_SESSIONS',
    integer(1, 10_000),
    '64',
    'Channels whose media are received at a time; each has its own process in the sandbox.',
  ),
  sipMediaSilence: withDefault(
    'MILLPOND_SIP_MEDIA_SILENCE',
    durationBetween('1s', '5m'),
    '10s',
    'After this long without media, a session is ended and the device is asked again.',
  ),
  sipMediaTranscode: withDefault(
    'MILLPOND_SIP_MEDIA_TRANSCODE',
    flag,
    'false',
    'Encode H.265, which RTMP cannot carry, as H.264; this takes about one processor core per channel.',
  ),
  sipMediaRtmpUrl: optional(
    'MILLPOND_SIP_MEDIA_RTMP_URL',
    url('rtmp:', 'rtmps:'),
    'Where this server publishes the media of devices; by default `MILLPOND_LIVE_RTMP_URL`.',
  ),
} as const;
