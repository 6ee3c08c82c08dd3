// Settings from the environment. Only what was set explicitly is returned, because an existing engine keeps the
// settings it was made with: a contradiction is reported, never silently ignored.

import { UsageError } from './fault.ts';

type EngineName = 'pg' | 'ceph' | 'rtmp';

export type PostgresSettings = { port: number };
// The hooks go to the server's own port.
export type RtmpSettings = { port: number; httpPort: number; serverPort: number };
export type CephSettings = { monPort: number; s3Port: number; osdGiB: number };

export type Settings = {
  only: ReadonlySet<EngineName>;
  // PostgreSQL alone, from npm's packages: needs no root and no Debian.
  small: boolean;
  pg: Partial<PostgresSettings>;
  ceph: Partial<CephSettings>;
  rtmp: Partial<RtmpSettings>;
};

// All below 32768: above it the system assigns ports to outgoing connections, and one of these might be taken.
export const postgresDefaults: PostgresSettings = { port: 15432 };
export const cephDefaults: CephSettings = { monPort: 13300, s3Port: 18480, osdGiB: 8 };

export const rtmpDefaults: RtmpSettings = { port: 11935, httpPort: 18800, serverPort: 8100 };

// The manager and the OSDs take their ports from the range after the monitor's.
export const cephPortSpan = 90;

const variables = {
  port: 'MILLPOND_ENGINES_PG_PORT',
  monPort: 'MILLPOND_ENGINES_CEPH_MON_PORT',
  s3Port: 'MILLPOND_ENGINES_S3_PORT',
  osdGiB: 'MILLPOND_ENGINES_OSD_SIZE',
} as const;
export const rtmpVariables = {
  port: 'MILLPOND_ENGINES_RTMP_PORT',
  httpPort: 'MILLPOND_ENGINES_RTMP_HTTP_PORT',
  serverPort: 'MILLPOND_ENGINES_SERVER_PORT',
} as const;

export function parseSettings(environment: Record<string, string | undefined>, small = false): Settings {
  const faults: string[] = [];

  function read<T>(
    variable: string,
    parse: (text: string) => T | undefined,
    expected: string,
  ): T | undefined {
    const text = environment[variable];
    if (text === undefined || text === '') return undefined;
    const value = parse(text);
    if (value === undefined) faults.push(`${variable}=${text}: ${expected}`);
    return value;
  }

  const port = read(variables.port, (text) => parsePort(text, 0), 'a port from 1024 to 65535');
  const monPort = read(
    variables.monPort,
    (text) => parsePort(text, cephPortSpan),
    `a port from 1024 to ${65535 - cephPortSpan} (the ${cephPortSpan} ports after it are used too)`,
  );
  const s3Port = read(variables.s3Port, (text) => parsePort(text, 0), 'a port from 1024 to 65535');
  const osdGiB = read(variables.osdGiB, parseGiB, 'a size from 2G to 1024G');
  const rtmpPorts = Object.entries(rtmpVariables).flatMap(([name, variable]) => {
    const value = read(variable, (text) => parsePort(text, 0), 'a port from 1024 to 65535');
    return value === undefined ? [] : [[name, value] as const];
  });
  const only = read('MILLPOND_ENGINES_ONLY', parseOnly, 'a list of pg, ceph and rtmp');
  if (small && only !== undefined)
    faults.push('MILLPOND_ENGINES_ONLY: small engines are PostgreSQL alone; unset it');

  if (faults.length > 0) throw new UsageError(faults.join('\n'));
  return {
    only: only ?? new Set(small ? ['pg'] : ['pg', 'ceph', 'rtmp']),
    small,
    pg: { ...(port !== undefined && { port }) },
    ceph: {
      ...(monPort !== undefined && { monPort }),
      ...(s3Port !== undefined && { s3Port }),
      ...(osdGiB !== undefined && { osdGiB }),
    },
    rtmp: Object.fromEntries(rtmpPorts),
  };
}

// The settings an engine runs with: what it was made with if it exists, else what was asked for, else the default.
export function chooseSettings<T extends Record<string, number>>(
  asked: Partial<T>,
  made: T | undefined,
  defaults: T,
  names: Readonly<Record<string, string>> = variables,
): T {
  if (made === undefined) return { ...defaults, ...asked };
  const faults = Object.entries(asked)
    .filter(([name, value]) => value !== made[name])
    .map(([name]) => {
      const variable = names[name] ?? name;
      const kept = name === 'osdGiB' ? `${made[name]}G` : made[name];
      return `${variable}: the engine was created with ${kept} and keeps it; unset the variable, or destroy the engine first`;
    });
  if (faults.length > 0) throw new UsageError(faults.join('\n'));
  return made;
}

export function checkPorts(
  pg: PostgresSettings,
  ceph: CephSettings,
  rtmp: RtmpSettings = rtmpDefaults,
): void {
  const inCephRange = (port: number) => port >= ceph.monPort && port <= ceph.monPort + cephPortSpan;
  const faults: string[] = [];
  if (inCephRange(pg.port)) faults.push(`PostgreSQL's port ${pg.port} is within Ceph's own range`);
  if (inCephRange(ceph.s3Port)) faults.push(`the S3 port ${ceph.s3Port} is within Ceph's own range`);
  if (pg.port === ceph.s3Port) faults.push(`PostgreSQL and S3 can't share port ${pg.port}`);
  for (const port of [rtmp.port, rtmp.httpPort]) {
    if (inCephRange(port)) faults.push(`the RTMP engine's port ${port} is within Ceph's own range`);
    if (port === pg.port || port === ceph.s3Port) faults.push(`the RTMP engine can't share port ${port}`);
  }
  if (rtmp.port === rtmp.httpPort) faults.push(`RTMP and its HTTP can't share port ${rtmp.port}`);
  if (faults.length > 0) throw new UsageError(faults.join('\n'));
}

function parsePort(text: string, span: number): number | undefined {
  if (!/^\d{4,5}$/.test(text)) return undefined;
  const port = Number(text);
  return port >= 1024 && port + span <= 65535 ? port : undefined;
}

function parseGiB(text: string): number | undefined {
  const digits = /^(\d{1,4})G$/.exec(text)?.[1];
  const size = digits === undefined ? 0 : Number(digits);
  return size >= 2 && size <= 1024 ? size : undefined;
}

function parseOnly(text: string): Set<EngineName> | undefined {
  const names = text.split(',');
  const known = names.filter(
    (name): name is EngineName => name === 'pg' || name === 'ceph' || name === 'rtmp',
  );
  return known.length === names.length ? new Set(known) : undefined;
}
