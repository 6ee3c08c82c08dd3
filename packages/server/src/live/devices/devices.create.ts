/** Builds devices on top of live: the calls on them, and the SIP port at which they register. */
import type { Log, Rate } from '@millpond/base';
import type { MediaEngine } from '@millpond/jail';
import { type AccountStates, type Authenticate, requireAdminister } from '../../identity/accounts/index.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Feature } from '../../platform/feature.ts';
import { LeaseStore } from '../../platform/leases/leases.store.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import { resourceRoutes } from '../../platform/web/resources/index.ts';
import type { LiveFeature } from '../streams/index.ts';
import { DeviceStore } from './device.store.ts';
import { deviceMetrics } from './devices.metrics.ts';
import { DevicePasswords } from './devices.passwords.ts';
import { deviceRoutes } from './devices.routes.ts';
import { Devices } from './devices.ts';
import { MediaStore } from './media/device-media.store.ts';
import { DeviceMedia } from './media/device-media.ts';
import { PasswordStore } from './password.store.ts';
import { RegistrationStore } from './registration.store.ts';
import { SipService, type SipServiceOptions } from './sip.service.ts';

export interface DeviceDeps extends Pick<LiveFeature, 'events' | 'feeds' | 'namespaces'> {
  readonly region: Database;
  readonly sealer: Sealer;
  readonly log: Log;
  readonly media: () => Promise<MediaEngine>;
  readonly accounts: AccountStates;
  readonly authenticate: Authenticate;
  /** The address to which devices send media; undefined if they are asked for none. */
  readonly mediaHost: string | undefined;
}

type MediaOptions = NonNullable<SipServiceOptions['media']>;

/** The settings, by name. */
export interface DeviceSettings {
  readonly sipListen: { readonly address: string; readonly port: number } | undefined;
  readonly sipPublicHost: string | undefined;
  readonly sipServerId: string;
  readonly sipRealm: string;
  readonly sipHeartbeat: number;
  readonly sipLeastExpires: number;
  readonly sipMostExpires: number;
  readonly sipRequestsPerAddress: Rate;
  readonly sipPending: number;
  readonly sipConnections: number;
  readonly sipConnectionsPerAddress: number;
  readonly sipMessagesPerConnection: Rate;
  readonly sipMediaPorts: MediaOptions['ports'] | undefined;
  readonly sipMediaTransport: MediaOptions['transport'];
  readonly sipMediaSessions: number;
  readonly sipMediaSilence: number;
  readonly sipMediaTranscode: boolean;
  readonly liveLease: number;
}

export interface DevicesFeature extends Feature {
  readonly passwords: DevicePasswords;
  /** Undefined if none is configured. */
  readonly sipPort: SipService | undefined;
}

export function createDevices(deps: DeviceDeps, settings: DeviceSettings): DevicesFeature {
  const { region, sealer, log, media, accounts, events, feeds, namespaces } = deps;
  const passwords = new DevicePasswords(new PasswordStore(region), sealer);
  const mediaStore = new MediaStore(region);
  const devices = new Devices({
    store: new DeviceStore(region),
    media: mediaStore,
    passwords,
    namespaces,
    events,
    feeds,
    serverId: settings.sipServerId,
  });
  const isOn = settings.sipMediaPorts !== undefined;
  const deviceMedia = new DeviceMedia({ devices, store: mediaStore, feeds, isOn });
  const stores = { store: new RegistrationStore(region), leases: new LeaseStore(region), mediaStore };
  const options = portOptions(settings, deps.mediaHost);
  const sipPort =
    options && new SipService({ ...stores, passwords, events, feeds, accounts, media, log }, options);
  return {
    passwords,
    sipPort,
    routes: deviceRoutes(
      resourceRoutes({ role: 'live', authenticate: requireAdminister(deps.authenticate), plainHttp: true }),
      devices,
      deviceMedia,
    ),
    jobs: [],
    metrics: sipPort === undefined ? [] : deviceMetrics(sipPort),
  };
}

function portOptions(settings: DeviceSettings, mediaHost: string | undefined): SipServiceOptions | undefined {
  if (settings.sipListen === undefined) return undefined;
  const { address, port } = settings.sipListen;
  const host = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
  return {
    address,
    port,
    publicHost: settings.sipPublicHost ?? host,
    serverId: settings.sipServerId,
    realm: settings.sipRealm,
    heartbeatMs: settings.sipHeartbeat,
    minExpiresMs: settings.sipLeastExpires,
    maxExpiresMs: settings.sipMostExpires,
    messagesPerAddress: settings.sipRequestsPerAddress,
    maxPending: settings.sipPending,
    maxConnections: settings.sipConnections,
    connectionsPerAddress: settings.sipConnectionsPerAddress,
    messagesPerConnection: settings.sipMessagesPerConnection,
    leaseMs: settings.liveLease,
    media: mediaOptions(settings, mediaHost),
  };
}

function mediaOptions(settings: DeviceSettings, mediaHost: string | undefined): SipServiceOptions['media'] {
  if (settings.sipMediaPorts === undefined || mediaHost === undefined) return undefined;
  return {
    ports: settings.sipMediaPorts,
    mediaHost,
    transport: settings.sipMediaTransport,
    maxSessions: settings.sipMediaSessions,
    silenceMs: settings.sipMediaSilence,
    isTranscoding: settings.sipMediaTranscode,
  };
}
