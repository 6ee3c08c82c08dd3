/** A bucket that tells everything: its rule, what arrives by it, and the wait until all was told. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, signedFetch } from '@millpond/testing';
import type { Arrival } from '../checks/events.ts';
import type { ReportedChange } from '../checks/object-events.ts';
import { untoldEvents } from '../engine/rows.ts';
import type { RunContext } from '../run-environment.ts';
import type { EventReceiver } from './events.ts';

/** What dead senders had leased comes back after 25 s; none is given up as long as others arrive. */
const QUIET_MS = 120_000;

/** Refused with 405 by versions that have no rules. */
export const NO_RULES = 405;

/** Returns the status. */
export async function tellEverything(
  url: string,
  { account, bucket, receiver }: { account: Account; bucket: string; receiver: Pick<EventReceiver, 'url'> },
): Promise<number> {
  const rules = [{ name: 'all', url: receiver.url, events: ['created', 'overwritten', 'deleted'] }];
  const body = JSON.stringify(rules);
  const { status } = await signedFetch(url, account, `/eventRules/set/${bucket}`, { body });
  if (status !== 200 && status !== NO_RULES) throw new Error(`the rule was answered ${status}`);
  return status;
}

interface ObjectEventBody {
  readonly type: string;
  readonly sequence: string;
  readonly data: {
    readonly key: string;
    readonly hash: string;
    readonly previous?: { readonly hash: string };
  };
}

export function toldChange({ id, sequence: number, body, at }: Arrival): ReportedChange {
  const { type, sequence, data } = JSON.parse(body) as ObjectEventBody;
  const event = type.slice(type.lastIndexOf('.') + 1) as ReportedChange['event'];
  return { id, key: data.key, event, hash: data.hash, previous: data.previous?.hash, number, sequence, at };
}

/** Until nothing waits, or nothing moves any more. */
export async function untilTold({ signal, say }: RunContext, regionUrl: string): Promise<void> {
  let least = Infinity;
  for (let end = Date.now() + QUIET_MS; Date.now() < end; await sleep(500, undefined, { signal })) {
    const waiting = await untoldEvents(regionUrl);
    if (waiting === 0) return;
    if (waiting < least) end = Date.now() + QUIET_MS;
    least = Math.min(least, waiting);
  }
  say(`${least} events are still waiting`);
}
