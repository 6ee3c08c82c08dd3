/**
 * The console's list of one folder with a million keys, in a real browser: how soon its first rows are there, and how long the
 * page stands still while one reads on, scrolls, and jumps to any place of it.
 */
import { loadavg } from 'node:os';
import { createRandom, freePort, runCommand } from '@millpond/testing';
import { type Browser, chromium, type Page } from 'playwright-core';
import { fillObjects } from '../fill.ts';
import type { Options } from '../options.ts';
import { openStage } from '../stage.ts';
import { percentile, rounded } from '../statistics.ts';

const KEYS = 1_000_000;
const PASSWORD = 'correct horse battery';
const BROWSER = '/usr/bin/chromium';
const POSITIONS = 100;
const LONG_MS = 50;
/** Only a hang takes so long. */
const TIMEOUT_MS = 600_000;
const SEED = 'console-list';

interface Figures {
  /** From the click on the folder, and from the start of a load of the page, until a name is seen. Bound: 1,000. */
  readonly firstRowsMs: { readonly opened: readonly number[]; readonly loaded: readonly number[] };
  /** While all keys were read and the list was scrolled. */
  readonly reading: Tasks & { readonly seconds: number };
  /** For each of many places: the longest task until its rows were seen. Bound of the p95: 50. */
  readonly places: Tasks & { readonly p95Ms: number; readonly seenP95Ms: number };
  /** The same places by the processor time of the page's tasks, whatever else the machine does. */
  readonly processor: Tasks & { readonly tasks: number };
  readonly heapMiB: number;
  readonly load: readonly number[];
}

/** Those that kept the page from answering for more than 50 ms. */
interface Tasks {
  readonly longTasks: number;
  readonly longestMs: number;
}

export async function benchConsoleList(options: Options, cleanup: AsyncDisposableStack): Promise<object> {
  const rows = options.rows || KEYS;
  const before = loadavg().map(rounded);
  const [url, consoleUrl] = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${port}`);
  const stage = await openStage({
    store: 'disk',
    quiet: options.json,
    settings: { MILLPOND_LISTEN: `${url},${consoleUrl}/console`, MILLPOND_PLAIN_HTTP: 'true' },
  });
  cleanup.defer(() => stage.close());
  const { environment } = stage.deployment;
  await runCommand(environment, ['account', 'password', stage.account.email], `${PASSWORD}\n`);
  const filled = await fillObjects(stage.regionDb, rows, () => undefined, rows);
  const first = filled.keyAt(0);
  const folder = first.slice(0, first.lastIndexOf('/'));
  const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox', '--disable-gpu'] });
  cleanup.defer(() => browser.close());
  const page = await signedIn(browser, consoleUrl ?? '', stage.account.email);
  const figures = await measure(
    browser,
    page,
    `/buckets/${stage.buckets[0]}/objects/${folder}`,
    options.rounds,
  );
  return { name: 'console-list', keys: rows, seed: SEED, ...figures, load: [...before, ...figures.load] };
}

async function signedIn(browser: Browser, baseURL: string, email: string): Promise<Page> {
  const context = await browser.newContext({ baseURL, viewport: { width: 1440, height: 900 }, locale: 'en' });
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  await page.goto('/');
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.locator('button[type=submit]').click();
  await page.locator('.app').waitFor();
  return page;
}

async function measure(browser: Browser, page: Page, address: string, rounds: number): Promise<Figures> {
  const above = address.slice(0, address.lastIndexOf('/'));
  const [opened, loaded]: number[][] = [[], []];
  for (let round = 0; round < rounds; round++) {
    await page.goto(above);
    await page.locator('.objects_folder-row a').waitFor();
    const clicked = await page.evaluate<number>('performance.now()');
    await page.locator('.objects_folder-row a').click();
    opened?.push(rounded((await firstRow(page)) - clicked));
    await page.goto(address);
    loaded?.push(rounded(await firstRow(page)));
  }
  await page.evaluate(WATCH_TASKS);
  const reading = await readAll(page);
  await browser.startTracing(page, { categories: ['toplevel'] });
  const places = await jump(page);
  const processor = processorTimes(await browser.stopTracing());
  const heap = await page.evaluate<number>('performance.memory.usedJSHeapSize');
  return {
    firstRowsMs: { opened: opened ?? [], loaded: loaded ?? [] },
    reading,
    places,
    processor,
    heapMiB: rounded(heap / 1024 ** 2),
    load: loadavg().map(rounded),
  };
}

/** When the first object was drawn, in milliseconds since the page began to load. */
async function firstRow(page: Page): Promise<number> {
  await page.locator('.objects_list-row:not(.objects_folder-row) .objects_size-cell').first().waitFor();
  return page.evaluate<number>('new Promise((drawn) => requestAnimationFrame(drawn))');
}

/** Keeps every long task since the last question. What runs in the page is text: types here are those of Node. */
const WATCH_TASKS = `
  globalThis.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasks.push(duration);
  }).observe({ type: 'longtask' });`;

function longTasks(page: Page): Promise<number[]> {
  return page.evaluate<number[]>('longTasks.splice(0)');
}

async function readAll(page: Page): Promise<Figures['reading']> {
  const began = performance.now();
  const [readOn, stop] = ['Read to the end', 'Stop'].map((name) =>
    page.getByRole('button', { name, exact: true }),
  );
  await readOn?.click();
  await stop?.waitFor();
  await page.locator('[role=grid]').hover();
  while (await stop?.isVisible()) await page.mouse.wheel(0, 300);
  const tasks = await longTasks(page);
  return { ...summary(tasks), seconds: rounded((performance.now() - began) / 1000) };
}

async function jump(page: Page): Promise<Figures['places']> {
  const random = createRandom(SEED);
  const [longest, seen, all]: [number[], number[], number[]] = [[], [], []];
  for (let place = 0; place < POSITIONS; place++) {
    seen.push(await page.evaluate<number>(scrollTo(random.next())));
    const tasks = await longTasks(page);
    all.push(...tasks);
    longest.push(Math.max(0, ...tasks));
  }
  return { ...summary(all), p95Ms: percentile(longest, 0.95), seenP95Ms: rounded(percentile(seen, 0.95)) };
}

/** Moves the scroll bar to this share of its length, and waits until every row in view has its name. */
const scrollTo = (share: number) => `(async () => {
  const grid = document.querySelector('[role=grid]');
  const frame = () => new Promise((next) => requestAnimationFrame(next));
  const began = performance.now();
  grid.scrollTop = ${share} * (grid.scrollHeight - grid.clientHeight);
  do {
    await frame();
    await frame();
  } while (grid.querySelector('[role=row] .skeleton') !== null || grid.querySelector('.objects_size-cell') === null);
  const took = performance.now() - began;
  // Long tasks are told of a moment later.
  await new Promise((later) => setTimeout(later, 250));
  return took;
})()`;

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of its thread. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** CPU times of the threads that run pages. */
function processorTimes(trace: Buffer): Figures['processor'] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(threadOf),
  );
  const times = traceEvents
    .filter((event) => event.name.endsWith('RunTask') && pages.has(threadOf(event)))
    .map(({ tdur = 0 }) => tdur / 1000);
  const longest = times.reduce((most, time) => Math.max(most, time), 0);
  return {
    tasks: times.length,
    longTasks: times.filter((time) => time > LONG_MS).length,
    longestMs: rounded(longest),
  };
}

function summary(tasks: readonly number[]): Tasks {
  return { longTasks: tasks.length, longestMs: Math.max(0, ...tasks) };
}
