/**
 * Who may import whom, and who may do what: every rule of the project in one place. A folder in no row is itself a
 * fault, so that nothing new escapes the rules.
 */

export interface PackageRow {
  readonly folder: string;
  readonly name: string;
  /** Other packages of ours that its code may import. */
  readonly imports: readonly string[];
  /** Those that only its tests may import. */
  readonly tests?: readonly string[];
  /** Entry points besides the package's name itself. */
  readonly entryPoints?: readonly string[];
}

const PROTOCOL = '@millpond/protocol';
const BASE = '@millpond/base';
const OUTBOUND = '@millpond/outbound';
const CAMERA_WIRE = '@millpond/camera-wire';
const BLOBS = '@millpond/blobs';
const JAIL = '@millpond/jail';
const CLIENT = '@millpond/client';
const SERVER = '@millpond/server';
const CLI = 'millpond';
const ENGINES = '@millpond/engines';
const TESTING = '@millpond/testing';
const DEPLOY = '@millpond/deploy';

export const packages: readonly PackageRow[] = [
  // Separate entry points for what also runs in the sandbox, where every file costs startup time, and for S3, which no
  // client of the interface needs.
  { folder: 'packages/protocol', name: PROTOCOL, imports: [], entryPoints: ['geometry', 's3'] },
  // What the server stands on, from below: none of these knows it.
  { folder: 'packages/base', name: BASE, imports: [PROTOCOL], tests: [TESTING], entryPoints: ['testing'] },
  {
    folder: 'packages/outbound',
    name: OUTBOUND,
    imports: [BASE],
    tests: [TESTING],
    entryPoints: ['testing'],
  },
  { folder: 'packages/camera-wire', name: CAMERA_WIRE, imports: [BASE], tests: [TESTING] },
  {
    folder: 'packages/blobs',
    name: BLOBS,
    imports: [BASE, PROTOCOL],
    tests: [TESTING],
    entryPoints: ['testing'],
  },
  { folder: 'packages/jail', name: JAIL, imports: [BASE, BLOBS, PROTOCOL], entryPoints: ['unconfined'] },
  // Access keys have a separate entry point: what a browser loads can't reach it.
  { folder: 'packages/client', name: CLIENT, imports: [PROTOCOL], entryPoints: ['server', 'session'] },
  {
    folder: 'packages/console',
    name: '@millpond/console',
    imports: [CLIENT, PROTOCOL],
    tests: [TESTING, ENGINES],
  },
  // What both development and `millpond dev` need to start an RTMP engine, without the server.
  {
    folder: 'packages/server',
    name: SERVER,
    imports: [PROTOCOL, BASE, OUTBOUND, CAMERA_WIRE, BLOBS, JAIL],
    tests: [TESTING, ENGINES],
    entryPoints: ['config', 'folders', 'rtmp-engine', 'unconfined'],
  },
  {
    folder: 'packages/cli',
    name: CLI,
    imports: [SERVER, CLIENT, PROTOCOL],
    tests: [TESTING, ENGINES],
    // The engines of a checkout have the PostgreSQL and the certificate of `millpond dev`.
    entryPoints: ['dev/postgres', 'dev/certificate'],
  },
  { folder: 'quality/engines', name: ENGINES, imports: [SERVER, CLI] },
  // Text for property tests, without all that it takes to start a deployment.
  {
    folder: 'quality/testing',
    name: TESTING,
    imports: [ENGINES, PROTOCOL],
    entryPoints: ['any-text'],
  },
  {
    folder: 'deploy',
    name: DEPLOY,
    imports: [PROTOCOL, TESTING, ENGINES],
    tests: [SERVER],
    entryPoints: ['bases', 'nginx'],
  },
  { folder: 'quality/acceptance', name: '@millpond/acceptance', imports: [CLIENT, PROTOCOL, TESTING] },
  { folder: 'quality/conformance', name: '@millpond/conformance', imports: [PROTOCOL, TESTING] },
  { folder: 'quality/bench', name: '@millpond/bench', imports: [PROTOCOL, TESTING, ENGINES, DEPLOY, SERVER] },
  { folder: 'quality/chaos', name: '@millpond/chaos', imports: [PROTOCOL, TESTING, ENGINES, DEPLOY] },
  { folder: 'scripts', name: 'scripts', imports: [PROTOCOL, SERVER], tests: [TESTING, ENGINES, DEPLOY] },
];

/**
 * Folders of packages/server/src, and the others that each may import. `main` is the files directly in src, `domains` the
 * folders of the domains.
 */
export const serverLayers: Readonly<Record<string, readonly string[]>> = {
  main: ['main', 'config', 'http', 'work', 'compose', 'infra', 'domains', 'platform'],
  work: ['work', 'config', 'compose', 'infra', 'domains', 'platform'],
  compose: ['compose', 'config', 'http', 'infra', 'domains', 'platform'],
  // A feature knows what its statements require of their connections.
  infra: ['infra', 'config', 'http', 'domains', 'platform'],
  config: ['config'],
  http: ['http', 'config', 'platform'],
  domains: ['domains', 'platform'],
  platform: ['platform'],
};

export interface DomainRow {
  readonly domain: string;
  /** Its features by floor, the highest first. */
  readonly floors: readonly (readonly string[])[];
}

/**
 * Domains, the highest first: each imports only those below it. Inside a domain, a feature imports only those on the
 * floors below its own. Either way through the feature's index.ts, or the domain's limits.ts.
 */
export const domains: readonly DomainRow[] = [
  // What speaks to the outside in other words.
  { domain: 'faces', floors: [['s3', 'console']] },
  // What operators see.
  { domain: 'operations', floors: [['overview'], ['figures', 'requests']] },
  { domain: 'live', floors: [['devices'], ['streams']] },
  // Bytes that come and go.
  {
    domain: 'transfer',
    floors: [
      ['uploads', 'downloads'],
      ['fetches', 'bulk', 'signing'],
    ],
  },
  { domain: 'media', floors: [['images'], ['processing']] },
  { domain: 'storage', floors: [['lifecycle', 'object-events'], ['objects', 'usage'], ['buckets']] },
  { domain: 'events', floors: [['deliveries']] },
  { domain: 'identity', floors: [['accounts']] },
];

/** Folders inside a feature, by subject. A feature without any is flat. */
export const featureRooms: Readonly<Record<string, readonly string[]>> = {
  accounts: ['keys', 'tokens', 'webhook-secrets', 'sessions', 'identities'],
  buckets: ['regions'],
  console: ['oidc'],
  deliveries: ['sending'],
  devices: ['media'],
  streams: ['namespaces', 'streams', 'sessions', 'recordings', 'snapshots', 'play', 'engines', 'upkeep'],
  objects: ['commit', 'operations', 'lists', 's3', 'upkeep', 'trash', 'packs'],
  processing: ['pipelines', 'tasks', 'workflows', 'run', 'workers'],
  s3: ['objects', 'parts', 'lists', 'buckets', 'form'],
  uploads: ['form', 'resumable'],
};

/** The most files a folder may have, not counting tests: opening it should show what it is about. */
export const maxFilesPerFolder = 25;

/**
 * A file with fewer lines that one other file uses is part of that file, unless both together are longer than
 * `maxJoinedLines`: a reader of one needs the other, and opens one file instead of two.
 */
export const minLinesAlone = 30;
export const maxJoinedLines = 300;

export interface SmallRow {
  readonly files: RegExp;
  readonly why: string;
}

/** Files that may be smaller all the same. */
export const smallFiles: readonly SmallRow[] = [
  {
    files: /\/[\w-]+\.[\w.-]+\.tsx?$|\/(?:limits|routes)\.ts$/,
    why: 'it has a role, and is looked for by that name: uploads.metrics.ts, limits.ts',
  },
  {
    files:
      /^packages\/cli\/src\/(?:commands|database-or-api)\/|^packages\/jail\/src\/media\/commands\/|^quality\/bench\/(?:benches|deliveries\/modes)\//,
    why: 'its folder has one file for each of a kind, such as commands',
  },
  {
    files: /^packages\/cli\/src\/dev\/media\/unconfined\.ts$/,
    why: 'no other file may import the permit',
  },
  {
    files: /^packages\/server\/src\/compose\/console\.ts$/,
    why: 'it loads the console, which most processes do without',
  },
  {
    files: /^packages\/console\/src\/.*\.ts$/,
    why: 'a file of components (.tsx) exports nothing else, and what has tests of its own must be exported',
  },
];

/** Where a file is known by its name alone, in an editor or a trace: no two have the same, but for those that every folder may have. */
export const namedApart: readonly string[] = ['packages/server/src/'];
export const namesOfMany: readonly string[] = ['index.ts', 'limits.ts'];

export interface LibraryRow {
  /** A package, one of its entry points, or a file of ours. */
  readonly library: string;
  /** Where it may be imported: paths with these prefixes. */
  readonly only: readonly string[];
  readonly typesAnywhere?: true;
  /** Tests and their support may import it anywhere. */
  readonly tests?: true;
  readonly why: string;
}

export const libraries: readonly LibraryRow[] = [
  {
    library: 'undici',
    only: ['packages/outbound/src/', 'quality/testing/', 'quality/bench/', 'quality/chaos/'],
    tests: true,
    why: 'requests leave the server through the guarded client',
  },
  {
    library: 'pg',
    only: [
      'packages/server/src/platform/db/',
      'quality/engines/',
      'quality/testing/',
      'quality/bench/',
      'quality/chaos/',
    ],
    typesAnywhere: true,
    tests: true,
    why: 'connections are opened in platform/db, with their limits',
  },
  {
    library: 'sharp',
    only: ['packages/jail/src/images/sandboxed/', 'quality/bench/'],
    tests: true,
    why: 'images are decoded only by programs that run in the sandbox',
  },
  {
    library: 'find-my-way',
    only: ['packages/server/src/http/'],
    why: 'features declare their routes, and http/ mounts them',
  },
  {
    library: 'openid-client',
    only: ['packages/server/src/faces/console/oidc/'],
    why: 'only a console with a provider loads it, when somebody signs in',
  },
  {
    library: 'querystring',
    only: [],
    why: 'forms and queries are read by parseFields',
  },
  {
    library: 'packages/jail/src/sandbox/unconfined-permit.ts',
    only: [],
    typesAnywhere: true,
    tests: true,
    why: 'the permit has an entry point of its own, for `millpond dev`',
  },
  {
    library: `${JAIL}/unconfined`,
    only: ['packages/server/src/unconfined.ts'],
    typesAnywhere: true,
    tests: true,
    why: 'no code of the server may allow itself to run programs without a sandbox',
  },
  {
    library: `${SERVER}/unconfined`,
    only: ['packages/cli/src/dev/media/unconfined.ts'],
    why: 'only `millpond dev` may run programs without a sandbox',
  },
  {
    library: 'child_process',
    only: [
      'packages/jail/src/sandbox/',
      'packages/cli/',
      'quality/engines/',
      'quality/testing/',
      'deploy/',
      'quality/conformance/',
      'quality/bench/',
      'quality/chaos/',
      'scripts/',
    ],
    tests: true,
    why: 'the server starts programs only in the sandbox of packages/jail',
  },
];

/** Code that must do without Node, so that browsers can run it. Its tests may use Node. */
export const purePackages: readonly string[] = ['packages/protocol/'];

/** Only these read the environment; all other settings come from the configuration. Outside packages/ any file may. */
export const environmentReaders: readonly string[] = [
  'packages/server/src/config/',
  'packages/cli/',
  // Its tools ask what they are run for.
  'packages/console/build/',
];

/** Only these contain SQL. Outside packages/ and quality/acceptance/ any file may. */
export const sqlSpeakers =
  /(?:store|statement[^/]*)\.ts$|^packages\/server\/(?:src\/platform\/(?:db|queue)|migrations)\//;

/**
 * Only these decode bytes or escapes from a request into text: `decodeUtf8`, `decodePercent`, `parseFields` and
 * `decodeJson` refuse what is malformed, where the platform's own decoders substitute U+FFFD.
 */
export const textDecoders: readonly string[] = [
  'packages/protocol/src/utf8.ts',
  'packages/protocol/src/percent.ts',
  'packages/protocol/src/fields.ts',
  // Looks at content only to determine its type.
  'packages/protocol/src/mime/sniff-text.ts',
];
/** Where the content of requests is read. */
export const requestReaders: readonly string[] = [
  'packages/protocol/src/',
  ...domains.map(({ domain }) => `packages/server/src/${domain}/`),
  'packages/server/src/http/',
  'packages/server/src/platform/web/',
];

/** Tests and their support: nothing else may import these. */
export const testFiles =
  /\.test\.tsx?$|(?<!^quality)\/testing\/|[/.]testing(?:-[a-z-]+)?\.ts$|^packages\/[^/]+\/test\/|vitest\.config\.ts$|^quality\/acceptance\//;
export const testLibraries: readonly string[] = [
  'vitest',
  'vitest/config',
  'fast-check',
  TESTING,
  `${BASE}/testing`,
  `${OUTBOUND}/testing`,
  `${BLOBS}/testing`,
];
/** Whole folders that exist for tests and measurements, and may use what tests use. */
export const testFolders: readonly string[] = [
  'quality/testing/',
  'quality/acceptance/',
  'quality/conformance/',
  'deploy/',
  'quality/bench/',
  'quality/chaos/',
];

export interface NumberRow {
  readonly number: RegExp;
  /** Where it may be written. */
  readonly only: RegExp;
  readonly why: string;
}

/** Numbers that the code of packages/ writes once. */
export const numbersOnce: readonly NumberRow[] = [
  {
    number: /\b1024 \* 1024\b|\b1024 \*\* [234]\b|\b1_?048_?576\b/g,
    // The latter runs by itself, beside ffmpeg in WebAssembly.
    only: /^packages\/protocol\/src\/limits\/bytes\.ts$|\/wasm-program\.ts$/,
    why: 'a mebibyte is MIB of the protocol, and 1024 of them GIB',
  },
  {
    number: /^.*(?:part|block).*\b10_?000\b|\b10_?000\b.*(?:part|block)/gim,
    only: /\/limits\.ts$/,
    why: 'how many parts an upload may have is MAX_PARTS of the protocol',
  },
  {
    number: /\b750\b/g,
    only: /\/limits\.ts$/,
    why: 'how long a key may be is MAX_KEY_BYTES of the protocol, and a scope MAX_SCOPE_BYTES',
  },
  {
    number: /\b36_?500\b/g,
    only: /\/limits\.ts$|^packages\/console\//,
    why: 'the number of days after which something may happen to an object is MAX_OBJECT_DAYS of the protocol',
  },
];

/** A run that saw less than this has not looked at the repository. */
export const minFiles = 50;
/** Even the plainest tree has more imports than files. */
export const minImportsPerFile = 1;
