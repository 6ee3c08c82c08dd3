/** Kills senders, a gateway and PostgreSQL, in turn, while events of 40 entities go to a receiver that fails now and then. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openEventProducer } from '@millpond/testing';
import { type AddedEvent, checkEvents } from '../checks/events.ts';
import { repeatedSuccesses, waitingWords } from '../engine/rows.ts';
import { keepAdding, startEventReceiver } from '../load/events.ts';
import { killInTurn } from '../load/kills.ts';
import { KillableServer } from '../load/server.ts';
import { Findings } from '../report.ts';
import { type RunContext, withOwnDatabase } from '../run-environment.ts';

const ENTITIES = 40;
const ENDPOINTS = 5;
/**
 * What dead senders had leased comes back after 25 s, retries after their waits, and events of one entity come one by
 * one: none is given up as long as other missing ones arrive.
 */
const QUIET_MS = 120_000;
const MAX_LISTED_PROBLEMS = 10;
const SETTINGS = { MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32', MILLPOND_TIME_FACTOR: '20' };
const SENDER = ['work', '--only', 'deliveries'];

export function runDeliveries(context: RunContext): Promise<[Findings, object]> {
  return withOwnDatabase(context, async ({ deployment, regionUrl }, database) => {
    const { random, say } = context;
    const receiver = await startEventReceiver(random.fork('receiver'));
    const producer = openEventProducer(regionUrl);
    const stop = new AbortController();
    const added: AddedEvent[] = [];
    try {
      const { uid } = await deployment.createAccount('events@example.com');
      const gateway = await KillableServer.start(deployment, SETTINGS);
      const senders = [
        await KillableServer.start(deployment, SETTINGS, SENDER),
        await KillableServer.start(deployment, SETTINGS, SENDER),
      ];
      const producers = Array.from({ length: ENTITIES }, (_, n) => {
        const [entity, endpoint] = [`cam${n}`, `endpoint ${n % ENDPOINTS}`];
        const plan = { uid, url: `${receiver.url}/events`, entity, endpoint, random: random.fork(entity) };
        return keepAdding(producer, plan, added, stop.signal);
      });
      const kills = await killInTurn(context, { sender: senders, gateway: [gateway], database: [database] });
      stop.abort();
      await Promise.all(producers);
      const committed = added.filter(({ outcome }) => outcome === 'committed').map(({ id }) => id);
      say(`${committed.length} events added, ${receiver.arrivals.length} arrivals so far`);
      const missing = await allArrived(context, committed, () => receiver.arrivals.map(({ id }) => id));
      for (const words of await waitingWords(regionUrl, missing.slice(0, MAX_LISTED_PROBLEMS))) say(words);
      const findings = new Findings();
      const repeated = checkEvents(added, receiver.arrivals, kills.times, findings);
      for (const id of await repeatedSuccesses(regionUrl))
        findings.add('duplicated', `${id} was sent again after its success was recorded`);
      return [
        findings,
        { acknowledged: committed.length, arrivals: receiver.arrivals.length, repeated, kills: kills.counts },
      ];
    } finally {
      stop.abort();
      await receiver.close();
      await producer.close();
    }
  });
}

/** Those that are still missing when nothing arrives any more. */
async function allArrived(
  { signal }: RunContext,
  ids: readonly string[],
  arrived: () => string[],
): Promise<string[]> {
  const missing = new Set(ids);
  let end = Date.now() + QUIET_MS;
  while (Date.now() < end) {
    const before = missing.size;
    for (const id of arrived()) missing.delete(id);
    if (missing.size === 0) break;
    if (missing.size < before) end = Date.now() + QUIET_MS;
    await sleep(500, undefined, { signal });
  }
  return [...missing];
}
