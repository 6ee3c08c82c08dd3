/**
 * Whether Kubernetes would take a manifest. Its schemas say which values are right but let unknown fields pass, which Kubernetes
 * drops: so their types, which don't, are asked too. For tests.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Manifest } from './render.ts';

const run = promisify(execFile);

/** The kinds of each version of an interface, and where they come from. */
const MODELS: Readonly<Record<string, readonly [from: string, kinds: () => Promise<object>]>> = {
  'apps/v1': ['kubernetes-models/apps/v1', () => import('kubernetes-models/apps/v1')],
  'autoscaling/v2': ['kubernetes-models/autoscaling/v2', () => import('kubernetes-models/autoscaling/v2')],
  'batch/v1': ['kubernetes-models/batch/v1', () => import('kubernetes-models/batch/v1')],
  'networking.k8s.io/v1': [
    'kubernetes-models/networking.k8s.io/v1',
    () => import('kubernetes-models/networking.k8s.io/v1'),
  ],
  'policy/v1': ['kubernetes-models/policy/v1', () => import('kubernetes-models/policy/v1')],
  v1: ['kubernetes-models/v1', () => import('kubernetes-models/v1')],
  'keda.sh/v1alpha1': [
    '@kubernetes-models/keda/keda.sh/v1alpha1',
    () => import('@kubernetes-models/keda/keda.sh/v1alpha1'),
  ],
  'monitoring.coreos.com/v1': [
    '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
    () => import('@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1'),
  ],
  'postgresql.cnpg.io/v1': [
    '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1',
    () => import('@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1'),
  ],
};

type Model = new (manifest: Manifest) => { validate(): void };

/** What is wrong, a line each. */
export async function faultsOf(manifests: readonly Manifest[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const manifest of manifests) {
    const [, kinds] = modelsOf(manifest);
    const { [manifest.kind]: Known } = (await kinds()) as Record<string, Model>;
    if (Known === undefined) throw new Error(`no model of ${manifest.kind}`);
    try {
      new Known(manifest).validate();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      faults.push(`${manifest.kind} ${manifest.metadata.name}: ${error.message}`);
    }
  }
  return [...faults, ...(await unknownFields(manifests))];
}

function modelsOf({ apiVersion, kind }: Manifest): readonly [from: string, kinds: () => Promise<object>] {
  const models = MODELS[apiVersion];
  if (models === undefined) throw new Error(`no models of ${apiVersion}, which has the kind ${kind}`);
  return models;
}

async function unknownFields(manifests: readonly Manifest[]): Promise<readonly string[]> {
  // Inside the project, where the models are found.
  const folder = await mkdtemp(path.join(import.meta.dirname, '.types-'));
  try {
    const lines = manifests.map((manifest, number) => {
      const type = `import('${modelsOf(manifest)[0]}').I${manifest.kind}`;
      return `export const manifest${number}: ${type} = ${JSON.stringify(manifest, null, 1)};`;
    });
    await writeFile(path.join(folder, 'manifests.ts'), lines.join('\n'));
    const compilerOptions = { module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true, types: [] };
    await writeFile(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['manifests.ts'] }),
    );
    await run('tsc', ['-p', folder], { cwd: folder });
    return [];
  } catch (error) {
    const { stdout } = error as { stdout?: string };
    if (stdout === undefined) throw error;
    return stdout.split('\n').filter((line) => line.trim() !== '');
  } finally {
    await rm(folder, { recursive: true });
  }
}
