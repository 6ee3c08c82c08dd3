/** Takes the store away from a deployment, and gives it back. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { Deployment } from '@millpond/testing';
import type { EngineProxy } from './proxy.ts';

export interface StoreAway {
  restore(): Promise<void>;
}

/** Undefined on disk: there `tmp` is replaced by a file. */
export async function takeStoreAway(
  { diskRoot }: Deployment,
  engine: EngineProxy | undefined,
): Promise<StoreAway> {
  if (engine !== undefined) {
    engine.cut();
    return { restore: async () => engine.restore() };
  }
  const folder = `${diskRoot}/tmp`;
  await rm(folder, { recursive: true });
  await writeFile(folder, '');
  return {
    async restore() {
      await rm(folder);
      await mkdir(folder);
    },
  };
}
