/** Two gateways are restarted in turn under uploads and downloads by http and https, and no request may be lost. */
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, makeCertificate } from '@millpond/testing';
import { Gateways } from '../load/gateways.ts';
import { runLanes } from '../load/lanes.ts';
import { KillableServer } from '../load/server.ts';
import { Findings } from '../report.ts';
import {
  LONG_PERIODS,
  type RunContext,
  type RunEnvironment,
  withRunEnvironment,
} from '../run-environment.ts';

const SETTINGS = {
  ...LONG_PERIODS,
  // Longer than `Gateways` takes to notice.
  MILLPOND_DRAIN_DELAY: '2500ms',
  MILLPOND_DRAIN_TIMEOUT: '60s',
};
/** How long both are there between two restarts: both get load again. */
const BETWEEN_MS = 1_500;
const READY_TIMEOUT_MS = 10_000;

export function runRestarts(context: RunContext): Promise<[Findings, object]> {
  return withRunEnvironment(context, async (environment) => {
    const certificate = await makeCertificate();
    try {
      return await restart(context, environment, certificate);
    } finally {
      await certificate.remove();
    }
  });
}

async function restart(
  { options, random, signal, say }: RunContext,
  { deployment, account, bucket }: RunEnvironment,
  certificate: Awaited<ReturnType<typeof makeCertificate>>,
): Promise<[Findings, object]> {
  const secureUrls = new Map<string, string>();
  const start = async () => {
    const secureUrl = `https://127.0.0.1:${await freePort()}`;
    const url = `http://127.0.0.1:${await freePort()}`;
    const listen = { MILLPOND_LISTEN: `${url},${secureUrl}` };
    const server = await KillableServer.start(deployment, {
      ...certificate.settings,
      ...SETTINGS,
      ...listen,
    });
    secureUrls.set(server.url, secureUrl);
    return server;
  };
  const servers = [await start(), await start()];
  const gateways = new Gateways(servers, READY_TIMEOUT_MS);
  const stop = new AbortController();
  const stopped = AbortSignal.any([signal, stop.signal]);
  const plan = { gateways, secureUrls, certificate: certificate.text, account, bucket, random, stopped };
  const load = Promise.all([runLanes(plan), gateways.watch(stopped)]);
  const drains: number[] = [];
  try {
    for (let n = 0; n < options.rounds; n++) {
      const server = servers[n % servers.length];
      const others = servers.filter((each) => each !== server).map(({ url }) => url);
      while (!others.every((url) => gateways.ready.includes(url))) await sleep(50, undefined, { signal });
      const begin = performance.now();
      await server?.stop();
      drains.push(Math.round(performance.now() - begin));
      await server?.startAgain();
      await sleep(BETWEEN_MS, undefined, { signal });
      if ((n + 1) % 10 === 0) say(`${n + 1} restarts`);
    }
  } finally {
    stop.abort();
  }
  const [counts] = await load;
  const findings = new Findings();
  const requests: Record<string, { sent: number; lost: number }> = {};
  for (const [kind, { sent, lost }] of counts) {
    requests[kind] = { sent, lost: lost.length };
    if (sent === 0) findings.add('wrong', `no request by ${kind}`);
    for (const each of lost) findings.add('failed', `${kind}: ${each}`);
  }
  const sent = Object.values(requests).reduce((sum, each) => sum + each.sent, 0);
  return [
    findings,
    {
      acknowledged: sent - findings.count('failed'),
      restarts: drains.length,
      requests,
      longestDrainMs: Math.max(...drains),
    },
  ];
}
