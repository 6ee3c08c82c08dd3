/**
 * The first minutes of somebody who clones the project, on a machine with nothing but Node and an npm:
 *
 *   node quality/testing/newcomer/main.ts [--npm <version>] [--this-node] [--wasm]
 *
 * `npm ci` in a clean clone, `npx millpond dev`, the console's first page, an upload and its thumbnail, and a film that is refused with a
 * reason; with --wasm then a frame of a film by the ffmpeg that npm has. Run by root it is done as nobody, with bubblewrap and ffmpeg hidden.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { npmSettings, signedFetch, uploadForm, uploadToken } from '../index.ts';
import { newcomer } from './as-newcomer.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const PICTURE = path.join(ROOT, 'docs/pictures/task.png');
const REFUSAL_TIMEOUT_MS = 1000;
const CORE = '@ffmpeg/core@0.12.10';

const { values } = parseArgs({
  options: {
    npm: { type: 'string' },
    // Newer npms want a newer Node than the machine's.
    'this-node': { type: 'boolean', default: false },
    wasm: { type: 'boolean', default: false },
  },
});
const npm = values.npm === undefined ? ['npm'] : ['npx', '--yes', `npm@${values.npm}`];

/** A folder with a space in its name, as people have. */
const place = mkdtempSync(path.join(tmpdir(), 'new comer-'));
chmodSync(place, 0o755);
const clone = path.join(place, 'mill pond');
execFileSync('git', ['clone', '--quiet', ROOT, clone]);
const cache = process.env.npm_config_cache ?? path.join(tmpdir(), 'newcomers-npm-cache');
mkdirSync(cache, { recursive: true });
if (process.getuid?.() === 0) execFileSync('chown', ['-R', '65534:65534', cache]);
const film = values.wasm ? makeFilm() : undefined;
const nodes = values['this-node'] ? [path.dirname(process.execPath)] : [];
const user = newcomer(place, nodes, {
  ...npmSettings(process.env),
  npm_config_cache: cache,
  npm_config_userconfig: path.join(place, '.npmrc'),
});

interface Started {
  readonly console: { readonly url: string };
  readonly env: Readonly<Record<string, string>>;
  readonly isUnconfined: boolean;
  readonly missing: readonly { readonly program: string }[];
}

let isRunning = false;
try {
  await step(`npm ${user.run(clone, ...npm, '--version').trim()} ci`, () => user.run(clone, ...npm, 'ci'));
  const dev = await step('millpond dev, with its console', start);
  await step('console: the first page', async () => {
    const page = await fetch(dev.console.url);
    const html = await page.text();
    check(
      page.status === 200 && html.includes('<script type="module"'),
      `${page.status}: ${html.slice(0, 200)}`,
    );
  });
  await step('an upload and its thumbnail', async () => {
    await put(dev, 'picture.png', readFileSync(PICTURE));
    const thumbnail = await fetch(
      `${dev.env.MILLPOND_URL}/photos/picture.png?imageView2/2/w/200/format/webp`,
    );
    const bytes = Buffer.from(await thumbnail.arrayBuffer());
    check(
      bytes.toString('latin1', 8, 12) === 'WEBP',
      `${thumbnail.status}: ${bytes.toString().slice(0, 200)}`,
    );
  });
  await step('a task that runs no program', () =>
    user.run(
      clone,
      'sh',
      '-ec',
      'eval "$(npx millpond dev env)" && npx millpond pfop :photos/picture.png --fops qhash/md5 --wait',
    ),
  );
  if (dev.missing.some(({ program }) => program === 'ffmpeg'))
    await step('a film is refused with a reason', () => refused(dev));
  stop();
  if (film !== undefined) {
    await step(`npm install ${CORE}`, () => user.run(clone, ...npm, 'install', '--no-save', CORE));
    const again = await step('millpond dev, with the ffmpeg that npm has', start);
    await step('a frame of a film', async () => {
      await put(again, 'film.mp4', film);
      const frame = await fetch(`${again.env.MILLPOND_URL}/photos/film.mp4?vframe/jpg/offset/1`);
      check(frame.headers.get('content-type') === 'image/jpeg', `${frame.status}: ${await frame.text()}`);
    });
  }
  process.stdout.write('the first minutes work\n');
} finally {
  stop();
  rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

async function step<Result>(name: string, work: () => Result | Promise<Result>): Promise<Result> {
  const begun = performance.now();
  const result = await work();
  process.stdout.write(`${((performance.now() - begun) / 1000).toFixed(1).padStart(7)} s  ${name}\n`);
  return result;
}

function start(): Started {
  const output = user.run(
    clone,
    'npx',
    'millpond',
    'dev',
    '--background',
    '--json',
    '--port',
    '0',
    '--log',
    'dev.log',
  );
  isRunning = true;
  return JSON.parse(output) as Started;
}

function stop(): void {
  if (isRunning) user.run(clone, 'npx', 'millpond', 'dev', 'stop');
  isRunning = false;
}

async function put({ env }: Started, key: string, content: Buffer): Promise<void> {
  const token = uploadToken(keysOf(env), { scope: `photos:${key}` });
  const answer = await uploadForm(env.MILLPOND_URL ?? '', new Uint8Array(content), { token, key });
  check(answer.status === 200, `${answer.status}: ${await answer.clone().text()}`);
}

async function refused({ env }: Started): Promise<void> {
  const body = new URLSearchParams({ bucket: 'photos', key: 'picture.png', fops: 'avthumb/mp4' }).toString();
  const begun = performance.now();
  const answer = await signedFetch(env.MILLPOND_URL ?? '', keysOf(env), '/pfop/', { body });
  const { hint = '' } = (await answer.json()) as { hint?: string };
  const took = performance.now() - begun;
  check(answer.status === 400 && /ffmpeg is missing/.test(hint), `${answer.status}: ${hint}`);
  check(took < REFUSAL_TIMEOUT_MS, `it took ${took} ms`);
}

function keysOf(env: Started['env']) {
  return { accessKey: env.MILLPOND_ACCESS_KEY ?? '', secretKey: env.MILLPOND_SECRET_KEY ?? '' };
}

/** Made by the ffmpeg of this machine, before it is hidden. */
function makeFilm(): Buffer {
  const file = path.join(place, 'film.mp4');
  const source = ['-f', 'lavfi', '-i', 'testsrc=duration=3:size=1280x720:rate=25'];
  execFileSync('ffmpeg', ['-v', 'error', ...source, file]);
  return readFileSync(file);
}

function check(holds: boolean, words: string): void {
  if (!holds) throw new Error(words);
}
