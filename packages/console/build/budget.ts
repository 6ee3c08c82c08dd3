/**
 * `node budget.ts`: fails the build when a page would load more than it may. Counted is the JavaScript as it is sent, compressed,
 * with everything that it imports before it can run.
 */
import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly isDynamicEntry?: boolean;
}

const KIB = 1024;
/** What the first screen loads, in the language that has more to load. */
const FIRST = [
  'index.html',
  'src/screens/sign-in/sign-in.tsx',
  'src/screens/overview/overview.tsx',
  'src/uploads/tray.tsx',
  'src/words/zh-CN/common.json',
  'src/words/zh-CN/overview.json',
  'src/words/zh-CN/uploads.json',
];
const MOST_FIRST = 250 * KIB;
/** What any other screen, dialog or language adds to that. */
const MOST_MORE = 32 * KIB;
/** A player of streams is as large as it is; it is loaded when somebody presses play. */
const PLAYER = /playlist|player|hls/;
const MOST_PLAYER = 160 * KIB;

const dist = path.join(import.meta.dirname, '../dist');
const manifest = JSON.parse(await readFile(path.join(dist, '.vite/manifest.json'), 'utf8')) as Record<
  string,
  Chunk
>;

/** The names of a chunk and of all that it imports. */
function withImports(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  const chunk = manifest[name];
  if (chunk === undefined) throw new Error(`the build has no ${name}: build/budget.ts names what is gone`);
  for (const each of chunk.imports ?? []) withImports(each, found);
  return found;
}

async function sizeOf(names: Iterable<string>): Promise<number> {
  const files = new Set(
    [...names].map((name) => manifest[name]?.file ?? '').filter((file) => file.endsWith('.js')),
  );
  const sizes = await Promise.all(
    [...files].map(async (file) => {
      const sent = await stat(path.join(dist, `${file}.br`)).catch(() => stat(path.join(dist, file)));
      return sent.size;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

const first = new Set(FIRST.flatMap((name) => [...withImports(name)]));
const pages = [{ name: 'the first screen', size: await sizeOf(first), most: MOST_FIRST }];
for (const [name, { isDynamicEntry }] of Object.entries(manifest)) {
  if (!isDynamicEntry) continue;
  const own = [...withImports(name)].filter((each) => !first.has(each));
  pages.push({ name, size: await sizeOf(own), most: PLAYER.test(name) ? MOST_PLAYER : MOST_MORE });
}
const kib = (bytes: number) => `${(bytes / KIB).toFixed(1)} KiB`;
const largest = pages.toSorted((a, b) => b.size / b.most - a.size / a.most).slice(0, 5);
for (const { name, size, most } of largest) process.stdout.write(`${kib(size)} of ${kib(most)}: ${name}\n`);
for (const { name, size, most } of pages.filter((page) => page.size > page.most)) {
  process.stderr.write(
    `${name} loads ${kib(size)} of JavaScript; it may load ${kib(most)}: see build/budget.ts\n`,
  );
  process.exitCode = 1;
}
await rm(path.join(dist, '.vite'), { recursive: true });
