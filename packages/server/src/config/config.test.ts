import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError, type Environment, environmentWithFile, mediaHostOf, readConfig } from './config.ts';

const MASTER_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const complete = {
  MILLPOND_CONTROL_DB: 'postgres://user:pass-one@127.0.0.1/control',
  MILLPOND_REGION_DB: 'postgres://user:pass-two@127.0.0.1/region',
  MILLPOND_MASTER_KEY: MASTER_KEY,
  MILLPOND_BLOBS: 'disk',
  MILLPOND_DISK_ROOT: '/var/lib/millpond',
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'millpond-config-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string, mode = 0o640): string {
  const place = path.join(folder, name);
  writeFileSync(place, text);
  chmodSync(place, mode);
  return place;
}

function faultsOf(environment: Environment): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('a whole configuration', () => {
  test('is read into its types, with defaults for the rest', () => {
    const config = readConfig({
      ...complete,
      MILLPOND_CONTROL_CACHE: '1500ms',
      MILLPOND_MAX_OBJECT_SIZE: '8MiB',
      MILLPOND_LISTEN: 'http://127.0.0.1:8100/up+io, http://[::1]:8101',
      MILLPOND_HOSTS: 'rs=RS.example.com:8100',
      MILLPOND_TRUSTED_PROXIES: '10.0.0.0/8,::1',
      MILLPOND_LOG_REQUESTS: 'true',
      MILLPOND_REFRESHES_PER_TOKEN: '5+1/m',
    });
    expect(config).toMatchObject({
      controlCache: 1500,
      maxObjectSize: 8 * 1024 * 1024,
      hosts: [{ role: 'rs', host: 'rs.example.com:8100' }],
      trustedProxies: ['10.0.0.0/8', '::1'],
      logRequests: 'true',
      refreshesPerToken: { burst: 5, perMinute: 1 },
      tokenCallsPerAddress: { burst: 600, perMinute: 600 },
      dialect: 'svc',
      region: 'z0',
      downloadSuffix: undefined,
    });
    expect(config.listen.map(({ address, port, roles }) => [address, port, roles.size])).toEqual([
      ['127.0.0.1', 8100, 2],
      ['::1', 8101, config.listen[1]?.roles.size],
    ]);
    expect(config.listen[1]?.roles.has('api')).toBe(true);
  });

  test.each(['0', '0B'])('turns small objects off by %s', (none) => {
    expect(readConfig({ ...complete, MILLPOND_SMALL_OBJECTS: none }).smallObjects).toBe(0);
  });

  test('lets gateways use what they remember of keys, accounts and buckets for at most 5 s', () => {
    expect(readConfig(complete).controlCache).toBeLessThanOrEqual(5_000);
  });

  test('may leave a setting empty, which is like leaving it out', () => {
    expect(faultsOf({ ...complete, MILLPOND_REGION: '', MILLPOND_DOWNLOAD_SUFFIX: '' })).toEqual([]);
  });
});

describe('faults', () => {
  test('are reported all at once, each with its setting', () => {
    const faults = faultsOf({
      MILLPOND_REGION_DB: 'mysql://x',
      MILLPOND_MASTER_KEY: 'k1:short',
      MILLPOND_DB_CONNECTIONS: '1',
      MILLPOND_CONTROL_CACHE: '5',
      MILLPOND_MAX_OBJECT_SIZE: '5GB',
      MILLPOND_DIALECT: 'other',
      MILLPOND_LISTEN: 'http://127.0.0.1:8100/nothing',
      MILLPOND_HOSTS: 'rs',
      MILLPOND_LOG_REQUESTS: 'yes',
      MILLPOND_TRUSTED_PROXIES: '10.0.0.0/33',
      MILLPOND_REGION: 'North',
      MILLPOND_UNHEARD_OF: '1',
    });
    const named = faults.map((fault) => /^MILLPOND_[A-Z0-9_]+/.exec(fault)?.[0]);
    expect(new Set(named)).toEqual(
      new Set([
        'MILLPOND_CONTROL_CACHE',
        'MILLPOND_CONTROL_DB',
        'MILLPOND_DB_CONNECTIONS',
        'MILLPOND_DIALECT',
        'MILLPOND_HOSTS',
        'MILLPOND_LISTEN',
        'MILLPOND_LOG_REQUESTS',
        'MILLPOND_MASTER_KEY',
        'MILLPOND_MAX_OBJECT_SIZE',
        'MILLPOND_REGION',
        'MILLPOND_REGION_DB',
        'MILLPOND_TRUSTED_PROXIES',
        'MILLPOND_UNHEARD_OF',
      ]),
    );
    expect(faults).toHaveLength(13);
  });

  test('say how many there are and what would be right', () => {
    const faulty = { ...complete, MILLPOND_CONTROL_CACHE: '5', MILLPOND_DIALECT: 'other' };
    expect(() => readConfig(faulty)).toThrow(
      'The configuration has 2 faults:\n' +
        '  - MILLPOND_CONTROL_CACHE: "5" must be a duration such as 500ms, 30s, 5m, 12h or 7d\n' +
        '  - MILLPOND_DIALECT: "other" must be one of svc, qiniu',
    );
  });

  test('name the setting and the rule of what the engine is called by', () => {
    const faulty = {
      ...complete,
      MILLPOND_S3_BUCKET: 'My_Bucket',
      MILLPOND_S3_ENDPOINT: 'http://127.0.0.1:8480/path',
      MILLPOND_OUTBOUND_ALLOW: 'localhost',
      MILLPOND_OUTBOUND_PROXY: 'http://user:secret@proxy:3128/path',
    };
    expect(faultsOf(faulty).toSorted()).toEqual([
      'MILLPOND_OUTBOUND_ALLOW: "localhost" must be addresses or CIDR ranges such as 10.0.0.0/8',
      'MILLPOND_OUTBOUND_PROXY: its value must be an address, http(s)://[user:password@]host[:port]',
      'MILLPOND_S3_BUCKET: "My_Bucket" must be 3 to 63 lower-case letters, digits, dots and hyphens, a letter or digit at both ends',
      'MILLPOND_S3_ENDPOINT: "http://127.0.0.1:8480/path" must be an address, http(s)://host[:port]',
    ]);
  });

  test('never show a secret', () => {
    const secrets = {
      MILLPOND_CONTROL_DB: 'mysql://user:hunter2@host/db',
      MILLPOND_REGION_DB: 'hunter2',
      MILLPOND_MASTER_KEY: `k1:${'hunter2'.repeat(9)}`,
    };
    const faults = faultsOf({ ...complete, ...secrets });
    expect(faults).toHaveLength(3);
    expect(faults.join('\n')).not.toContain('hunter2');
    expect(faults[0]).toBe(
      'MILLPOND_CONTROL_DB: its value must be a URL, postgres://user:password@host:5432[,host:5432…]/name',
    );
  });

  test.each([
    ['MILLPOND_LISTNE', 'MILLPOND_LISTEN'],
    ['MILLPOND_DISKROOT', 'MILLPOND_DISK_ROOT'],
    ['MILLPOND_S3_ACCESSKEY', 'MILLPOND_S3_ACCESS_KEY'],
    ['MILLPOND_TIMEOUT_REQUEST', 'MILLPOND_REQUEST_TIMEOUT'],
  ])('name the setting that %s was meant to be', (typo, meant) => {
    expect(faultsOf({ ...complete, [typo]: '1' })).toEqual([
      `${typo} is not a setting; did you mean ${meant}?`,
    ]);
  });

  test.each(['CACHE', 'SLOTS', 'TIMEOUT', 'WAITING'])(
    'name what MILLPOND_PICTURE_%s is called now',
    (word) => {
      expect(faultsOf({ ...complete, [`MILLPOND_PICTURE_${word}`]: '1' })).toEqual([
        `MILLPOND_PICTURE_${word} is now MILLPOND_IMAGE_${word}`,
      ]);
    },
  );

  test('say what to do about a setting that earlier versions had', () => {
    expect(faultsOf({ ...complete, MILLPOND_WORKER_SLOTS: '4' })).toEqual([
      expect.stringMatching(
        /^MILLPOND_WORKER_SLOTS is no longer a setting: .* remove it\. MILLPOND_MEDIA_SLOTS /,
      ),
    ]);
  });

  test('name the commands to run instead of the setting that named operators by address', () => {
    const given = { MILLPOND_CONSOLE_OPERATORS: ' ada@example.com,, bob@example.com ' };
    expect(faultsOf({ ...complete, ...given })).toEqual([
      expect.stringMatching(
        /^MILLPOND_CONSOLE_OPERATORS is no longer .* run: millpond account operator ada@example\.com; millpond account operator bob@example\.com$/,
      ),
    ]);
    expect(faultsOf({ ...complete, MILLPOND_CONSOLE_OPERATORS: '' })).toEqual([
      expect.stringContaining('run: millpond account operator <email>'),
    ]);
  });

  test.each([
    [{}, true],
    [
      {
        MILLPOND_LISTEN: 'http://127.0.0.1:0,https://[::1]:0,http://localhost:0',
        MILLPOND_TLS_CERT: 'c',
        MILLPOND_TLS_KEY: 'k',
      },
      true,
    ],
    [{ MILLPOND_LISTEN: 'http://0.0.0.0:0' }, false],
    [{ MILLPOND_LISTEN: 'http://127.0.0.1:0,http://[::]:0' }, false],
    [{ MILLPOND_LISTEN: 'http://127.example.com:0' }, false],
    [{ MILLPOND_ADMIN_LISTEN: 'http://10.0.0.1:0' }, false],
    [{ MILLPOND_TRUSTED_PROXIES: '127.0.0.1/32' }, false],
  ])('signatures are explained on loopback only: %j', (more, isTaken) => {
    const faults = faultsOf({ ...complete, ...more, MILLPOND_EXPLAIN_SIGNATURES: 'true' });
    expect(faults).toEqual(
      isTaken ? [] : [expect.stringMatching(/^MILLPOND_EXPLAIN_SIGNATURES is for a developer/)],
    );
    expect(faultsOf({ ...complete, ...more })).toEqual([]);
  });

  test('suggest nothing where nothing is near, and leave other programs’ names alone', () => {
    expect(faultsOf({ ...complete, MILLPOND_XYZZYXYZZY: '1', PATH: '/bin', OTHER_LISTEN: '1' })).toEqual([
      'MILLPOND_XYZZYXYZZY is not a setting',
    ]);
  });
});

describe('a secret', () => {
  test('may be in a file', () => {
    const { MILLPOND_MASTER_KEY: _, ...rest } = complete;
    const config = readConfig({ ...rest, MILLPOND_MASTER_KEY_FILE: file('key', `${MASTER_KEY}\n`) });
    expect(config.masterKeys).toEqual([MASTER_KEY]);
  });

  test.each([0o644, 0o642, 0o641])('the master key in a file of mode %o is refused', (mode) => {
    const { MILLPOND_MASTER_KEY: _, ...rest } = complete;
    const open = file('key', MASTER_KEY, mode);
    const faults = faultsOf({ ...rest, MILLPOND_MASTER_KEY_FILE: open });
    expect(faults).toEqual([
      `MILLPOND_MASTER_KEY_FILE: ${open} has mode ${mode.toString(8)}, so every user of this machine can access it: ` +
        `run chmod 640 ${open}, and give the file the server's group`,
    ]);
  });

  test('of another kind may be in any file: containers mount them so', () => {
    const { MILLPOND_REGION_DB: url, ...rest } = complete;
    expect(readConfig({ ...rest, MILLPOND_REGION_DB_FILE: file('db', url, 0o644) }).regionDb).toBe(url);
  });

  test('in a file that can’t be read is a fault that names the file', () => {
    const { MILLPOND_MASTER_KEY: _, ...rest } = complete;
    const missing = path.join(folder, 'missing');
    const faults = faultsOf({ ...rest, MILLPOND_MASTER_KEY_FILE: missing });
    expect(faults[0]).toContain(`MILLPOND_MASTER_KEY_FILE: ${missing} can't be read`);
  });

  test('only: what is no secret has no file form', () => {
    expect(faultsOf({ ...complete, MILLPOND_LISTEN_FILE: '/x' })[0]).toMatch(
      /^MILLPOND_LISTEN_FILE is not a setting/,
    );
  });
});

describe('contradictions', () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ['an S3 store without its engine', { MILLPOND_BLOBS: 's3' }, /^MILLPOND_S3_ENDPOINT is required/],
    ['a disk store without a folder', { MILLPOND_DISK_ROOT: '' }, /^MILLPOND_DISK_ROOT is required/],
    ['a hand-over from the disk', { MILLPOND_SEND_BYTES: 'nginx' }, /^MILLPOND_SEND_BYTES must be stream/],
    [
      'small objects that are not',
      { MILLPOND_SMALL_OBJECTS: '129KiB' },
      /MILLPOND_SMALL_OBJECTS.*at most 128KiB/,
    ],
    ['a sweep that could outrun a commit', { MILLPOND_SWEEP_AGE: '47h' }, /^MILLPOND_COMMIT_WINDOW/],
    ['TLS without a certificate', { MILLPOND_LISTEN: 'https://0.0.0.0:443' }, /^MILLPOND_TLS_CERT/],
    ['no listener', { MILLPOND_LISTEN: ',' }, /^MILLPOND_LISTEN names no listener/],
    ['no master key', { MILLPOND_MASTER_KEY: ',' }, /^MILLPOND_MASTER_KEY names no key/],
    ['one id twice', { MILLPOND_MASTER_KEY: `${MASTER_KEY},${MASTER_KEY}` }, /^MILLPOND_MASTER_KEY has two/],
  ])('%s', (_what, settings, fault) => {
    const faults = faultsOf({ ...complete, ...settings });
    expect(faults[0]).toMatch(fault);
    expect(faults.join('\n')).not.toContain(MASTER_KEY);
  });

  test('of an S3 store are told together', () => {
    expect(faultsOf({ ...complete, MILLPOND_BLOBS: 's3' })).toHaveLength(3);
  });
});

describe('a configuration file', () => {
  test('lies beneath the environment', () => {
    const place = file('millpond.env', '# ours\nMILLPOND_REGION=z1\nMILLPOND_DIALECT="qiniu"\n');
    const merged = environmentWithFile({ ...complete, MILLPOND_REGION: 'z2' }, place);
    expect(readConfig(merged)).toMatchObject({ region: 'z2', dialect: 'qiniu' });
  });

  test('that can’t be read is a fault', () => {
    expect(() => environmentWithFile({}, path.join(folder, 'missing'))).toThrow(ConfigError);
    expect(environmentWithFile(complete, undefined)).toBe(complete);
  });
});

describe('media of devices', () => {
  const engine = {
    MILLPOND_LIVE_ENGINES: 'main=nginx-rtmp@http://127.0.0.1:8180',
    MILLPOND_LIVE_HOOK_SECRET: 's',
  };
  const listening = { ...complete, ...engine, MILLPOND_SIP_MEDIA_PORTS: '30000-30199' };

  test('need an engine to go to', () => {
    const faults = faultsOf({ ...complete, MILLPOND_SIP_MEDIA_PORTS: '30000-30199' });
    expect(faults.join()).toContain('needs MILLPOND_LIVE_ENGINES');
  });

  test('are received at a range of ports', () => {
    expect(readConfig(listening).sipMediaPorts).toEqual({ first: 30_000, last: 30_199 });
    for (const range of ['30000', '30000-30000', '30199-30000', '1000-2000', '60000-70000', 'a-b'])
      expect(faultsOf({ ...complete, MILLPOND_SIP_MEDIA_PORTS: range })).toHaveLength(1);
  });

  test('need an address that devices can be told', () => {
    const all = { ...listening, MILLPOND_SIP_LISTEN: 'sip://0.0.0.0:5060' };
    expect(faultsOf(all).join()).toContain('MILLPOND_SIP_MEDIA_HOST is required');
    const host = (more: Environment) => mediaHostOf(readConfig({ ...all, ...more }));
    expect(host({ MILLPOND_SIP_LISTEN: 'sip://192.0.2.1:5060' })).toBe('192.0.2.1');
    expect(host({ MILLPOND_SIP_PUBLIC_HOST: '192.0.2.2:5060' })).toBe('192.0.2.2');
    expect(
      host({ MILLPOND_SIP_PUBLIC_HOST: 'sip.example.com:5060', MILLPOND_SIP_MEDIA_HOST: '192.0.2.3' }),
    ).toBe('192.0.2.3');
  });
});
