/** The metrics of a server with every feature enabled that has metrics. */
import { createDeployment } from './deployment.ts';
import { freePort } from './ports.ts';
import { type ExposedMetric, parseExposition } from './prometheus.ts';

export async function servedMetrics(): Promise<ReadonlyMap<string, ExposedMetric>> {
  const settings = {
    MILLPOND_SIP_LISTEN: `sip://127.0.0.1:${await freePort()}`,
    MILLPOND_MEDIA_SLOTS: '1',
  };
  const deployment = await createDeployment({ store: 'disk', settings });
  try {
    const { adminUrl } = await deployment.start();
    return parseExposition(await (await fetch(`${adminUrl}/metrics`)).text());
  } finally {
    await deployment.destroy();
  }
}
