/**
 * Where a region's hosts are, for SDKs that ask: the configured host names. For a role that has none, the host name of the
 * request with the port of a listener that serves the role. Answers come in the shapes that SDKs know.
 */
import { storageClasses } from '@millpond/protocol';
import { storageClassName } from '@millpond/protocol/s3';

export interface RegionHostOptions {
  readonly region: string;
  /** `<bucket>.<suffix>` is a host of downloads too. */
  readonly downloadSuffix?: string | undefined;
  readonly hosts: readonly { readonly role: string; readonly host: string }[];
  readonly listen: readonly {
    readonly tls: boolean;
    readonly port: number;
    readonly roles: ReadonlySet<string>;
  }[];
}

/** How the client reached us. */
export interface RequestOrigin {
  readonly host: string;
  readonly secure: boolean;
  /** At a host of S3 or of the console, where no other role answers. */
  readonly isApart?: true;
}

/** How long an SDK caches the answer: long enough to cost nothing, short enough to move a host within the hour. */
const TTL_SECONDS = 3600;

/** Which storage classes there are, in the words of clients that ask before they change one. */
const FILE_TYPES = storageClasses.map(({ number, word }) => ({
  file_type: number,
  storage_class: word,
  s3_storage_class: storageClassName(number),
}));

const ANSWERED_ROLES = ['up', 'io', 'rs', 'rsf', 'uc', 'api'];

export class RegionHosts {
  readonly #options: RegionHostOptions;

  constructor(options: RegionHostOptions) {
    this.#options = options;
  }

  /** `/v4/query`. */
  queryV4(origin: RequestOrigin, bucket?: string): object {
    const record = this.#record(origin, (hosts) => ({ domains: hosts }), bucket);
    return { hosts: [{ region: this.#options.region, ...record }] };
  }

  /** `/v3/query`: older SDKs look for the same under other names. */
  queryV3(origin: RequestOrigin, bucket?: string): object {
    const both = (hosts: readonly string[]) => ({
      domains: hosts,
      src: { main: hosts },
      acc: { main: hosts },
    });
    return { hosts: [{ region: this.#options.region, ...this.#record(origin, both, bucket) }] };
  }

  /** One of `/regions`. */
  listed(origin: RequestOrigin): object {
    const { region } = this.#options;
    return { id: region, description: region, ...this.#record(origin, (hosts) => ({ domains: hosts })) };
  }

  #record(origin: RequestOrigin, form: (hosts: readonly string[]) => object, bucket?: string): object {
    const of = (role: string) => form(this.of(role, origin));
    const up = this.of('up', origin);
    return {
      ttl: TTL_SECONDS,
      up: { ...form(up), acc_domains: up, old: up },
      io: of('io'),
      io_src: form(this.#sources(origin, bucket)),
      rs: of('rs'),
      rsf: of('rsf'),
      uc: of('uc'),
      api: of('api'),
      // SDKs read this without checking whether it is there.
      s3: { domains: this.of('s3', origin), region_alias: this.#options.region },
      extra: { file_types: FILE_TYPES },
    };
  }

  /** `/v2/query`. */
  queryV2(origin: RequestOrigin, bucket?: string): object {
    const main = (role: string) => ({ main: this.of(role, origin) });
    return {
      region: this.#options.region,
      ttl: TTL_SECONDS,
      io: { src: main('io') },
      io_src: { src: { main: this.#sources(origin, bucket) } },
      up: { acc: main('up'), src: main('up'), old_acc: main('up'), old_src: main('up') },
      uc: { acc: main('uc') },
      rs: { acc: main('rs') },
      rsf: { acc: main('rsf') },
      api: { acc: main('api') },
    };
  }

  /** `/v1/query`: complete URLs, and for each scheme those of uploads and downloads only. */
  queryV1(origin: RequestOrigin): object {
    const at = (scheme: string) => {
      const urls = (role: string) => this.of(role, origin).map((host) => `${scheme}://${host}`);
      return { io: urls('io'), up: [...urls('up'), ...urls('up')] };
    };
    return { ttl: TTL_SECONDS, global: false, http: at('http'), https: at('https') };
  }

  /** Hosts at which a path is a key of the bucket; without any, SDKs get those of all downloads, and no download by it. */
  #sources(origin: RequestOrigin, bucket: string | undefined): readonly string[] {
    const { downloadSuffix } = this.#options;
    const io = this.of('io', origin);
    if (downloadSuffix === undefined || bucket === undefined) return io;
    const port = /:\d+$/.exec(io[0] ?? '')?.[0] ?? '';
    return [`${bucket}.${downloadSuffix}${port}`];
  }

  /** Whether everybody gets the same answer. Otherwise it repeats the request's Host, and caches must not share it. */
  get isCacheable(): boolean {
    return ANSWERED_ROLES.every((role) => this.#options.hosts.some((host) => host.role === role));
  }

  /** Where a role can be reached, as `host` or `host:port`. */
  of(role: string, origin: RequestOrigin): string[] {
    const { hosts, listen } = this.#options;
    const named = hosts.filter((host) => host.role === role).map(({ host }) => host);
    if (named.length > 0) return [...new Set(named)];
    // Without a host name, s3 and console need a listener with no other role.
    const isOwn = APART.has(role);
    const others = listen.filter((listener) => !isApart(listener));
    const possible = isOwn ? listen.filter(isApart) : others;
    const carrying = possible.filter((listener) => listener.roles.has(role));
    const listener = carrying.find(({ tls }) => tls === origin.secure) ?? carrying[0];
    if (listener === undefined) return [];
    return [atPort(origin.host, listener.port, isOwn || origin.isApart === true || others.length > 1)];
  }
}

/** Roles that share a host with no other. */
const APART: ReadonlySet<string> = new Set(['s3', 'console']);

function isApart({ roles }: { readonly roles: ReadonlySet<string> }): boolean {
  const [role = ''] = roles;
  return roles.size === 1 && APART.has(role);
}

/** A single listener serves everything under the name that the client used, whatever proxy is in front of it. */
function atPort(host: string, port: number, severalListeners: boolean): string {
  return severalListeners && port !== 0 ? `${host.replace(/:\d*$/, '')}:${port}` : host;
}
