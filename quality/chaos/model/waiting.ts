/** Sequences that are over but for their events: those are sent when it suits the server, and arrive under the next sequences. */
import { setTimeout as sleep } from 'node:timers/promises';
import { checkTold } from './check-events.ts';
import type { Receiver } from './receiver.ts';
import type { Model } from './state.ts';

export interface Waiting {
  /** Name of the sequence. */
  readonly name: string;
  readonly model: Model;
}

/** What a dead sender had taken is sent again after 25 s; the rest as long as something arrives. */
const QUIET_MS = 60_000;
const POLL_MS = 50;

/** Waits for what is missing, and returns the faults by the sequence's name. */
export async function untilTold(
  waiting: readonly Waiting[],
  receiver: Receiver,
): Promise<[string, string][]> {
  let [open, least] = [waiting, Infinity];
  for (let end = Date.now() + QUIET_MS; open.length > 0 && Date.now() < end; await sleep(POLL_MS)) {
    open = open.filter(({ model }) => faultsOf(model, receiver).some(({ isWaiting }) => isWaiting));
    if (open.length < least) end = Date.now() + QUIET_MS;
    least = open.length;
  }
  return waiting.flatMap(({ name, model }) =>
    faultsOf(model, receiver).flatMap(({ fault }): [string, string][] =>
      fault === undefined ? [] : [[name, fault]],
    ),
  );
}

export function isExpectedEvent({ spaces }: Model): boolean {
  return spaces.some(({ told }) => told !== undefined);
}

function faultsOf({ spaces }: Model, receiver: Receiver): ReturnType<typeof checkTold>[] {
  return spaces.flatMap(({ name, told }) =>
    told === undefined ? [] : [checkTold(told, receiver.events(name))],
  );
}
