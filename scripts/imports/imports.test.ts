import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { checkFiles, problemsOfRun, readTree } from './check.ts';
import type { RuleName } from './rules.ts';
import { readSource } from './source.ts';
import {
  domains,
  maxFilesPerFolder,
  maxJoinedLines,
  minLinesAlone,
  type SmallRow,
  smallFiles,
} from './table.ts';
import { checkSmallFiles } from './whole-tree.ts';

const root = path.join(import.meta.dirname, '../..');
const server = 'packages/server/src';

type Plant = readonly [what: string, file: string, text: string];

const imports = (target: string) => `import { thing } from '${target}';\n`;

/** For every rule, what must be reported. */
const planted: Record<
  Exclude<RuleName, 'circle' | 'full-folder' | 'small-file' | 'same-name'>,
  readonly Plant[]
> = {
  'known-place': [
    ['a package without a row', 'packages/unheard/src/index.ts', 'export {};'],
    ['a folder without a row', 'tools/thing.ts', 'export {};'],
    ['a layer without a row', `${server}/helpers/thing.ts`, 'export {};'],
    ['a feature without a floor', `${server}/storage/unheard/index.ts`, 'export {};'],
    ['a feature of another domain', `${server}/storage/uploads/index.ts`, 'export {};'],
    ['a file of a domain', `${server}/storage/thing.ts`, 'export {};'],
    ['the former shelf', `${server}/features/objects/index.ts`, 'export {};'],
    ['a folder of a feature without a row', `${server}/storage/objects/unheard/x.ts`, 'export {};'],
    ['a folder of a flat feature', `${server}/storage/usage/rooms/x.ts`, 'export {};'],
  ],
  'literal-import': [['a computed import', `${server}/platform/cache.ts`, 'await import(name);']],
  'package-direction': [
    ['protocol → server', 'packages/protocol/src/entry.ts', imports('@millpond/server')],
    ['server → the command', `${server}/platform/cache.ts`, imports('millpond')],
    ['server → testing outside a test', `${server}/platform/cache.ts`, imports('@millpond/testing')],
    ['protocol test → testing', 'packages/protocol/src/entry.test.ts', imports('@millpond/testing')],
    ['base → server', 'packages/base/src/log.ts', imports('@millpond/server')],
    ['base → what stands on it', 'packages/base/src/log.ts', imports('@millpond/blobs')],
    ['outbound → blobs', 'packages/outbound/src/client.ts', imports('@millpond/blobs')],
    ['camera-wire → outbound', 'packages/camera-wire/src/sip/x.ts', imports('@millpond/outbound')],
    ['blobs → jail', 'packages/blobs/src/store.ts', imports('@millpond/jail')],
    ['jail → outbound', 'packages/jail/src/media/x.ts', imports('@millpond/outbound')],
    ['a type jail → server', 'packages/jail/src/media/x.ts', "import type { A } from '@millpond/server';"],
    ['cli → blobs', 'packages/cli/src/main.ts', imports('@millpond/blobs')],
    ['cli → engines', 'packages/cli/src/main.ts', imports('@millpond/engines')],
    ['acceptance → server', 'quality/acceptance/first.test.ts', imports('@millpond/server')],
    ['acceptance → cli', 'quality/acceptance/first.test.ts', imports('millpond')],
    ['acceptance → engines', 'quality/acceptance/first.test.ts', imports('@millpond/engines')],
    ['chaos → server', 'quality/chaos/main.ts', imports('@millpond/server')],
    ['bench → cli', 'quality/bench/main.ts', imports('millpond')],
    ['engines → protocol', 'quality/engines/index.ts', imports('@millpond/protocol')],
    ['testing → server', 'quality/testing/index.ts', imports('@millpond/server')],
    ['a type → server', 'quality/testing/index.ts', "import type { Config } from '@millpond/server';"],
    ['by re-export', 'quality/testing/index.ts', "export { Config } from '@millpond/server';"],
    ['by import()', 'quality/testing/index.ts', "await import('@millpond/server');"],
  ],
  'package-entry': [
    ['a path into another package', 'packages/cli/src/main.ts', imports('../../server/src/index.ts')],
    ['a path into another folder', 'quality/bench/main.ts', imports('../../deploy/nginx/start.ts')],
    ['a deep path', 'packages/cli/src/main.ts', imports('@millpond/server/src/server.ts')],
    ['a file of blobs', `${server}/infra/infra.ts`, imports('@millpond/blobs/src/store.ts')],
    ['a path into the jail', `${server}/infra/infra.ts`, imports('../../../jail/src/index.ts')],
    ['an absolute path', 'packages/cli/src/main.ts', imports('/srv/thing.ts')],
  ],
  'pure-protocol': [
    ['Node', 'packages/protocol/src/entry.ts', imports('node:crypto')],
    ['a dependency', 'packages/protocol/src/entry.ts', imports('ipaddr.js')],
  ],
  'server-layer': [
    ['http → a domain', `${server}/http/app.ts`, imports('../storage/objects/index.ts')],
    ['http → main', `${server}/http/app.ts`, imports('../server.ts')],
    ['http → compose', `${server}/http/app.ts`, imports('../compose/features.ts')],
    ['a domain → http', `${server}/storage/objects/routes.ts`, imports('../../http/app.ts')],
    ['a domain → config', `${server}/storage/objects/routes.ts`, imports('../../config/config.ts')],
    ['platform → a domain', `${server}/platform/cache.ts`, imports('../storage/objects/index.ts')],
    ['platform → http', `${server}/platform/cache.ts`, imports('../http/metrics.ts')],
    ['platform → config', `${server}/platform/db/database.ts`, imports('../../config/config.ts')],
    ['platform → engines', `${server}/platform/cache.ts`, imports('../infra/infra.ts')],
    ['a domain → compose', `${server}/storage/objects/routes.ts`, imports('../../compose/features.ts')],
    ['engines → compose', `${server}/infra/infra.ts`, imports('../compose/features.ts')],
    ['compose → work', `${server}/compose/features.ts`, imports('../work/jobs.ts')],
    ['work → main', `${server}/work/jobs.ts`, imports('../server.ts')],
    ['config → platform', `${server}/config/config.ts`, imports('../platform/cache.ts')],
  ],
  'domain-floor': [
    ['upwards', `${server}/identity/accounts/accounts.service.ts`, imports('../../storage/objects/index.ts')],
    [
      'one domain up',
      `${server}/storage/objects/objects.service.ts`,
      imports('../../media/processing/index.ts'),
    ],
    ['limits above', `${server}/storage/objects/objects.service.ts`, imports('../../transfer/limits.ts')],
    ['from limits', `${server}/storage/limits.ts`, imports('../media/limits.ts')],
  ],
  'feature-floor': [
    ['sideways', `${server}/transfer/uploads/uploads.create.ts`, imports('../downloads/index.ts')],
    ['one floor up', `${server}/storage/buckets/buckets.service.ts`, imports('../objects/index.ts')],
    ['from limits to a feature', `${server}/storage/limits.ts`, imports('./objects/index.ts')],
  ],
  'feature-entry': [
    [
      'another feature’s file',
      `${server}/transfer/uploads/uploads.create.ts`,
      imports('../../storage/objects/store.ts'),
    ],
    ['from main', `${server}/operator.ts`, imports('./storage/objects/store.ts')],
    ['from compose', `${server}/compose/features.ts`, imports('../storage/objects/store.ts')],
    [
      'a test → another feature’s file',
      `${server}/live/streams/x.test.ts`,
      imports('../../storage/objects/store.ts'),
    ],
    [
      'an inner index',
      `${server}/transfer/uploads/uploads.create.ts`,
      imports('../../storage/objects/inner/index.ts'),
    ],
  ],
  library: [
    ['undici in a feature', `${server}/transfer/uploads/uploads.create.ts`, imports('undici')],
    ['undici to the engine', 'packages/blobs/src/s3/client.ts', imports('undici')],
    ['a type of undici', `${server}/http/app.ts`, "import type { Pool } from 'undici';"],
    ['pg in a feature', `${server}/storage/objects/objects.store.ts`, "import pg from 'pg';"],
    ['pg behind a type', `${server}/storage/objects/objects.store.ts`, "import pg, { type Pool } from 'pg';"],
    ['pg in acceptance’s neighbour', 'quality/conformance/thing.ts', "import pg from 'pg';"],
    ['a deep path', `${server}/work/jobs.ts`, imports('pg/lib/client.js')],
    ['sharp in a feature', `${server}/transfer/uploads/inspect.ts`, "import sharp from 'sharp';"],
    ['sharp outside the sandbox', 'packages/jail/src/inspect/media.ts', "import sharp from 'sharp';"],
    ['a program outside the sandbox', 'packages/jail/src/inspect/media.ts', imports('node:child_process')],
    ['a program in a feature', `${server}/transfer/uploads/uploads.create.ts`, imports('node:child_process')],
    ['by its old name', `${server}/server.ts`, imports('child_process')],
    ['a permit in the jail', 'packages/jail/src/media/x.ts', imports('../sandbox/unconfined-permit.ts')],
    ['a permit in the server', `${server}/server.ts`, imports('@millpond/jail/unconfined')],
    [
      'a permit in a command',
      'packages/cli/src/commands/operator/serve.ts',
      imports('@millpond/server/unconfined'),
    ],
    [
      'a permit elsewhere in dev',
      'packages/cli/src/dev/environment.ts',
      imports('@millpond/server/unconfined'),
    ],
    ['a router of its own', `${server}/faces/s3/listener.ts`, imports('find-my-way')],
    ['another reader of forms', `${server}/transfer/uploads/form/form.ts`, imports('node:querystring')],
    ['a program in the protocol', 'packages/protocol/src/entry.ts', imports('node:child_process')],
  ],
  'tests-stay-tests': [
    ['vitest in the code', `${server}/platform/cache.ts`, imports('vitest')],
    ['a test', `${server}/platform/cache.ts`, imports('./cache.test.ts')],
    ['support of tests', `${server}/platform/queue/queue.ts`, imports('./queue.testing.ts')],
    ['support of another package’s tests', `${server}/infra/infra.ts`, imports('@millpond/blobs/testing')],
    ['a folder of support', 'packages/blobs/src/index.ts', imports('./testing/engine.ts')],
    ['test/ of the protocol', 'packages/protocol/src/entry.ts', imports('../test/faults.ts')],
  ],
  environment: [
    ['in platform', `${server}/platform/cache.ts`, 'const level = process.env.LEVEL;'],
    ['in engines', `${server}/infra/infra.ts`, 'const { env } = process;'],
    ['by import', `${server}/infra/infra.ts`, "import { env } from 'node:process';"],
    ['in the protocol', 'packages/protocol/src/entry.ts', 'const level = process.env.LEVEL;'],
  ],
  sql: [
    [
      'in a service',
      `${server}/storage/objects/objects.service.ts`,
      "query('SELECT key FROM region.objects');",
    ],
    [
      'in a template',
      `${server}/storage/objects/objects.service.ts`,
      'query(`\n  DELETE FROM $'.concat('{table}`);'),
    ],
    ['an insert', `${server}/http/app.ts`, "query('INSERT INTO a VALUES (1)');"],
    ['an update', `${server}/compose/features.ts`, "query('UPDATE a SET b = 1');"],
    ['in the server itself', `${server}/server.ts`, "query('SELECT 1 FROM region.objects');"],
    ['in the command', 'packages/cli/src/main.ts', "query('SELECT 1');"],
    ['in acceptance', 'quality/acceptance/first.test.ts', "query('SELECT 1');"],
  ],
  'number-once': [
    ['a mebibyte', `${server}/transfer/uploads/x.ts`, 'const most = 4 * 1024 * 1024;'],
    ['a mebibyte as a power', 'packages/jail/src/media/x.ts', 'const most = 64 * 1024 ** 2;'],
    ['a mebibyte of its own', 'packages/client/src/x.ts', 'const MIB = 1_048_576;'],
    ['the number of parts', `${server}/transfer/uploads/x.ts`, 'const MAX_PARTS = 10_000;'],
    ['parts in a condition', 'packages/blobs/src/s3/x.ts', 'if (10000 < parts.length) stop();'],
    ['the length of a key', `${server}/transfer/uploads/x.ts`, 'const MAX_PREFIX_BYTES = 750;'],
    ['days', 'packages/cli/src/x.ts', 'const MAX_DAYS = 36_500;'],
  ],
  'text-decoder': [
    ['a form', `${server}/identity/accounts/accounts.parameters.ts`, 'new URLSearchParams(text).get(name);'],
    ['escapes', `${server}/platform/web/web.target.ts`, 'const key = decodeURIComponent(text);'],
    ['escapes by their old name', `${server}/http/app.ts`, 'const key = unescape(text);'],
    ['bytes', `${server}/transfer/uploads/form/form.ts`, 'new TextDecoder().decode(bytes);'],
    ['bytes in the protocol', 'packages/protocol/src/entry.ts', "new TextDecoder('utf-8').decode(bytes);"],
    ['a body', `${server}/media/processing/tasks/submit.routes.ts`, 'parse(call.body.toString());'],
    ['a body of any name', `${server}/live/streams/engines/hooks.ts`, 'parse(body.toString());'],
    ['by the name of the encoding', `${server}/live/streams/hook.ts`, "parse(bytes.toString('utf8'));"],
  ],
};

describe.each(Object.entries(planted))('%s', (rule, plants) => {
  test.each(plants)('reports %s', (_what, file, text) => {
    const { violations } = checkFiles(new Map([[file, `// A first line.\n${text}`]]));
    expect(violations.map((violation) => violation.rule)).toContain(rule);
    expect(violations.every((violation) => violation.file === file)).toBe(true);
    if (rule !== 'known-place') expect(violations.at(0)?.line).toBe(2);
  });
});

test.each<Plant>([
  ['cli → server', 'packages/cli/src/main.ts', imports('@millpond/server')],
  ['server → jail', `${server}/infra/infra.ts`, imports('@millpond/jail')],
  ['jail → blobs', 'packages/jail/src/media/x.ts', imports('@millpond/blobs')],
  ['server → the permit’s entry point', `${server}/unconfined.ts`, imports('@millpond/jail/unconfined')],
  ['a test → support of another package', `${server}/http/x.test.ts`, imports('@millpond/outbound/testing')],
  ['bench → server', 'quality/bench/main.ts', imports('@millpond/server')],
  ['a named entry point', 'quality/bench/main.ts', imports('@millpond/deploy/nginx')],
  ['server test → testing', `${server}/http/app.test.ts`, imports('@millpond/testing')],
  ['protocol test → Node', 'packages/protocol/src/entry.test.ts', imports('node:crypto')],
  ['protocol test/ → Node', 'packages/protocol/test/hashing.ts', imports('node:crypto')],
  ['compose → a feature', `${server}/compose/features.ts`, imports('../transfer/uploads/index.ts')],
  [
    'two floors down',
    `${server}/transfer/uploads/uploads.create.ts`,
    imports('../../identity/accounts/index.ts'),
  ],
  ['a floor down', `${server}/transfer/uploads/uploads.create.ts`, imports('../fetches/index.ts')],
  ['limits of the own domain', `${server}/transfer/uploads/uploads.create.ts`, imports('../limits.ts')],
  ['limits of a domain below', `${server}/transfer/limits.ts`, imports('../storage/limits.ts')],
  ['limits from main', `${server}/operator.ts`, imports('./storage/limits.ts')],
  [
    'a test → another feature’s testing',
    `${server}/live/streams/x.test.ts`,
    imports('../../storage/objects/objects.testing.ts'),
  ],
  ['inside a feature', `${server}/transfer/uploads/uploads.create.ts`, imports('./form.ts')],
  ['inside platform', `${server}/platform/queue/queue.ts`, imports('../db/database.ts')],
  ['a type of pg', `${server}/storage/objects/objects.store.ts`, "import type pg from 'pg';"],
  ['undici for guarded calls', 'packages/outbound/src/client.ts', imports('undici')],
  ['sharp in the sandbox', 'packages/jail/src/images/sandboxed/x.ts', "import sharp from 'sharp';"],
  ['sharp in a test', 'packages/jail/src/inspect/image.test.ts', "import sharp from 'sharp';"],
  ['programs in the sandbox’s own code', 'packages/jail/src/sandbox/run.ts', imports('node:child_process')],
  ['programs of the engines', 'quality/engines/ceph.ts', imports('node:child_process')],
  ['SQL in a store', `${server}/storage/objects/upkeep/trash-upkeep.store.ts`, "query('SELECT 1');"],
  ['SQL in a statement', `${server}/storage/objects/commit/commit-statement.ts`, "query('SELECT 1');"],
  ['SQL in a comment', `${server}/server.ts`, '// SELECT key FROM region.objects'],
  ['the environment in config', `${server}/config/config.ts`, 'read(process.env);'],
  ['the environment in a comment', `${server}/infra/infra.ts`, '// process.env'],
  ['the decoder itself', 'packages/protocol/src/utf8.ts', "new TextDecoder('utf-8').decode(bytes);"],
  ['decoders in a test', `${server}/transfer/uploads/form/form.test.ts`, 'new URLSearchParams(text);'],
  ['the type of what was decoded', `${server}/live/streams/x.ts`, 'let query: URLSearchParams;'],
  ['our own bytes', `${server}/events/deliveries/delivery-json.ts`, 'say(row.body.toString());'],
  ['bytes one by one', `${server}/transfer/uploads/form/form-parser.ts`, "bytes.toString('latin1');"],
  [
    'the number of parts among the limits',
    'packages/protocol/src/limits/limits.ts',
    'const MAX_PARTS = 10_000;',
  ],
  ['mebibytes in a test', `${server}/http/x.test.ts`, 'const most = 4 * 1024 * 1024;'],
  ['a time of that many', `${server}/http/x.ts`, 'const WAIT_MS = 10_000;'],
  ['mebibytes in words', `${server}/http/x.ts`, '// 4 * 1024 * 1024'],
  ['a number', `${server}/transfer/uploads/x.ts`, 'uid.toString();'],
  ['a file of the root', 'vitest.config.ts', imports('vitest/config')],
])('allows %s', (_what, file, text) => {
  expect(checkFiles(new Map([[file, text]])).violations).toEqual([]);
});

test('every feature may import each feature of a domain below, or on a floor below in its own, and no other', () => {
  const features = domains.flatMap(({ domain, floors }, height) =>
    floors.flatMap((names, floor) => names.map((name) => ({ name, domain, height, floor }))),
  );
  for (const from of features)
    for (const to of features) {
      if (from === to) continue;
      const file = `${server}/${from.domain}/${from.name}/service.ts`;
      const target = `../../${to.domain}/${to.name}/index.ts`;
      const { violations } = checkFiles(new Map([[file, imports(target)]]));
      const isBelow = to.height === from.height ? to.floor > from.floor : to.height > from.height;
      expect([from.name, to.name, violations.length]).toEqual([from.name, to.name, isBelow ? 0 : 1]);
    }
});

describe('of several files', () => {
  const rulesBroken = (wanted: RuleName, files: readonly (readonly [string, string])[]) =>
    checkFiles(new Map(files))
      .violations.filter(({ rule }) => rule === wanted)
      .map(({ file, why }) => `${file}: ${why}`);
  const at = (name: string) => `${server}/storage/objects/${name}.ts`;

  test('reports a circle of imports once, with its whole way', () => {
    const files = [
      [at('first'), imports('./second.ts')],
      [at('second'), imports('./commit/third.ts')],
      [at('commit/third'), "import type { First } from '../first.ts';"],
      [at('beside'), imports('./first.ts')],
    ] as const;
    const way = ['first', 'second', 'commit/third', 'first'].map(at).join(' → ');
    expect(rulesBroken('circle', files)).toEqual([`${at('commit/third')}: ${way}`]);
  });

  test('reports a file that imports itself', () => {
    expect(rulesBroken('circle', [[at('first'), imports('./first.ts')]])).toEqual([
      `${at('first')}: ${at('first')} → ${at('first')}`,
    ]);
  });

  test('allows two ways to one file', () => {
    const files = [
      [at('first'), imports('./second.ts') + imports('./third.ts')],
      [at('second'), imports('./third.ts')],
      [at('third'), 'export {};'],
    ] as const;
    expect(rulesBroken('circle', files)).toEqual([]);
  });

  test('reports a folder with more files than the table allows, and counts no tests', () => {
    const many = (count: number, ending: string) =>
      Array.from({ length: count }, (_, nth) => [at(`lists/${nth}${ending}`), 'export {};'] as const);
    expect(rulesBroken('full-folder', [...many(maxFilesPerFolder, ''), ...many(5, '.test')])).toEqual([]);
    expect(rulesBroken('full-folder', many(maxFilesPerFolder + 1, ''))).toEqual([
      expect.stringMatching(/lists: 26 files/),
    ]);
  });

  describe('a small file that one other file uses', () => {
    const used = at('commit/used');
    const file = (lines: number, text = '') => text + '\n'.repeat(lines - text.split('\n').length + 1);
    const importing = (user: string, target: string, lines = 5) =>
      [user, file(lines, imports(target))] as const;

    test.each<[string, (readonly [string, string])[]]>([
      ['', [[used, file(minLinesAlone - 1)], importing(at('user'), './commit/used.ts')]],
      [
        ' even if tests use it too',
        [
          [used, file(5)],
          importing(at('user'), './commit/used.ts'),
          importing(at('commit/used.test'), './used.ts'),
          importing(at('objects.testing'), './commit/used.ts'),
        ],
      ],
      [
        ' even if it is imported only when needed',
        [
          [used, file(5)],
          [at('user'), file(5, "await import('./commit/used.ts');\n")],
        ],
      ],
    ])('is reported%s', (_what, files) => {
      expect(rulesBroken('small-file', files)).toEqual([
        expect.stringMatching(/used\.ts: \d+ lines that only .*user\.ts uses: move them there/),
      ]);
    });

    test('is reported if it is an index.ts that another one passes on', () => {
      const files = [
        importing(at('index'), './commit/index.ts'),
        importing(at('commit/index'), './used.ts'),
        [used, file(5)],
      ] as const;
      expect(rulesBroken('small-file', files)).toEqual([expect.stringContaining(at('commit/index'))]);
    });

    test.each<[string, (readonly [string, string])[]]>([
      ['is not small', [[used, file(minLinesAlone)], importing(at('user'), './commit/used.ts')]],
      [
        'has two users',
        [
          [used, file(5)],
          importing(at('user'), './commit/used.ts'),
          importing(at('other'), './commit/used.ts'),
        ],
      ],
      ['is passed on', [[used, file(5)], importing(at('index'), './commit/used.ts')]],
      ['is an entry point', [[at('commit/index'), file(5)], importing(at('user'), './commit/index.ts')]],
      [
        'would make the other too long',
        [[used, file(5)], importing(at('user'), './commit/used.ts', maxJoinedLines)],
      ],
      ['has a role', [[at('objects.metrics'), file(5)], importing(at('user'), './objects.metrics.ts')]],
    ])('is no fault if it %s', (_what, files) => {
      expect(rulesBroken('small-file', files)).toEqual([]);
    });

    test('every row that allows some is needed', async () => {
      const sources = new Map([...(await readTree(root))].map(([name, text]) => [name, readSource(text)]));
      const isNeeded = (row: SmallRow) =>
        checkSmallFiles(
          sources,
          smallFiles.filter((other) => other !== row),
        ).length > 0;
      expect(smallFiles.filter((row) => !isNeeded(row))).toEqual([]);
    });
  });

  test('reports the second file of a name, but for what every folder may have', () => {
    const named = (...names: string[]) => names.map((name) => [`${server}/${name}`, 'export {};'] as const);
    const apart = named(
      'storage/objects/index.ts',
      'storage/buckets/index.ts',
      'storage/limits.ts',
      'media/limits.ts',
    );
    expect(rulesBroken('same-name', [...apart, ...named('storage/objects/objects.store.ts')])).toEqual([]);
    expect(rulesBroken('same-name', named('storage/objects/store.ts', 'storage/buckets/store.ts'))).toEqual([
      expect.stringMatching(/buckets\/store\.ts: .*objects\/store\.ts has the same name/),
    ]);
    const elsewhere = [
      ['packages/blobs/src/s3/store.ts', ''],
      ['packages/blobs/src/disk/store.ts', ''],
    ] as const;
    expect(rulesBroken('same-name', elsewhere)).toEqual([]);
  });
});

describe('the run as a whole', () => {
  test('this repository keeps the rules', async () => {
    const result = checkFiles(await readTree(root));
    expect(result.violations).toEqual([]);
    expect(problemsOfRun(result)).toEqual([]);
  });

  test('reading too little is a fault', () => {
    expect(problemsOfRun(checkFiles(new Map()))).toContainEqual(expect.stringContaining('only 0 files'));
    const silent = new Map(
      Array.from({ length: 60 }, (_, n) => [`quality/engines/${n}.ts`, 'export {};'] as const),
    );
    expect(problemsOfRun(checkFiles(silent))).toContainEqual(expect.stringContaining('only 0 imports'));
  });

  test('the command ends with 1, and says where, in a tree of its own', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'millpond-imports-'));
    try {
      await cp(path.join(root, 'scripts/imports'), path.join(folder, 'scripts/imports'), { recursive: true });
      const run = promisify(execFile)(process.execPath, [path.join(folder, 'scripts/imports/main.ts')]);
      await expect(run).rejects.toMatchObject({ code: 1, stdout: expect.stringMatching(/only \d+ files/) });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
