/**
 * Kills senders, a gateway and PostgreSQL, in turn, while clients put, overwrite, move and delete objects of a bucket whose rule
 * tells everything to a receiver that fails now and then.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { formatEntry } from '@millpond/protocol';
import type { Random } from '@millpond/testing';
import { type Change, checkObjectEvents } from '../checks/object-events.ts';
import { storedHashes, untoldEvents } from '../engine/rows.ts';
import type { RequestOutcome } from '../load/client.ts';
import { type Contents, createContents, KIB } from '../load/contents.ts';
import { startEventReceiver } from '../load/events.ts';
import { killInTurn } from '../load/kills.ts';
import { tellEverything, toldChange, untilTold } from '../load/object-events.ts';
import { KillableServer } from '../load/server.ts';
import { Findings } from '../report.ts';
import { type RunContext, type RunEnvironment, withOwnDatabase } from '../run-environment.ts';

const CLIENTS = 8;
const KEYS_EACH = 4;
const SIZES = [64, 64, 4 * KIB, 60 * KIB];
const KNOCK_MS = 40;
const SETTINGS = { MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32', MILLPOND_TIME_FACTOR: '20' };
const SENDER = ['work', '--only', 'deliveries'];

export function runObjectEvents(context: RunContext): Promise<[Findings, object]> {
  return withOwnDatabase(context, async (environment, database) => {
    const { random, options, say } = context;
    const { deployment, account, bucket, regionUrl } = environment;
    const receiver = await startEventReceiver(random.fork('receiver'));
    const stop = new AbortController();
    try {
      const gateway = await KillableServer.start(deployment, SETTINGS);
      const senders = [
        await KillableServer.start(deployment, SETTINGS, SENDER),
        await KillableServer.start(deployment, SETTINGS, SENDER),
      ];
      const answered = await tellEverything(gateway.url, { account, bucket, receiver });
      if (answered !== 200) throw new Error(`the rule was answered ${answered}`);
      const contents = createContents(options.seed);
      const changes: Change[] = [];
      const clients = Array.from({ length: CLIENTS }, (_, number) => {
        const plan = { url: gateway.url, number, contents, random: random.fork(`client ${number}`) };
        return keepChanging(environment, plan, changes, stop.signal);
      });
      const kills = await killInTurn(context, { sender: senders, gateway: [gateway], database: [database] });
      stop.abort();
      await Promise.all(clients);
      say(`${changes.length} changes, ${receiver.arrivals.length} arrivals so far`);
      await untilTold(context, regionUrl);
      const findings = new Findings();
      const left = await untoldEvents(regionUrl);
      if (left > 0) findings.add('lost', `${left} events wait, and nothing is sent any more`);
      const arrivals = receiver.arrivals.map(toldChange);
      const stored = await storedHashes(regionUrl);
      const repeated = checkObjectEvents({ changes, arrivals, stored, kills: kills.times }, findings);
      const acknowledged = changes.filter(({ outcome }) => outcome === 'acknowledged').length;
      const details = { acknowledged, unknown: changes.length - acknowledged, arrivals: arrivals.length };
      return [findings, { ...details, repeated, kills: kills.counts }];
    } finally {
      stop.abort();
      await receiver.close();
    }
  });
}

interface ClientPlan {
  readonly url: string;
  readonly number: number;
  readonly contents: Contents;
  readonly random: Random;
}

/** Nobody else changes this client's keys. */
async function keepChanging(
  { client, bucket }: RunEnvironment,
  { url, number, contents, random }: ClientPlan,
  changes: Change[],
  stopped: AbortSignal,
): Promise<void> {
  const keys = Array.from({ length: KEYS_EACH }, (_, at) => `c${number}/k${at}`);
  const record = async (
    { outcome }: RequestOutcome,
    made: readonly Omit<Change, 'outcome'>[],
  ): Promise<void> => {
    if (outcome === 'acknowledged' || outcome === 'unknown')
      changes.push(...made.map((change) => ({ ...change, outcome })));
    if (outcome === undefined || outcome === 'unknown') await sleep(KNOCK_MS);
  };
  while (!stopped.aborted) {
    const [key, action] = [random.pick(keys), random.next()];
    if (action < 0.65) {
      const content = contents.make(random.pick(SIZES));
      const outcome = await client.upload(url, { key, mode: 'overwrite', content });
      await record(outcome, [{ key, hash: content.hash }]);
    } else if (action < 0.85) {
      await record(await client.manage(url, 'delete', key), [{ key, hash: undefined }]);
    } else {
      // What is moved is content of this client; which one, only the events say.
      const to = random.pick(keys.filter((other) => other !== key));
      const outcome = await client.manage(url, 'move', key, `${formatEntry(bucket, to)}/force/true`);
      await record(outcome, [{ key, hash: undefined }]);
    }
  }
}
