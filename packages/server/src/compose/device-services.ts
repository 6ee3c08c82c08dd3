/** Builds devices on live: calls on them, and the SIP port at which they register. */
import { type Config, mediaHostOf } from '../config/config.ts';
import type { Infra } from '../engines/infra.ts';
import type { AccountStates, Authenticate } from '../features/accounts/index.ts';
import {
  DeviceMedia,
  DevicePasswords,
  DeviceStore,
  Devices,
  deviceRoutes,
  MediaStore,
  PasswordStore,
  PortService,
  type PortServiceOptions,
  type PortServiceParts,
  RegistrationStore,
} from '../features/devices/index.ts';
import type { Live } from '../features/live/index.ts';
import { LeaseStore } from '../platform/leases/store.ts';
import type { Route } from '../platform/web/index.ts';
import { resourceRoutes } from '../platform/web/resources/index.ts';

export interface DeviceServices {
  readonly passwords: DevicePasswords;
  /** Undefined where none is configured. */
  readonly sipPort: PortService | undefined;
  readonly routes: readonly Route[];
}

export function makeDevices(
  infra: Infra,
  config: Config,
  { events, feeds, namespaces }: Live,
  { authenticate, accounts }: { authenticate: Authenticate; accounts: AccountStates },
): DeviceServices {
  const passwords = new DevicePasswords(new PasswordStore(infra.region), infra.sealer);
  const store = new DeviceStore(infra.region);
  const mediaStore = new MediaStore(infra.region);
  const devices = new Devices({
    ...{ store, media: mediaStore, passwords, namespaces, events, serverId: config.sipServerId },
  });
  const isOn = config.sipMediaPorts !== undefined;
  const media = new DeviceMedia({ devices, store: mediaStore, feeds, isOn });
  return {
    passwords,
    sipPort: makeSipPort(infra, config, { passwords, events, feeds, mediaStore, accounts }),
    routes: deviceRoutes(resourceRoutes(authenticate), devices, media),
  };
}

function makeSipPort(
  { region, log, metrics, media }: Infra,
  config: Config,
  parts: Pick<PortServiceParts, 'passwords' | 'events' | 'feeds' | 'mediaStore' | 'accounts'>,
): PortService | undefined {
  if (config.sipListen === undefined) return undefined;
  const { address, port } = config.sipListen;
  const host = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
  const service = new PortService(
    {
      ...{ ...parts, store: new RegistrationStore(region), leases: new LeaseStore(region), log },
      media: () => media.engine(),
    },
    {
      address,
      port,
      publicHost: config.sipPublicHost ?? host,
      serverId: config.sipServerId,
      realm: config.sipRealm,
      heartbeatMs: config.sipHeartbeat,
      leastExpiresMs: config.sipLeastExpires,
      mostExpiresMs: config.sipMostExpires,
      messagesPerAddress: config.sipRequestsPerAddress,
      mostPending: config.sipPending,
      maxConnections: config.sipConnections,
      connectionsPerAddress: config.sipConnectionsPerAddress,
      messagesPerConnection: config.sipMessagesPerConnection,
      leaseMs: config.liveLease,
      media: mediaOptions(config),
    },
  );
  const gauge = (name: keyof PortService['counts'], help: string) =>
    metrics.gauge(`millpond_sip_${name}`, help, () => service.counts[name]);
  gauge('listening', 'Whether this process has the SIP port, or stands by');
  gauge('registrations', 'Devices that are registered here');
  gauge('registered', 'Registrations, new and refreshed, since this process has the port');
  gauge('refused', 'Requests of devices that were refused');
  gauge('messages', 'Keepalives and other messages of devices');
  gauge('dropped', 'Messages and connections of those that sent too much');
  gauge('unreadable', 'Datagrams and connections that held no SIP message');
  gauge('pending', 'Registrations that are being judged or written');
  gauge('connections', 'TCP connections of devices');
  const mediaGauge = (name: keyof PortService['mediaFigures'], help: string) =>
    metrics.gauge(`millpond_sip_media_${name}`, help, () => service.mediaFigures[name]);
  mediaGauge('sessions', 'Channels whose media are asked for or received');
  mediaGauge('running', 'Channels whose media arrive at the engine');
  mediaGauge('packets', 'RTP packets taken, since this process has the port');
  mediaGauge('lost', 'RTP packets that never came, or too late');
  mediaGauge('foreign', 'Datagrams at media ports that belong to no session');
  mediaGauge('dropped', 'RTP packets dropped because the engine did not keep up');
  return service;
}

function mediaOptions(config: Config): PortServiceOptions['media'] {
  const mediaHost = mediaHostOf(config);
  if (config.sipMediaPorts === undefined || mediaHost === undefined) return undefined;
  return {
    ports: config.sipMediaPorts,
    mediaHost,
    transport: config.sipMediaTransport,
    mostSessions: config.sipMediaSessions,
    silenceMs: config.sipMediaSilence,
    isTranscoding: config.sipMediaTranscode,
  };
}
