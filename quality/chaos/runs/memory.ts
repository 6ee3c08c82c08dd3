/** An hour of everything at a steady rate: what all processes use together must be at the end what it was after a quarter of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, type Memory, memoryOf } from '@millpond/testing';
import { startEventReceiver } from '../load/events.ts';
import { runMixture } from '../load/mixture.ts';
import { tellEverything } from '../load/object-events.ts';
import { Findings } from '../report.ts';
import { LONG_PERIODS, type RunContext, withRunEnvironment } from '../run-environment.ts';
import { growthOf, MAX_GROWTH } from '../soak/growth.ts';

const DEFAULT_MINUTES = 60;
const SAMPLE_INTERVAL_MS = 5_000;
const SETTINGS = {
  ...LONG_PERIODS,
  // What is replaced and removed goes within the run, as it does on a server that has been up for days.
  MILLPOND_TRASH_GRACE: '1m',
  MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32',
  MILLPOND_PLAIN_HTTP: 'true',
  // Small enough to be full after the first quarter: a cache that fills is no leak, and would hide one.
  MILLPOND_SMALL_CACHE: '8MiB',
  MILLPOND_INSPECT: 'true',
  MILLPOND_MEDIA_SLOTS: '1',
};

export function runMemory(context: RunContext): Promise<[Findings, object]> {
  return withRunEnvironment(context, async ({ deployment, account, bucket }) => {
    const { options, random, say, signal } = context;
    const findings = new Findings();
    const receiver = await startEventReceiver(random.fork('receiver'));
    const stop = new AbortController();
    try {
      const [url, s3Url] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
      const listen = { MILLPOND_LISTEN: `${url},${s3Url}/s3` };
      const server = await deployment.start({ settings: { ...SETTINGS, ...listen } });
      await tellEverything(url, { account, bucket, receiver });
      const stopped = AbortSignal.any([signal, stop.signal]);
      const load = runMixture({ url, s3Url, account, bucket, random, findings, stopped });
      const samples: Memory[] = [];
      const sampling = (async () => {
        const end = Date.now() + (options.minutes ?? DEFAULT_MINUTES) * 60_000;
        while (Date.now() < end) {
          await sleep(SAMPLE_INTERVAL_MS, undefined, { signal });
          samples.push(memoryOf(server.pid));
          if (samples.length % 12 === 0)
            say(`minute ${samples.length / 12}: ${JSON.stringify(samples.at(-1))}`);
        }
        stop.abort();
      })();
      const [requests] = await Promise.all([load, sampling]);
      const growth = growthOf(samples.map(({ residentMiB }) => residentMiB));
      if (growth !== undefined && growth.share > MAX_GROWTH)
        findings.add('wrong', `memory grew by ${(growth.share * 100).toFixed(1)} %`);
      const acknowledged = Object.values(requests).reduce((sum, each) => sum + each, 0);
      const events = receiver.arrivals.length;
      if (events === 0) findings.add('wrong', 'no event arrived');
      return [findings, { acknowledged, requests, events, growth, first: samples[0], last: samples.at(-1) }];
    } finally {
      stop.abort();
      await receiver.close();
    }
  });
}
