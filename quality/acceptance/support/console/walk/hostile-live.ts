/** Live streams and devices of such an account: what people call them is hostile, wherever the server takes it. */
import { randomBytes } from 'node:crypto';
import type { Client } from '@millpond/client/server';
import { acceptedNames } from './accepted-names.ts';
import { hostileNames } from './hostile-names.ts';

export interface HostileLive {
  readonly namespace: string;
  readonly stream: string;
  /** A namespace of the other kind. */
  readonly cameras: string;
  readonly camera: string;
  /** What its owner calls the camera. */
  readonly cameraName: string;
  readonly device: readonly string[];
}

const STREAM = 'stage-a';

export async function hostileLive(client: Client): Promise<HostileLive> {
  const [desc = ''] = hostileNames;
  const suffix = randomBytes(4).toString('hex');
  const [{ id: namespace }, { id: cameras }] = await Promise.all([
    client.live.createNamespace({ name: `walk-${suffix}`, desc }),
    client.live.createNamespace({ name: `cameras-${suffix}`, desc, accessType: 'gb28181' }),
  ]);
  await client.live.streams(namespace).create({ streamId: STREAM, desc });
  const ids = new Map<string, string>();
  const device = await acceptedNames(
    hostileNames.filter((_, n) => n % 9 === 0),
    async (name) => {
      const password = randomBytes(9).toString('hex');
      const { gbId } = await client.live.devices(cameras).create({ name, desc: name, password });
      ids.set(name, gbId);
    },
  );
  const [cameraName = ''] = device;
  return {
    namespace,
    stream: STREAM,
    cameras,
    cameraName,
    device,
    camera: ids.get(cameraName) ?? '',
  };
}
