/** What such a studio streams: a namespace of its stages, and one of the cameras on the quay. */
import type { Client } from '@millpond/client/server';

export interface StudioLive {
  readonly stages: string;
  readonly stream: string;
  /** The namespace of the cameras. */
  readonly quay: string;
  readonly camera: string;
}

const STREAMS = { 'stage-a': 'main stage', 'stage-b': 'tent by the lighthouse', 'ferry-deck': '' };
const CAMERAS = ['Slipway', 'Harbour gate', 'Boathouse roof'];
const PASSWORD = 'of-no-use-here';

export async function studioLive(client: Client): Promise<StudioLive> {
  const { id: stages } = await client.live.createNamespace({ name: 'stages', desc: 'festival, three days' });
  for (const [streamId, desc] of Object.entries(STREAMS))
    await client.live.streams(stages).create({ streamId, desc });
  const { id: quay } = await client.live.createNamespace({
    name: 'quay',
    desc: 'cameras',
    accessType: 'gb28181',
  });
  let camera = '';
  for (const name of CAMERAS)
    camera = (await client.live.devices(quay).create({ name, password: PASSWORD })).gbId;
  return { stages, stream: 'stage-a', quay, camera };
}
