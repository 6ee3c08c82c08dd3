/** The pods that manifests make, and the settings that their containers get. For tests. */
import type { Manifest } from './render.ts';

export interface NamedResource {
  readonly name: string;
}

export interface Container extends NamedResource {
  readonly args: readonly string[];
  readonly resources: { readonly limits: { readonly memory: string } };
  // biome-ignore lint/suspicious/noExplicitAny: the schemas check it.
  readonly securityContext: any;
  readonly env: readonly (NamedResource & { readonly value?: string })[];
  readonly ports?: readonly NamedResource[];
}

interface Pod {
  readonly labels: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: the schemas check it.
  readonly spec: any;
  readonly claims: readonly NamedResource[];
}

export function podsOf({ kind, metadata, spec }: Manifest): readonly Pod[] {
  if (kind === 'Pod') return [{ labels: metadata.labels ?? {}, spec, claims: [] }];
  if (spec?.template?.spec === undefined) return [];
  const claims = (spec.volumeClaimTemplates ?? []).map((claim: Manifest) => claim.metadata);
  return [{ labels: spec.template.metadata.labels, spec: spec.template.spec, claims }];
}

export function containersOf(manifest: Manifest): readonly Container[] {
  return podsOf(manifest).flatMap(({ spec }) => spec.containers as readonly Container[]);
}

/** Its settings as the process would find them, with secrets of the right form. */
export function settingsOf({ env }: Container): Readonly<Record<string, string>> {
  const settings = env.flatMap(({ name, value = '' }) => {
    if (!name.startsWith('MILLPOND_')) return [];
    if (name.endsWith('_FILE')) return [[name.replace(/_FILE$/, ''), secretFor(name)]];
    return [[name, value.replace('$(POD_INDEX)', '0').replace('$(POD_IP)', '10.0.0.1')]];
  });
  return Object.fromEntries(settings);
}

/** The container with this command, such as `serve`. */
export function containerOf(manifests: readonly Manifest[], ...args: readonly string[]): Container {
  const found = manifests.flatMap(containersOf).find((each) => args.every((arg) => each.args.includes(arg)));
  if (found === undefined) throw new Error(`no container runs ${args.join(' ')}`);
  return found;
}

function secretFor(name: string): string {
  if (name.includes('_DB_')) return 'postgres://millpond:secret@db/millpond';
  return name.includes('MASTER_KEY') ? `k:${Buffer.alloc(32, 1).toString('base64')}` : 'secret';
}
