/**
 * Fails the build when a page would load more than it may. Counted is the JavaScript as it is sent, compressed, with everything
 * that it imports before it can run.
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

type Manifest = Readonly<Record<string, Chunk>>;

/** Prints what comes closest to its budget, and throws if something is beyond it. */
export async function keepBudget(folder: string): Promise<void> {
  const manifest = JSON.parse(await readFile(path.join(folder, '.vite/manifest.json'), 'utf8')) as Manifest;
  // It is for us alone: it says where this machine has its files.
  await rm(path.join(folder, '.vite'), { recursive: true });
  const first = new Set(FIRST.flatMap((name) => [...withImports(manifest, name)]));
  const sizeOf = (names: readonly string[]) =>
    sentBytes(
      folder,
      names.map((name) => manifest[name]?.file ?? ''),
    );
  const pages = [{ name: 'the first screen', size: await sizeOf([...first]), most: MOST_FIRST }];
  for (const [name, { isDynamicEntry }] of Object.entries(manifest)) {
    if (!isDynamicEntry) continue;
    const own = [...withImports(manifest, name)].filter((each) => !first.has(each));
    pages.push({ name, size: await sizeOf(own), most: PLAYER.test(name) ? MOST_PLAYER : MOST_MORE });
  }
  const largest = pages.toSorted((a, b) => b.size / b.most - a.size / a.most);
  for (const { name, size, most } of largest.slice(0, 5))
    process.stdout.write(`${kib(size)} of ${kib(most)}: ${name}\n`);
  const beyond = largest.filter((page) => page.size > page.most);
  if (beyond.length > 0)
    throw new Error(
      beyond
        .map(
          ({ name, size, most }) =>
            `${name} loads ${kib(size)} of JavaScript; it may load ${kib(most)}: see build/budget.ts`,
        )
        .join('\n'),
    );
}

/** The names of a chunk and of all that it imports. */
function withImports(manifest: Manifest, name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  const chunk = manifest[name];
  if (chunk === undefined) throw new Error(`the build has no ${name}: build/budget.ts names what is gone`);
  for (const each of chunk.imports ?? []) withImports(manifest, each, found);
  return found;
}

async function sentBytes(folder: string, files: readonly string[]): Promise<number> {
  const scripts = new Set(files.filter((file) => file.endsWith('.js')));
  const sizes = await Promise.all(
    [...scripts].map(async (file) => {
      const sent = await stat(path.join(folder, `${file}.br`)).catch(() => stat(path.join(folder, file)));
      return sent.size;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function kib(bytes: number): string {
  return `${(bytes / KIB).toFixed(1)} KiB`;
}
