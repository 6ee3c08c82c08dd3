/**
 * Connections that know their host. One to a standby is ended as soon as it says what it is, unless the URL wants `any`:
 * its reads would be old, and every write would fail. PostgreSQL says it with every login (`in_hot_standby`, since 14).
 */
import pg from 'pg';
import { type Host, hostsOf } from './db.hosts.ts';
import { HOST_TIMEOUT_MS, type HostConnection, noPrimary, Primary } from './primary.ts';
import { StandbyError } from './sqlstate.ts';

type Connected = (error?: Error) => void;

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** What the driver has and its types leave out. */
interface Insides {
  readonly connection: NodeJS.EventEmitter & { readonly stream: { destroy(error?: Error): void } };
}

class HostClient extends pg.Client {
  readonly #host: Host;
  /** By the name of the setting that says so. */
  readonly #readOnly = new Map<string, boolean>();

  constructor(host: Host, config: pg.ClientConfig) {
    super({ ...config, connectionString: host.url });
    this.#host = host;
    insidesOf(this).connection.on('parameterStatus', (status: ParameterStatus) => {
      this.#readOnly.set(status.parameterName, status.parameterValue === 'on');
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    if (callback === undefined)
      return new Promise((resolve, reject) =>
        this.connect((error) => (error ? reject(error) : resolve(this))),
      );
    super.connect((error?: Error | null) => {
      const fault = error ?? this.#refusal();
      if (fault !== undefined && !error) {
        this.on('error', () => undefined);
        void this.end();
      }
      callback(fault);
    });
    return undefined;
  }

  #refusal(): Error | undefined {
    const { name, mayBeStandby } = this.#host;
    if (mayBeStandby) return undefined;
    if (this.#readOnly.get('in_hot_standby')) return new StandbyError(`${name} is a standby`);
    if (this.#readOnly.get('default_transaction_read_only'))
      return new StandbyError(`${name} takes no writes: default_transaction_read_only is on`);
    return undefined;
  }
}

/** What a pool makes its connections with: each goes to the host that is known to be the primary. */
export function primaryClientClass(primary: Primary): typeof pg.Client {
  const limits = primary.hasSeveralHosts ? { connectionTimeoutMillis: HOST_TIMEOUT_MS } : {};
  return class extends HostClient implements HostConnection {
    readonly at: number;

    constructor(config: pg.ClientConfig) {
      const at = primary.at ?? 0;
      super(primary.hosts[at] as Host, { ...config, ...limits });
      this.at = at;
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<pg.Client> | undefined {
      if (callback === undefined) return super.connect();
      primary.add(this);
      this.once('end', () => primary.remove(this));
      super.connect((error) => {
        if (error !== undefined) {
          primary.remove(this);
          primary.lost(this.at, error);
        }
        callback(error);
      });
      return undefined;
    }

    drop(): void {
      insidesOf(this).connection.stream.destroy(new Error('another host has become the primary'));
    }
  } as unknown as typeof pg.Client;
}

export function openPrimary(url: string): Primary {
  return new Primary(hostsOf(url), async (host) => {
    const client = await openTo(host, {
      connectionTimeoutMillis: HOST_TIMEOUT_MS,
      application_name: 'millpond primary',
    });
    // A host that hangs just now would not even say goodbye.
    client.end().catch(() => undefined);
  });
}

/** One connection to the primary, for commands: each host is asked once. */
export async function openClient(url: string, config: pg.ClientConfig): Promise<pg.Client> {
  const hosts = hostsOf(url);
  const limits = hosts.length > 1 ? { connectionTimeoutMillis: HOST_TIMEOUT_MS } : {};
  const reasons: unknown[] = [];
  for (const host of hosts)
    try {
      return await openTo(host, { ...config, ...limits });
    } catch (error) {
      reasons.push(error);
    }
  throw reasons.length === 1 ? reasons[0] : noPrimary(hosts, reasons);
}

async function openTo(host: Host, config: pg.ClientConfig): Promise<pg.Client> {
  const client = new HostClient(host, config);
  // A connection that breaks while nothing runs on it would end the process; its next statement still fails.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

function insidesOf(client: pg.Client): Insides {
  return client as unknown as Insides;
}
