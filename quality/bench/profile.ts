/** Where the server's time goes: a V8 CPU profile of the whole run, reduced to the functions that took the most. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export interface SelfTime {
  readonly where: string;
  /** Share of the time that was not idle. */
  readonly share: number;
}

/** Settings that make a Node process write its profile into the folder when it ends. */
export function profileSettings(folder: string): Record<string, string> {
  return { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder} --cpu-prof-interval=500` };
}

export function selfTimes(profile: CpuProfile, most: number): SelfTime[] {
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
  const times = new Map<string, number>();
  let busy = 0;
  for (const [index, id] of profile.samples.entries()) {
    const name = names.get(id) ?? '';
    const time = profile.timeDeltas[index] ?? 0;
    if (name === '(idle)') continue;
    busy += time;
    times.set(name, (times.get(name) ?? 0) + time);
  }
  return [...times]
    .sort((one, other) => other[1] - one[1])
    .slice(0, most)
    .map(([where, time]) => ({ where, share: time / busy }));
}

export async function describeProfiles(folder: string, most: number): Promise<string> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile'));
  const tables = files.map(async (name) => {
    const profile = JSON.parse(await readFile(path.join(folder, name), 'utf8')) as CpuProfile;
    const lines = selfTimes(profile, most).map(
      ({ where, share }) => `  ${(share * 100).toFixed(1).padStart(5)} %  ${where}`,
    );
    return [`self time in ${path.join(folder, name)}:`, ...lines].join('\n');
  });
  return (await Promise.all(tables)).join('\n');
}

function placeOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  if (url === '') return name;
  return `${name} ${url.replace(/^file:\/\/.*\/(?=node_modules|packages)/, '')}:${lineNumber + 1}`;
}
