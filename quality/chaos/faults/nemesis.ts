/** Breaks one thing after the other and mends it, at times that the seed decides. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@millpond/testing';

export interface Fault {
  /** What it does to whom: `gateway 1: kill`. */
  readonly name: string;
  readonly strike: () => Promise<void> | void;
  /** Resolves when the victim works again. */
  readonly mend: () => Promise<void> | void;
  /** How long it lasts at most; default: MAX_FAULT_MS. */
  readonly maxMs?: number;
}

export interface InjectedFault {
  readonly name: string;
  /** Milliseconds since 1970: the blow, the end of the fault, and when the victim worked again. */
  readonly struckAt: number;
  readonly endedAt: number;
  readonly mendedAt: number;
}

const MIN_FAULT_MS = 50;
const MAX_FAULT_MS = 3000;
/** Between two faults. */
const CALM: Calm = { minMs: 300, maxMs: 2500 };

export interface Calm {
  readonly minMs: number;
  readonly maxMs: number;
}

export interface PlannedFault {
  readonly fault: Fault;
  readonly calmMs: number;
  readonly lastsMs: number;
}

/** The faults of a run, endlessly; the same seed gives the same ones. */
export function* planFaults(
  random: Random,
  faults: readonly Fault[],
  calm = CALM,
): Generator<PlannedFault, never> {
  for (;;) {
    const fault = random.pick(faults);
    const calmMs = random.integer(calm.minMs, calm.maxMs);
    yield { fault, calmMs, lastsMs: random.integer(MIN_FAULT_MS, fault.maxMs ?? MAX_FAULT_MS) };
  }
}

export interface Watching {
  readonly signal: AbortSignal;
  readonly say: (progress: string) => void;
  /** Before each. */
  readonly onStrike?: () => void;
  /** After each. */
  readonly onStruck: (injectedFault: InjectedFault) => void;
}

/** Goes on until `isOver`, and leaves everything whole. */
export async function injectFaultsUntil(
  isOver: () => boolean,
  plan: Iterable<PlannedFault>,
  { signal, say, onStrike, onStruck }: Watching,
): Promise<void> {
  for (const { fault, calmMs, lastsMs } of plan) {
    await sleep(calmMs, undefined, { signal });
    if (isOver()) break;
    onStrike?.();
    const struckAt = Date.now();
    try {
      await fault.strike();
      await sleep(lastsMs, undefined, { signal });
    } finally {
      const endedAt = Date.now();
      await fault.mend();
      onStruck({ name: fault.name, struckAt, endedAt, mendedAt: Date.now() });
    }
    say(`${fault.name} for ${lastsMs} ms`);
  }
}

export function slowestRecoveries(struck: readonly InjectedFault[]): Record<string, number> {
  const slowest = new Map<string, number>();
  for (const { name, endedAt, mendedAt } of struck)
    slowest.set(name, Math.max(slowest.get(name) ?? 0, mendedAt - endedAt));
  return Object.fromEntries([...slowest].toSorted(([one], [other]) => one.localeCompare(other)));
}
