/**
 * The programs that make the common list of calls, one for each SDK. Each is started in its work folder with these variables: SDK_SOURCES (the
 * SDK's own folder), SDK_WORK, SDK_HOST (`host:port`), SDK_URL, SDK_ACCESS_KEY, SDK_SECRET_KEY, SDK_BUCKET (to be created), SDK_RECEIVER (a URL, see
 * receiver.ts) and SDK_PICTURE (a file). It prints a line of JSON `{"sdk", "version"}`, for each call `{"row", "name", "passed", "detail"}`, and in the end
 * `{"done": true}`.
 */
import { execFile } from 'node:child_process';
import { access, mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PROGRAMS = path.join(import.meta.dirname, 'programs');

export interface Sdk {
  readonly name: string;
  /** Its repository's name, which is also that of the folder where it is looked for; of a package of npm, where `npm install` in `npm` puts it. */
  readonly repository: string;
  /** Whether it can create its bucket itself. */
  readonly makesBucket: boolean;
  /** Calls that are known to fail, by name: the page about SDKs says why. */
  readonly fails?: readonly string[];
  /** Settings of a server of its own; without them it uses the shared one. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Debian's packages with what its program needs. */
  readonly packages: readonly string[];
  /** The command that makes the calls. */
  start(sources: string, work: string): Promise<readonly [command: string, ...args: string[]]>;
}

const JARS = ['okhttp', 'okio', 'gson', 'lombok'].map((name) => `/usr/share/java/${name}.jar`);

export const sdks: readonly Sdk[] = [
  {
    name: 'Python',
    repository: 'python-sdk',
    makesBucket: true,
    packages: ['python3-requests'],
    start: async () => ['/usr/bin/python3', path.join(PROGRAMS, 'run.py')],
  },
  {
    name: 'PHP',
    repository: 'php-sdk',
    makesBucket: true,
    packages: ['php-cli', 'php-curl', 'php-xml'],
    start: async () => ['php', path.join(PROGRAMS, 'run.php')],
  },
  {
    name: 'Ruby',
    fails: ['upload_with_token'],
    repository: 'ruby-sdk',
    makesBucket: false,
    packages: ['ruby', 'ruby-rest-client', 'ruby-mime-types', 'ruby-rexml'],
    start: async () => ['ruby', path.join(PROGRAMS, 'run.rb')],
  },
  {
    name: 'Go',
    repository: 'go-sdk',
    makesBucket: true,
    // Two of its dependencies are in no package: alex-ant/gomath and cznic/fileutil are looked for beside it.
    packages: [
      'golang-go',
      'golang-github-burntsushi-toml-dev',
      'golang-github-gofrs-flock-dev',
      'golang-golang-x-sync-dev',
    ],
    async start(sources, work) {
      const tree = path.join(work, 'go');
      const places = {
        'github.com/qiniu/go-sdk/v7': sources,
        'github.com/alex-ant/gomath': path.join(sources, '../gomath'),
        'modernc.org/fileutil': path.join(sources, '../fileutil'),
      };
      for (const [name, folder] of Object.entries(places)) {
        const place = path.join(tree, 'src', name);
        await mkdir(path.dirname(place), { recursive: true });
        await symlink(folder, place);
      }
      const program = path.join(work, 'run');
      // By folders rather than modules: those would be fetched from the world.
      const env = {
        ...process.env,
        GO111MODULE: 'off',
        GOPATH: `${tree}:/usr/share/gocode`,
        GOCACHE: path.join(work, 'cache'),
      };
      await run('go', ['build', '-o', program, path.join(PROGRAMS, 'run.go')], { env });
      return [program];
    },
  },
  {
    name: 'Java',
    repository: 'java-sdk',
    makesBucket: true,
    packages: [
      'default-jdk-headless',
      'libokhttp-java',
      'libokio-java',
      'libgoogle-gson-java',
      'liblombok-java',
    ],
    async start(sources, work) {
      const classes = path.join(work, 'classes');
      await run('javac', [
        '-nowarn',
        '-encoding',
        'UTF-8',
        '-classpath',
        JARS.join(':'),
        '-d',
        classes,
        '-sourcepath',
        path.join(sources, 'src/main/java'),
        path.join(PROGRAMS, 'Run.java'),
      ]);
      return ['java', '-classpath', [classes, ...JARS].join(':'), 'Run'];
    },
  },
  {
    name: 'C',
    fails: ['Rio_PutFile', 'Multipart_PutFile', 'FOP_Prefop'],
    repository: 'c-sdk',
    makesBucket: false,
    packages: ['gcc', 'libc6-dev', 'libcurl4-openssl-dev', 'libssl-dev'],
    async start(sources, work) {
      const program = path.join(work, 'run');
      // Its own warnings are its own affair.
      const script =
        'gcc -w -I "$1" -o "$2" "$3" "$1"/qiniu/*.c "$1"/b64/*.c "$1"/cJSON/*.c "$1"/hashmap/*.c -lcurl -lssl -lcrypto -lm';
      await run('sh', ['-c', script, 'sh', sources, program, path.join(PROGRAMS, 'run.c')]);
      return [program];
    },
  },
  {
    name: 'qiniu-js',
    fails: ['forceDirect of 9 MiB'],
    repository: 'npm/node_modules/qiniu-js',
    makesBucket: false,
    packages: ['chromium'],
    start: async () => [process.execPath, path.join(PROGRAMS, 'run-browser.mjs')],
  },
  {
    name: 'kodo-s3-adapter-sdk',
    repository: 'npm/node_modules/kodo-s3-adapter-sdk',
    makesBucket: true,
    // It downloads by a host of the bucket.
    settings: { MILLPOND_DOWNLOAD_SUFFIX: 'sdk.test' },
    packages: [],
    start: async () => [process.execPath, path.join(PROGRAMS, 'run-kodo.mjs')],
  },
];

/** Those whose sources are in the folder, and the names of those that were asked for and are not. */
export async function findSdks(
  folder: string,
  only: readonly string[],
): Promise<{ readonly found: readonly Sdk[]; readonly missing: readonly string[] }> {
  const asked = sdks.filter(({ name }) => only.length === 0 || only.includes(name.toLowerCase()));
  const isThere = await Promise.all(
    asked.map(async ({ repository }) => access(path.join(folder, repository)).then(...AS_FOUND)),
  );
  return {
    found: asked.filter((_, index) => isThere[index]),
    missing: only.length === 0 ? [] : asked.filter((_, index) => !isThere[index]).map(({ name }) => name),
  };
}

const AS_FOUND = [() => true, () => false] as const;
