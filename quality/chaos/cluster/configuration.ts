/** The files that Patroni and haproxy read. docs/high-availability.md explains the settings. */

export interface Address {
  readonly host: string;
  readonly postgres: number;
  /** Patroni's own interface. */
  readonly rest: number;
  readonly etcd: number;
  readonly etcdPeers: number;
}

/** One for all: nothing outside this machine gets there. */
export const PASSWORDS = { postgres: 'super', replicator: 'replica', rewinder: 'rewind', millpond: 'secret' };

/** JSON, which is YAML too. */
export function patroniConfiguration(
  name: string,
  own: Address,
  all: readonly Address[],
  { folder, programs }: { readonly folder: string; readonly programs: string },
): string {
  const place = (port: number) => `${own.host}:${port}`;
  const login = (username: keyof typeof PASSWORDS) => ({ username, password: PASSWORDS[username] });
  return JSON.stringify({
    scope: 'millpond',
    name,
    restapi: { listen: place(own.rest), connect_address: place(own.rest) },
    etcd3: { hosts: all.map(({ host, etcd }) => `${host}:${etcd}`) },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 5,
        retry_timeout: 5,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: true,
        failsafe_mode: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            max_connections: 200,
            synchronous_commit: 'on',
            wal_sender_timeout: '5s',
            wal_receiver_timeout: '5s',
            max_wal_size: '4GB',
          },
        },
      },
      initdb: [
        'data-checksums',
        { encoding: 'UTF8' },
        { locale: 'C.UTF-8' },
        { 'auth-host': 'scram-sha-256' },
      ],
    },
    postgresql: {
      listen: place(own.postgres),
      connect_address: place(own.postgres),
      data_dir: `${folder}/data`,
      bin_dir: programs,
      pgpass: `${folder}/pgpass`,
      authentication: {
        superuser: login('postgres'),
        replication: login('replicator'),
        rewind: login('rewinder'),
      },
      parameters: { unix_socket_directories: folder, shared_buffers: '128MB' },
      pg_hba: [
        'local all all scram-sha-256',
        'host all all all scram-sha-256',
        'host replication replicator all scram-sha-256',
      ],
    },
  });
}

export function etcdArguments(name: string, own: Address, all: ReadonlyMap<string, Address>, folder: string) {
  const url = (port: number) => `http://${own.host}:${port}`;
  const cluster = [...all].map(([each, { host, etcdPeers }]) => `${each}=http://${host}:${etcdPeers}`);
  return [
    '--name',
    name,
    '--data-dir',
    `${folder}/etcd`,
    '--logger',
    'zap',
    '--log-level',
    'warn',
    '--listen-client-urls',
    url(own.etcd),
    '--advertise-client-urls',
    url(own.etcd),
    '--listen-peer-urls',
    url(own.etcdPeers),
    '--initial-advertise-peer-urls',
    url(own.etcdPeers),
    '--initial-cluster',
    cluster.join(','),
    '--initial-cluster-state',
    'new',
  ];
}

export function haproxyConfiguration(port: number, all: ReadonlyMap<string, Address>): string {
  const servers = [...all].map(
    ([name, { host, postgres, rest }]) => `  server ${name} ${host}:${postgres} check port ${rest}`,
  );
  return `global
  maxconn 2000
defaults
  mode tcp
  timeout connect 2s
  timeout check 2s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}
