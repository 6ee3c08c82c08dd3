/** The programs of the page about the library, run as they are printed, in their order. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useLive } from '../support/live/live.ts';
import { newBucket, target } from '../support/target.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const run = promisify(execFile);
const live = useLive();

/** Where the programs run: with the packages of this checkout. */
const folder = mkdtempSync(path.join(tmpdir(), 'millpond-sdk-guide-'));
/** In place of the page's own: other tests have one of that name. */
let bucket = '';
const video = path.join(folder, 'video.mp4');
beforeAll(async () => {
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  writeFileSync(video, 'a video');
  bucket = await newBucket();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Program {
  readonly name: string;
  readonly text: string;
  /** What the page says that it prints; `…` stands for anything. */
  readonly printed: string | undefined;
}

const page = readFileSync(path.join(ROOT, 'docs/sdk.md'), 'utf8');
const BLOCKS = /^```js (\S+)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/gms;
const programs: Program[] = [...page.matchAll(BLOCKS)].map(([, name = '', text = '', printed]) => ({
  name,
  text,
  printed,
}));
/** Run in a browser, by tests of its own. */
const ours = programs.filter(({ name }) => name !== 'browser');
const [client = ''] = /^import \{ Client.*?^\}\);\n/ms.exec(ours[0]?.text ?? '') ?? [];

/** Calls of live go where an engine is; all else to the deployment under test. */
function installationFor(name: string): Record<string, string> {
  const isLive = name === 'live';
  const { accessKey, secretKey } = isLive ? live.account : target.account;
  return {
    MILLPOND_URL: isLive ? live.url : target.secure.url,
    MILLPOND_ACCESS_KEY: accessKey,
    MILLPOND_SECRET_KEY: secretKey,
    NODE_EXTRA_CA_CERTS: target.trusted.certificate,
  };
}

function formOf(printed: string): RegExp {
  const pieces = printed.split('…').map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pieces.join('[^\\n]*')}$`);
}

describe('a program of the page about the library', () => {
  test('is there for what applications begin with', () => {
    expect(client).toContain('MILLPOND_ACCESS_KEY');
    expect(ours.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['server', 'variables', 'downloads', 'processing', 'live']),
    );
  });

  test.each(ours)('"$name" does and prints what the page says', async ({ name, text, printed }) => {
    const ownText = (given: string) =>
      given.replaceAll('photos', bucket).replaceAll('/data/video.mp4', video);
    const program = ownText(text.includes('new Client(') ? text : client + text);
    const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', program], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...installationFor(name) },
    });
    expect(stderr).toBe('');
    if (printed !== undefined) expect(stdout).toMatch(formOf(ownText(printed)));
  });
});
