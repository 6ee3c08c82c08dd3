/**
 * Every setting of the server, once: its name in the environment, how it is written, its default and what it does.
 * The reference page of the documentation is generated from this table.
 */
import { listener, liveEngine, roleHost, sipListener } from './listeners.ts';
import {
  choice,
  duration,
  durationBetween,
  flag,
  integer,
  list,
  network,
  type Reader,
  rate,
  size,
  text,
  url,
  word,
} from './values.ts';

export interface Setting<T> {
  readonly env: string;
  readonly reader: Reader<T>;
  /** As it would be written in the environment; absent: the setting is required unless `optional`. */
  readonly fallback?: string;
  readonly optional?: true;
  /** Never printed, not even in a fault. May be given as `<env>_FILE`, a file that holds the value. */
  readonly secret?: true;
  readonly meaning: string;
}

function required<T>(env: string, reader: Reader<T>, meaning: string): Setting<T> {
  return { env, reader, meaning };
}
function optional<T>(env: string, reader: Reader<T>, meaning: string): Setting<T | undefined> {
  return { env, reader, meaning, optional: true };
}
function withDefault<T>(env: string, reader: Reader<T>, fallback: string, meaning: string): Setting<T> {
  return { env, reader, fallback, meaning };
}
function secret<T>(setting: Setting<T>): Setting<T> {
  return { ...setting, secret: true };
}

const databaseUrl = url('postgres:', 'postgresql:');

export const settings = {
  controlDb: secret(
    required(
      'MILLPOND_CONTROL_DB',
      databaseUrl,
      'Database of accounts, keys and buckets (schema `control`).',
    ),
  ),
  regionDb: secret(
    required(
      'MILLPOND_REGION_DB',
      databaseUrl,
      'Database of objects, trash and background work (schema `region`).',
    ),
  ),
  dbConnections: withDefault(
    'MILLPOND_DB_CONNECTIONS',
    integer(2, 500),
    '16',
    'Connections per database and process.',
  ),
  dbTimeout: withDefault(
    'MILLPOND_DB_TIMEOUT',
    duration,
    '15s',
    'Longest a statement of a request may run, and longest a request waits for a connection.',
  ),
  controlCache: withDefault(
    'MILLPOND_CONTROL_CACHE',
    duration,
    '5s',
    'How long a gateway trusts what it read of keys, accounts and buckets.',
  ),
  controlStale: withDefault(
    'MILLPOND_CONTROL_STALE',
    duration,
    '10m',
    'How long a gateway goes on with what it last read while the control database is away.',
  ),
  masterKeys: secret(
    required(
      'MILLPOND_MASTER_KEY',
      list(word(/^[A-Za-z0-9._-]{1,64}:[A-Za-z0-9+/_-]{43}=?$/, 'written `id:base64` of exactly 32 bytes')),
      'Master keys `id:base64` (32 bytes each) that seal the access keys’ secrets; the first one seals, all of them open. Losing them loses every access key.',
    ),
  ),
  region: withDefault(
    'MILLPOND_REGION',
    word(/^[a-z0-9-]{1,16}$/, '1 to 16 of a-z, 0-9 and `-`'),
    'z0',
    'Id of this region; buckets belong to one for life.',
  ),
  dialect: withDefault(
    'MILLPOND_DIALECT',
    choice('svc', 'qiniu'),
    'svc',
    'Words on the wire: `svc` is the published interface, `qiniu` lets that family’s SDKs work unmodified.',
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
    'Development only: account and token calls, and access tokens, also without TLS.',
  ),
  accessTokenLife: withDefault(
    'MILLPOND_ACCESS_TOKEN_LIFE',
    duration,
    '1h',
    'How long an access token is good.',
  ),
  refreshTokens: withDefault(
    'MILLPOND_REFRESH_TOKENS',
    choice('sliding', 'rotate'),
    'sliding',
    'What a refresh gives: the same refresh token, valid for 30 days anew, or a new one each time.',
  ),
  grants: withDefault(
    'MILLPOND_GRANTS',
    list(choice('password', 'refresh_token')),
    'password,refresh_token',
    'Grants that the token call accepts.',
  ),
  oauthClients: secret(
    withDefault(
      'MILLPOND_OAUTH_CLIENTS',
      list(text),
      '',
      'Applications `id:secret` that may send a client_id with the token call.',
    ),
  ),
  tokenCallsPerAddress: withDefault(
    'MILLPOND_TOKEN_CALLS_PER_ADDRESS',
    rate,
    '600+600/m',
    'Token calls that one address may make, at each gateway.',
  ),
  passwordTriesPerEmail: withDefault(
    'MILLPOND_PASSWORD_TRIES_PER_EMAIL',
    rate,
    '10+6/m',
    'Log-ins with one e-mail, right or wrong, at each gateway.',
  ),
  refreshesPerToken: withDefault(
    'MILLPOND_REFRESHES_PER_TOKEN',
    rate,
    '300+60/m',
    'Refreshes with one refresh token, at each gateway.',
  ),
  accountCallsPerAccount: withDefault(
    'MILLPOND_ACCOUNT_CALLS_PER_ACCOUNT',
    rate,
    '600+600/m',
    'Account calls that one account may make, at each gateway.',
  ),
  trustedProxies: withDefault(
    'MILLPOND_TRUSTED_PROXIES',
    list(network),
    '',
    'Addresses or CIDR ranges of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` count.',
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
  blobs: withDefault(
    'MILLPOND_BLOBS',
    choice('s3', 'disk'),
    's3',
    'Where bytes are kept: an S3 engine or the local disk.',
  ),
  diskRoot: optional('MILLPOND_DISK_ROOT', text, 'Folder of the disk store.'),
  s3Endpoint: optional('MILLPOND_S3_ENDPOINT', url('http:', 'https:'), 'Address of the S3 engine.'),
  s3Region: withDefault(
    'MILLPOND_S3_REGION',
    text,
    'default',
    'Region name that the engine expects in signatures.',
  ),
  s3AccessKey: secret(optional('MILLPOND_S3_ACCESS_KEY', text, 'Access key at the engine.')),
  s3SecretKey: secret(optional('MILLPOND_S3_SECRET_KEY', text, 'Secret key at the engine.')),
  s3Bucket: withDefault('MILLPOND_S3_BUCKET', text, 'millpond', 'The engine’s bucket that holds all blobs.'),
  s3Connections: withDefault(
    'MILLPOND_S3_CONNECTIONS',
    integer(1, 1000),
    '64',
    'Connections to the engine per process.',
  ),
  s3VerifyWrites: withDefault(
    'MILLPOND_S3_VERIFY_WRITES',
    choice('always', 'small', 'never'),
    'small',
    'Have the engine check an MD5 of what it receives: always, up to 64 KiB, or never (about 1.9 ms of CPU per MiB).',
  ),
  writeBuffers: withDefault(
    'MILLPOND_WRITE_BUFFERS',
    size,
    '96MiB',
    'Memory for parts on their way to the engine; past it an upload sends one part at a time.',
  ),
  sendBytes: withDefault(
    'MILLPOND_SEND_BYTES',
    choice('stream', 'nginx', 'redirect'),
    'stream',
    'How downloads travel: through this process, handed to nginx in front (`X-Accel-Redirect`), or by a redirect to the engine for passive types.',
  ),
  maxObjectSize: withDefault(
    'MILLPOND_MAX_OBJECT_SIZE',
    size,
    '5GiB',
    'Largest object that a form upload may create.',
  ),
  lateTokenMemory: withDefault(
    'MILLPOND_LATE_TOKEN_MEMORY',
    size,
    '64MiB',
    'Memory for files that arrive before their token; past it such uploads are answered 573.',
  ),
  fetchTimeout: withDefault(
    'MILLPOND_FETCH_TIMEOUT',
    duration,
    '60s',
    'Longest time that a fetch, a prefetch or a mirror may take to get a file from its origin.',
  ),
  fetchMaxSize: withDefault('MILLPOND_FETCH_MAX_SIZE', size, '5GiB', 'Largest file that is fetched.'),
  asyncFetchTimeout: withDefault(
    'MILLPOND_ASYNC_FETCH_TIMEOUT',
    duration,
    '1h',
    'Longest time that one try of an asynchronous fetch may take; less than the commit window.',
  ),
  mirrorFills: withDefault(
    'MILLPOND_MIRROR_FILLS',
    integer(1, 1000),
    '16',
    'Missing files that one process fetches at a time for one mirrored bucket; others wait.',
  ),
  inspect: withDefault(
    'MILLPOND_INSPECT',
    flag,
    'true',
    'Look into uploaded pictures and media for the variables `imageInfo`, `exif`, `imageAve` and `avinfo`; needs the jail.',
  ),
  inspectDeadline: withDefault(
    'MILLPOND_INSPECT_DEADLINE',
    duration,
    '5s',
    'Longest that an upload waits for such a variable; later it has no value.',
  ),
  inspectConcurrency: withDefault(
    'MILLPOND_INSPECT_CONCURRENCY',
    integer(1, 64),
    '2',
    'Pictures, and media files, that are looked into at a time.',
  ),
  inspectWaiting: withDefault(
    'MILLPOND_INSPECT_WAITING',
    integer(0, 10_000),
    '32',
    'How many of each kind may wait; beyond that the variables have no value at once.',
  ),
  ffprobe: withDefault('MILLPOND_FFPROBE', text, '/usr/bin/ffprobe', 'The program that tells `avinfo`.'),
  ffmpeg: withDefault('MILLPOND_FFMPEG', text, '/usr/bin/ffmpeg', 'The program that transcodes.'),
  mediaSlots: withDefault(
    'MILLPOND_MEDIA_SLOTS',
    integer(0, 256),
    '2',
    'Tasks that a worker runs at a time; 0: none, tasks are left to other workers.',
  ),
  mediaThreads: withDefault(
    'MILLPOND_MEDIA_THREADS',
    integer(0, 64),
    '0',
    'Threads of one encoder; 0: as many as it likes.',
  ),
  imageProcesses: withDefault(
    'MILLPOND_IMAGE_PROCESSES',
    integer(1, 64),
    '2',
    'Processes that make pictures, each with one at a time.',
  ),
  pictureSlots: withDefault(
    'MILLPOND_PICTURE_SLOTS',
    integer(0, 256),
    '4',
    'Commands in URLs of downloads that a gateway runs at a time; 0: none.',
  ),
  pictureWaiting: withDefault(
    'MILLPOND_PICTURE_WAITING',
    integer(0, 10_000),
    '64',
    'How many more may wait, half of them at most of one account; beyond that 573.',
  ),
  pictureTimeout: withDefault(
    'MILLPOND_PICTURE_TIMEOUT',
    durationBetween('1s', '10m'),
    '30s',
    'Longest that such a command may take, its wait included.',
  ),
  pictureCache: withDefault(
    'MILLPOND_PICTURE_CACHE',
    size,
    '10GiB',
    'Room for results of such commands in the whole region, which may be overshot for a minute; `0B`: none are kept.',
  ),
  taskQueriesPerAddress: withDefault(
    'MILLPOND_TASK_QUERIES_PER_ADDRESS',
    rate,
    '6000+6000/m',
    'Queries of task states from one address; beyond it 573.',
  ),
  sandboxRoot: withDefault(
    'MILLPOND_SANDBOX_ROOT',
    text,
    '/var/tmp/millpond',
    'Folder for the jail’s job directories, on a local disk; made if absent.',
  ),
  sandboxUid: withDefault(
    'MILLPOND_SANDBOX_UID',
    integer(1, 4_294_967_294),
    '65534',
    'User that jailed programs run as, where the server runs as root.',
  ),
  sandboxGid: withDefault(
    'MILLPOND_SANDBOX_GID',
    integer(1, 4_294_967_294),
    '65534',
    'Group that jailed programs run as, where the server runs as root.',
  ),
  outboundAllow: withDefault(
    'MILLPOND_OUTBOUND_ALLOW',
    list(text),
    '',
    'CIDR ranges of private addresses that callbacks and other requests to users’ URLs may reach; by default none.',
  ),
  outboundProxy: secret(
    optional(
      'MILLPOND_OUTBOUND_PROXY',
      url('http:', 'https:'),
      'CONNECT proxy for requests to users’ URLs; it must judge addresses itself.',
    ),
  ),
  callbackSignedBody: withDefault(
    'MILLPOND_CALLBACK_SIGNED_BODY',
    choice('raw', 'base64url'),
    'raw',
    'What a callback’s signature covers of a form body: its bytes, or their URL-safe Base64.',
  ),
  trashGrace: withDefault(
    'MILLPOND_TRASH_GRACE',
    duration,
    '7d',
    'How long replaced and deleted bytes are kept; at least the window to which the database may be restored.',
  ),
  collectEvery: withDefault(
    'MILLPOND_COLLECT_EVERY',
    duration,
    '1m',
    'How often the trash is emptied and objects are removed whose days are over.',
  ),
  commitWindow: withDefault(
    'MILLPOND_COMMIT_WINDOW',
    duration,
    '24h',
    'Longest time from an upload’s first byte to its commit; must be at most half of the sweep age.',
  ),
  sweepAge: withDefault(
    'MILLPOND_SWEEP_AGE',
    duration,
    '48h',
    'Age at which bytes that no row names are removed.',
  ),
  sweepEvery: withDefault(
    'MILLPOND_SWEEP_EVERY',
    duration,
    '1h',
    'How often the sweep looks for such bytes.',
  ),
  restoreArchive: withDefault(
    'MILLPOND_RESTORE_ARCHIVE',
    durationBetween('1m', '5m'),
    '1m',
    'How long the restore of an archive object takes.',
  ),
  restoreDeepArchive: withDefault(
    'MILLPOND_RESTORE_DEEP_ARCHIVE',
    durationBetween('5h', '12h'),
    '5h',
    'How long the restore of a deep-archive object takes.',
  ),
  timeFactor: withDefault(
    'MILLPOND_TIME_FACTOR',
    integer(1, 1_000_000),
    '1',
    'Development only: long waits of the interface (restores, the days they last, retries of deliveries) pass this many times faster.',
  ),
  maxBuckets: withDefault(
    'MILLPOND_MAX_BUCKETS',
    integer(1, 100_000),
    '100',
    'Buckets that one account may have.',
  ),
  domainProof: withDefault(
    'MILLPOND_DOMAIN_PROOF',
    choice('dns', 'none'),
    'dns',
    'What binding a domain to a bucket asks for: a TXT record in its DNS zone, or nothing (whoever comes first has it).',
  ),
  dnsServers: withDefault(
    'MILLPOND_DNS_SERVERS',
    list(
      word(
        /^[\d.]+(?::\d{1,5})?$|^[\da-fA-F:]+$|^\[[\da-fA-F:]+\](?::\d{1,5})?$/,
        'an address, with a port or not',
      ),
    ),
    '',
    'DNS servers that are asked for such records; by default those of the system.',
  ),
  usageFoldEvery: withDefault(
    'MILLPOND_USAGE_FOLD_EVERY',
    duration,
    '5s',
    'How often changes are added up to usage figures; so far behind may they be, and so long may writes go past a quota.',
  ),
  lifecycleEvery: withDefault(
    'MILLPOND_LIFECYCLE_EVERY',
    duration,
    '1h',
    'How often buckets are walked to apply their lifecycle rules.',
  ),
  workerSlots: withDefault(
    'MILLPOND_WORKER_SLOTS',
    integer(1, 256),
    '4',
    'Background jobs that one process runs at a time.',
  ),
  deliverySlots: withDefault(
    'MILLPOND_DELIVERY_SLOTS',
    integer(8, 4096),
    '512',
    'Events that one sender has on their way at a time, to all receivers together.',
  ),
  deliveriesPerEndpoint: withDefault(
    'MILLPOND_DELIVERIES_PER_ENDPOINT',
    integer(1, 256),
    '32',
    'Of these, the most to one endpoint; it starts with two and gets more as it answers.',
  ),
  deliveryMemory: withDefault(
    'MILLPOND_DELIVERY_MEMORY',
    size,
    '64MiB',
    'Bodies of events that one sender holds in memory.',
  ),
  liveEngines: withDefault(
    'MILLPOND_LIVE_ENGINES',
    list(liveEngine),
    '',
    'Engines of live streams; none: live is off. Their addresses are private.',
  ),
  liveHookSecret: secret(
    optional('MILLPOND_LIVE_HOOK_SECRET', text, 'What engines show with their hooks; required with engines.'),
  ),
  liveRecordFolder: withDefault(
    'MILLPOND_LIVE_RECORD_FOLDER',
    text,
    '/var/lib/millpond/live',
    'Folder in which each engine has one, named after it, with what it records.',
  ),
  liveRtmpUrl: withDefault(
    'MILLPOND_LIVE_RTMP_URL',
    url('rtmp:', 'rtmps:'),
    'rtmp://127.0.0.1:1935/live',
    'Where publishers reach the engines, for the URLs of streams.',
  ),
  livePlayUrl: optional(
    'MILLPOND_LIVE_PLAY_URL',
    url('http:', 'https:'),
    'Where players reach the `live` host; by default the host that the call for URLs came to.',
  ),
  liveProgressEvents: withDefault(
    'MILLPOND_LIVE_PROGRESS_EVENTS',
    flag,
    'false',
    'Record and snap events also while they wait (code 1) and are processed (code 2).',
  ),
  liveReconcileEvery: withDefault(
    'MILLPOND_LIVE_RECONCILE_EVERY',
    durationBetween('1s', '1m'),
    '5s',
    'How often engines are asked who publishes.',
  ),
  liveLease: withDefault(
    'MILLPOND_LIVE_LEASE',
    durationBetween('2s', '1m'),
    '6s',
    'How long after a process that looks after an engine died another one takes over.',
  ),
  liveRecordSlots: withDefault(
    'MILLPOND_LIVE_RECORD_SLOTS',
    integer(0, 64),
    '2',
    'Recordings of one engine that are stored at a time.',
  ),
  liveSnapSlots: withDefault(
    'MILLPOND_LIVE_SNAP_SLOTS',
    integer(0, 64),
    '2',
    'Snapshots of one engine that are taken at a time.',
  ),
  liveSnapTimeout: withDefault(
    'MILLPOND_LIVE_SNAP_TIMEOUT',
    durationBetween('1s', '5m'),
    '20s',
    'Longest that a snapshot may take.',
  ),
  sipListen: optional(
    'MILLPOND_SIP_LISTEN',
    sipListener,
    'Where devices register by SIP (GB/T 28181), over UDP and TCP; unset: nowhere. Of all processes with the same address one listens, the others stand by.',
  ),
  sipPublicHost: optional(
    'MILLPOND_SIP_PUBLIC_HOST',
    word(/^[A-Za-z0-9.-]+:\d{1,5}$/, 'written `host:port`'),
    'How devices reach that address; by default as it is listened at.',
  ),
  sipServerId: withDefault(
    'MILLPOND_SIP_SERVER_ID',
    word(/^\d{20}$/, '20 digits'),
    '34020000002000000001',
    'Our own id, that devices are told as the id of their SIP server.',
  ),
  sipRealm: withDefault(
    'MILLPOND_SIP_REALM',
    word(/^[A-Za-z0-9.-]{1,64}$/, '1 to 64 letters, digits, `.` and `-`'),
    '3402000000',
    'Our domain, that devices are told as the domain of their SIP server.',
  ),
  sipHeartbeat: withDefault(
    'MILLPOND_SIP_HEARTBEAT',
    durationBetween('1s', '1h'),
    '60s',
    'How often devices say that they are there; after three times as long without a word one is offline.',
  ),
  sipLeastExpires: withDefault(
    'MILLPOND_SIP_LEAST_EXPIRES',
    durationBetween('1s', '1d'),
    '60s',
    'Shortest registration that a device may ask for.',
  ),
  sipMostExpires: withDefault(
    'MILLPOND_SIP_MOST_EXPIRES',
    durationBetween('1s', '30d'),
    '1d',
    'Longest registration that a device is given.',
  ),
  sipRequestsPerAddress: withDefault(
    'MILLPOND_SIP_REQUESTS_PER_ADDRESS',
    rate,
    '20000+120000/m',
    'SIP requests from one address; what comes beyond it is dropped. Many devices may share an address.',
  ),
  sipPending: withDefault(
    'MILLPOND_SIP_PENDING',
    integer(1, 100_000),
    '2000',
    'Registrations that are judged or written at a time; beyond that a device is told to come again.',
  ),
  sipConnections: withDefault(
    'MILLPOND_SIP_CONNECTIONS',
    integer(2, 1_000_000),
    '20000',
    'TCP connections of devices; at most half of them from one address.',
  ),
  requestTimeout: withDefault(
    'MILLPOND_REQUEST_TIMEOUT',
    duration,
    '1h',
    'Longest time a request’s body may take to arrive.',
  ),
  idleTimeout: withDefault(
    'MILLPOND_IDLE_TIMEOUT',
    duration,
    '60s',
    'A connection that is silent this long is closed.',
  ),
  maxConnections: withDefault(
    'MILLPOND_MAX_CONNECTIONS',
    integer(16, 100_000),
    '4096',
    'Connections per listener.',
  ),
  drainDelay: withDefault(
    'MILLPOND_DRAIN_DELAY',
    duration,
    '0ms',
    'On SIGTERM: how long to answer on while readiness says no, so that a load balancer can turn away.',
  ),
  drainTimeout: withDefault(
    'MILLPOND_DRAIN_TIMEOUT',
    duration,
    '30s',
    'On SIGTERM: how long accepted requests may still take.',
  ),
  logLevel: withDefault(
    'MILLPOND_LOG_LEVEL',
    choice('debug', 'info', 'warn', 'error', 'silent'),
    'info',
    'Least level that is logged.',
  ),
  logOutput: withDefault(
    'MILLPOND_LOG_OUTPUT',
    choice('stdout', 'stderr'),
    'stdout',
    'Where the log goes: standard output or standard error.',
  ),
  logRequests: withDefault(
    'MILLPOND_LOG_REQUESTS',
    flag,
    'false',
    'Log every request, not only slow and failed ones.',
  ),
} as const;
