/**
 * What a database URL says of where to connect: one host or several (`postgres://user:password@a:5432,b:5432/name`), whether
 * a standby will do (`target_session_attrs`), and how TLS is used. The driver knows one host, ignores `target_session_attrs`
 * and warns of every `sslmode` but `verify-full`; here the URL becomes one that it understands for each host.
 */

export interface Host {
  readonly url: string;
  /** `host:port`, for people. */
  readonly name: string;
  /** Only `target_session_attrs=any` wants a standby too, to look at it. */
  readonly mayBeStandby: boolean;
}

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?]*)([^?]*)(?:\?(.*))?$/s;

/** In the order of the URL. */
export function hostsOf(url: string): readonly Host[] {
  const [, before = '', list = '', path = '', query = ''] = PARTS.exec(url) ?? [];
  if (before === '') return [{ url, name: 'the database', mayBeStandby: false }];
  const options = new URLSearchParams(query);
  const mayBeStandby = options.get('target_session_attrs') === 'any';
  options.delete('target_session_attrs');
  // libpq checks less in these: not the name, or nothing at all. The driver checks both, and so it is not asked for less.
  if (/^(prefer|require|verify-ca)$/.test(options.get('sslmode') ?? ''))
    options.set('sslmode', 'verify-full');
  // The authorities that Node knows, which the driver uses where no file is named.
  if (options.get('sslrootcert') === 'system') options.delete('sslrootcert');
  const after = options.size === 0 ? path : `${path}?${options.toString()}`;
  return list.split(',').map((host) => ({
    url: `${before}${host}${after}`,
    name: host === '' ? (options.get('host') ?? 'localhost') : host,
    mayBeStandby,
  }));
}
