/** Debian's nginx in front of a server, with the configuration shipped for it. */
import { startNginx } from '@millpond/deploy/nginx';
import type { Address } from './load/work.ts';
import { addressOf } from './requests.ts';
import type { Stage } from './stage.ts';

export interface Front {
  readonly address: Address;
  stop(): Promise<void>;
}

export async function startFront({ server, engine }: Stage): Promise<Front> {
  const nginx = await startNginx({
    gatewayUrl: server.url,
    engineUrl: `http://${engine.host}:${engine.port}`,
  });
  return { address: addressOf(nginx.url), stop: () => nginx.stop() };
}
