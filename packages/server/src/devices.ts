/** Builds devices on live: calls on them, and the SIP port at which they register. */
import type { Config } from './config/config.ts';
import type { AccountStates, Authenticate } from './features/accounts/index.ts';
import {
  DevicePasswords,
  DeviceStore,
  Devices,
  deviceRoutes,
  PasswordStore,
  PortService,
  type PortServiceParts,
  RegistrationStore,
} from './features/devices/index.ts';
import { LeaseStore, type Live, resourceRoutes } from './features/live/index.ts';
import type { Infra } from './infra.ts';
import type { Route } from './platform/web/index.ts';

export interface DeviceServices {
  readonly passwords: DevicePasswords;
  /** Undefined where none is configured. */
  readonly sipPort: PortService | undefined;
  readonly routes: readonly Route[];
}

export function makeDevices(
  infra: Infra,
  config: Config,
  { events, namespaces }: Live,
  { authenticate, accounts }: { authenticate: Authenticate; accounts: AccountStates },
): DeviceServices {
  const passwords = new DevicePasswords(new PasswordStore(infra.region), infra.sealer);
  const store = new DeviceStore(infra.region);
  const devices = new Devices({ store, passwords, namespaces, events, serverId: config.sipServerId });
  return {
    passwords,
    sipPort: makeSipPort(infra, config, { passwords, events, accounts }),
    routes: deviceRoutes(resourceRoutes(authenticate), devices),
  };
}

function makeSipPort(
  { region, log, metrics }: Infra,
  config: Config,
  parts: Pick<PortServiceParts, 'passwords' | 'events' | 'accounts'>,
): PortService | undefined {
  if (config.sipListen === undefined) return undefined;
  const { address, port } = config.sipListen;
  const host = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
  const service = new PortService(
    { ...parts, store: new RegistrationStore(region), leases: new LeaseStore(region), log },
    {
      address,
      port,
      publicHost: config.sipPublicHost ?? host,
      serverId: config.sipServerId,
      realm: config.sipRealm,
      heartbeatMs: config.sipHeartbeat,
      leastExpiresMs: config.sipLeastExpires,
      mostExpiresMs: config.sipMostExpires,
      requestsPerAddress: config.sipRequestsPerAddress,
      mostPending: config.sipPending,
      maxConnections: config.sipConnections,
      leaseMs: config.liveLease,
    },
  );
  const gauge = (name: keyof PortService['counts'], help: string) =>
    metrics.gauge(`millpond_sip_${name}`, help, () => service.counts[name]);
  gauge('listening', 'Whether this process has the SIP port, or stands by');
  gauge('registrations', 'Devices that are registered here');
  gauge('registered', 'Registrations, new and refreshed, since this process has the port');
  gauge('refused', 'Requests of devices that were refused');
  gauge('messages', 'Keepalives and other messages of devices');
  gauge('dropped', 'Requests of addresses that sent too many');
  gauge('unreadable', 'Datagrams and connections that held no SIP message');
  gauge('pending', 'Registrations that are being judged or written');
  gauge('connections', 'TCP connections of devices');
  return service;
}
