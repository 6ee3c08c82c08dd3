/** Where the server listens and under which names it answers. */
import { listener, roleHost } from '../listeners.ts';
import { optional, withDefault } from '../setting-kinds.ts';
import { byteRate, choice, duration, flag, integer, list, network, sizeFrom, text } from '../values.ts';

export const listening = {
  dialect: withDefault(
    'MILLPOND_DIALECT',
    choice('svc', 'qiniu'),
    'svc',
    'Wire dialect: `svc` is the published interface, `qiniu` lets Qiniu’s SDKs work unmodified.',
  ),
  listen: withDefault(
    'MILLPOND_LISTEN',
    list(listener),
    'http://127.0.0.1:8100',
    'Where the server listens, and for which roles.',
  ),
  adminListen: withDefault(
    'MILLPOND_ADMIN_LISTEN',
    listener,
    'http://127.0.0.1:8190',
    'Health (`/healthz`), readiness (`/readyz`) and metrics (`/metrics`); keep it private.',
  ),
  tlsCert: optional('MILLPOND_TLS_CERT', text, 'File of the certificate chain (PEM) for https listeners.'),
  tlsKey: optional('MILLPOND_TLS_KEY', text, 'File of the certificate’s private key (PEM).'),
  plainHttp: withDefault(
    'MILLPOND_PLAIN_HTTP',
    flag,
    'false',
    'Development only: allow account calls, token calls and access tokens without TLS.',
  ),
  explainSignatures: withDefault(
    'MILLPOND_EXPLAIN_SIGNATURES',
    flag,
    'false',
    'Development only, with listeners on loopback: when a signature is refused, the answer says what should have been signed.',
  ),
  signatureV2: withDefault(
    'MILLPOND_SIGNATURE_V2',
    flag,
    'false',
    'Accept presigned URLs and forms with S3 signatures of version 2, which s3cmd and older settings of boto3 make. They rely on SHA-1.',
  ),
  trustedProxies: withDefault(
    'MILLPOND_TRUSTED_PROXIES',
    list(network),
    '',
    'Addresses or CIDR ranges of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted.',
  ),
  hosts: withDefault(
    'MILLPOND_HOSTS',
    list(roleHost),
    '',
    'Public host names of the roles. A request for such a host reaches that role only.',
  ),
  downloadSuffix: optional(
    'MILLPOND_DOWNLOAD_SUFFIX',
    text,
    'Downloads also answer at `<bucket>.<suffix>`; needs a wildcard DNS record.',
  ),
  requestTimeout: withDefault(
    'MILLPOND_REQUEST_TIMEOUT',
    duration,
    '1h',
    'Longest time a request’s body may take to arrive.',
  ),
  bodyTimeout: withDefault(
    'MILLPOND_BODY_TIMEOUT',
    duration,
    '30s',
    'The same for a request that is not authenticated yet: an upload until its token is accepted, any other call, whose body is held in memory, until its end. A TLS handshake may take as long.',
  ),
  leastUploadRate: withDefault(
    'MILLPOND_LEAST_UPLOAD_RATE',
    byteRate,
    '30KiB/1m',
    'Minimum rate of an upload whose token is accepted: this much must arrive in each such time, or the upload is ended with 408. Time in which the server itself does not read more does not count.',
  ),
  bodyMemory: withDefault(
    'MILLPOND_BODY_MEMORY',
    sizeFrom('16MiB'),
    '128MiB',
    'Memory for request bodies, beyond the first 16 KiB of each; when it is used up, calls with larger bodies are answered with 573. No address (for IPv6, no /64) and no account gets more of it than it leaves for others: alone, it gets half.',
  ),
  openBodyMemory: withDefault(
    'MILLPOND_OPEN_BODY_MEMORY',
    sizeFrom('1MiB'),
    '16MiB',
    'The same for calls that need no account, whose bodies have at most 64 KiB.',
  ),
  idleTimeout: withDefault(
    'MILLPOND_IDLE_TIMEOUT',
    duration,
    '60s',
    'A connection that is silent for this long is closed.',
  ),
  maxConnections: withDefault(
    'MILLPOND_MAX_CONNECTIONS',
    integer(16, 100_000),
    '4096',
    'Connections per listener; further ones are closed at once.',
  ),
  connectionsPerAddress: withDefault(
    'MILLPOND_CONNECTIONS_PER_ADDRESS',
    integer(1, 100_000),
    '1024',
    'Of these, connections from one address (for IPv6, one /64). Trusted proxies may have any number: the requests that they forward count for the addresses that they name.',
  ),
  drainDelay: withDefault(
    'MILLPOND_DRAIN_DELAY',
    duration,
    '0ms',
    'On SIGTERM: how long to keep answering requests while `/readyz` fails, so that a load balancer can stop sending them.',
  ),
  drainTimeout: withDefault(
    'MILLPOND_DRAIN_TIMEOUT',
    duration,
    '60s',
    'On SIGTERM: how long accepted requests may still take, and idle connections that clients may still use are kept. Less than `MILLPOND_IDLE_TIMEOUT` may lose requests.',
  ),
} as const;
