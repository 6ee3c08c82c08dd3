/** Builds devices on live, and runs their SIP port where this process has that role. */
import type { Config } from './config/config.ts';
import {
  DevicePasswords,
  DeviceStore,
  Devices,
  deviceRoutes,
  PasswordStore,
  PortOwner,
  PortService,
  PortStore,
  RegistrationStore,
} from './features/devices/index.ts';
import type { LiveEvents, Namespaces, ResourceRoute } from './features/live/index.ts';
import type { Infra } from './infra.ts';
import type { Route } from './platform/web/index.ts';

export interface DeviceServices {
  readonly devicePasswords: DevicePasswords;
  /** Undefined where no SIP port is configured. */
  readonly sipPort: SipPort | undefined;
  readonly routes: readonly Route[];
}

export interface SipPort {
  readonly service: PortService;
  readonly owner: PortOwner;
}

export interface DeviceServiceParts {
  readonly events: LiveEvents;
  readonly namespaces: Namespaces;
  readonly route: ResourceRoute;
}

export function makeDevices(infra: Infra, config: Config, parts: DeviceServiceParts): DeviceServices {
  const { events, namespaces, route } = parts;
  const passwords = new DevicePasswords(new PasswordStore(infra.region), infra.sealer);
  const store = new DeviceStore(infra.region);
  const devices = new Devices({ store, passwords, namespaces, events, serverId: config.sipServerId });
  return {
    devicePasswords: passwords,
    sipPort: makeSipPort(infra, config, passwords, events),
    routes: deviceRoutes(route, devices),
  };
}

function makeSipPort(
  { region, log }: Infra,
  config: Config,
  passwords: DevicePasswords,
  events: LiveEvents,
): SipPort | undefined {
  if (config.sipListen === undefined) return undefined;
  const { address, port } = config.sipListen;
  const name = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
  const ports = new PortStore(region);
  const service = new PortService(
    { store: new RegistrationStore(region), ports, passwords, events, log },
    {
      address,
      port,
      publicHost: config.sipPublicHost ?? name,
      serverId: config.sipServerId,
      realm: config.sipRealm,
      heartbeatMs: config.sipHeartbeat,
      leastExpiresMs: config.sipLeastExpires,
      mostExpiresMs: config.sipMostExpires,
      requestsPerAddress: config.sipRequestsPerAddress,
      mostPending: config.sipPending,
      maxConnections: config.sipConnections,
    },
  );
  const serve: PortService['serve'] = (owned, signal) => service.serve(owned, signal);
  return { service, owner: new PortOwner(ports, log, { name, serve }) };
}

/** Listens, or stands by, until the owner is stopped. */
export function startSipPort({ metrics }: Infra, { service, owner }: SipPort): void {
  const gauge = (name: keyof PortService['counts'], help: string) =>
    metrics.gauge(`millpond_sip_${name}`, help, () => service.counts[name]);
  gauge('registrations', 'Devices that are registered here; 0 where another process owns the port');
  gauge('registered', 'Registrations, new and refreshed, since this process owns the port');
  gauge('refused', 'Requests of devices that were refused');
  gauge('messages', 'Keepalives and other messages of devices');
  gauge('dropped', 'Requests of addresses that sent too many');
  gauge('unreadable', 'Datagrams and connections that held no SIP message');
  gauge('pending', 'Registrations that are being judged or written');
  gauge('connections', 'TCP connections of devices');
  owner.start();
}
