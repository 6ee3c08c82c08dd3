/** Debian's nginx in front of a server, with the configuration that is shipped for it. */
import type { Address } from './load/work.ts';
import type { Stage } from './stage.ts';

export interface Nginx {
  readonly address: Address;
  stop(): Promise<void>;
}

export async function startNginx(_stage: Stage): Promise<Nginx> {
  throw new Error('not yet');
}
