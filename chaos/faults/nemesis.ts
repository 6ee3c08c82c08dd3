/** Breaks one thing after the other and mends it, at times that the seed decides. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@millpond/testing';

export interface Fault {
  /** What it does to whom: `gateway 1: kill`. */
  readonly name: string;
  readonly strike: () => Promise<void> | void;
  /** Resolves when the victim works again. */
  readonly mend: () => Promise<void> | void;
  /** How long it lasts at most; default: LONGEST_MS. */
  readonly longestMs?: number;
}

export interface Struck {
  readonly name: string;
  /** Milliseconds since 1970: the blow, the end of the fault, and when the victim worked again. */
  readonly struckAt: number;
  readonly endedAt: number;
  readonly mendedAt: number;
}

const SHORTEST_MS = 50;
const LONGEST_MS = 3000;
const SHORTEST_CALM_MS = 300;
const LONGEST_CALM_MS = 2500;

export interface Step {
  readonly fault: Fault;
  readonly calmMs: number;
  readonly lastsMs: number;
}

/** The faults of a run, endlessly; the same seed gives the same ones. */
export function* planFaults(random: Random, faults: readonly Fault[]): Generator<Step, never> {
  for (;;) {
    const fault = random.pick(faults);
    const calmMs = random.integer(SHORTEST_CALM_MS, LONGEST_CALM_MS);
    yield { fault, calmMs, lastsMs: random.integer(SHORTEST_MS, fault.longestMs ?? LONGEST_MS) };
  }
}

/** Goes on until `isOver`, and leaves everything whole. */
export async function strikeUntil(
  isOver: () => boolean,
  plan: Iterable<Step>,
  { signal, say }: { readonly signal: AbortSignal; readonly say: (progress: string) => void },
): Promise<Struck[]> {
  const struck: Struck[] = [];
  for (const { fault, calmMs, lastsMs } of plan) {
    await sleep(calmMs, undefined, { signal });
    if (isOver()) break;
    const struckAt = Date.now();
    try {
      await fault.strike();
      await sleep(lastsMs, undefined, { signal });
    } finally {
      const endedAt = Date.now();
      await fault.mend();
      struck.push({ name: fault.name, struckAt, endedAt, mendedAt: Date.now() });
    }
    say(`${fault.name} for ${lastsMs} ms`);
  }
  return struck;
}
