// Queries to Ceph's monitor, answered by monitor.py (Ceph's client library has no binding for Node).

import { join } from 'node:path';
import { run } from './run.ts';

type Position = { epoch: number; manager: number };
export type OsdKey = { id: number; uuid: string; key: string };
export type ClusterStatus = {
  health: string;
  osdsUp: number;
  placementGroups: Record<string, number>;
  checks: Record<string, string>;
};

export type Monitor = {
  position(): Promise<Position>;
  addOsds(osds: OsdKey[]): Promise<void>;
  makePools(): Promise<void>;
  awaitUp(osds: number[], after: number): Promise<void>;
  awaitClean(osds: number, options: { previousManager?: number; settle?: number }): Promise<void>;
  status(): Promise<ClusterStatus>;
};

const secondsToHealth = 120;

export function monitorOf(folder: string): Monitor {
  const script = join(import.meta.dirname, '..', 'ceph', 'monitor.py');
  const ask = async (command: string, input: Record<string, unknown>, seconds = secondsToHealth) => {
    const args = [script, join(folder, 'ceph.conf'), String(seconds), command];
    // Debian's own Python is the one that Ceph's library is built for.
    return JSON.parse(
      await run('/usr/bin/python3', args, { input: JSON.stringify(input), cwd: folder }),
    ) as unknown;
  };
  return {
    position: async () => (await ask('position', {})) as Position,
    addOsds: async (osds) => void (await ask('add_osds', { osds })),
    makePools: async () => void (await ask('make_pools', {})),
    awaitUp: async (osds, after) => void (await ask('await_up', { osds, after })),
    awaitClean: async (osds, { previousManager, settle }) =>
      void (await ask('await_clean', {
        osds,
        previous_manager: previousManager ?? null,
        settle: settle ?? 0,
      })),
    status: async () => (await ask('status', {}, 10)) as ClusterStatus,
  };
}
