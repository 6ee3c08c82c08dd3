/**
 * The state of an endpoint, as pure functions. Closed: events go out. Open: it fails, and only an occasional probe goes
 * out. Half-open: a probe is in flight. Suspended: nothing goes out until it is resumed; configured endpoints only. Times
 * are milliseconds of the rules.
 */
import { SUSPENDED_AFTER_MS } from '../limits.ts';

export type CircuitState = 'closed' | 'open' | 'half-open' | 'suspended';

export interface Circuit {
  readonly state: CircuitState;
  readonly isConfigured: boolean;
  /** In a row. */
  readonly failures: number;
  /** Recent tries: since when, how many, and how many of them failed. */
  readonly window: { readonly since: number; readonly tries: number; readonly failed: number };
  /** How often in a row it has opened. */
  readonly openings: number;
  /** Since when every try has failed; undefined: the last try succeeded. */
  readonly failingSince: number | undefined;
}

/** What must be written to the database. */
export type CircuitChange =
  | { readonly kind: 'failing' }
  | { readonly kind: 'open'; readonly probeAfter: number }
  | { readonly kind: 'closed' }
  | { readonly kind: 'suspended'; readonly reason: string };

export interface CircuitStep {
  readonly circuit: Circuit;
  readonly change: CircuitChange | undefined;
}

const FAILURES_IN_A_ROW = 10;
const WINDOW = 5 * 60_000;
const MIN_ATTEMPTS = 10;
const FAILED_SHARE = 0.7;
const FIRST_PROBE = 30_000;
const MAX_PROBE_MS = 5 * 60_000;

export const SUSPENDED_GONE = 'the receiver answered 410: it wants no more events';
const SUSPENDED_FAILING = 'nothing but failures for 5 days';

export function newCircuit(given: Pick<Circuit, 'isConfigured'> & Partial<Circuit>): Circuit {
  return {
    state: 'closed',
    failures: 0,
    window: { since: 0, tries: 0, failed: 0 },
    openings: 0,
    failingSince: undefined,
    ...given,
  };
}

export function afterSuccess(circuit: Circuit, now: number): CircuitStep {
  if (circuit.state === 'suspended') return { circuit, change: undefined };
  const wasFailing = circuit.state !== 'closed' || circuit.failingSince !== undefined;
  const next = newCircuit({
    isConfigured: circuit.isConfigured,
    window: wasFailing ? { since: now, tries: 1, failed: 0 } : counted(circuit, now, false),
  });
  return { circuit: next, change: wasFailing ? { kind: 'closed' } : undefined };
}

/** `gone`: the receiver answered 410. */
export function afterFailure(circuit: Circuit, now: number, gone = false): CircuitStep {
  if (circuit.state === 'suspended') return { circuit, change: undefined };
  const failed: Circuit = {
    ...circuit,
    failures: circuit.failures + 1,
    window: counted(circuit, now, true),
    failingSince: circuit.failingSince ?? now,
  };
  const reason = reasonToSuspend(failed, now, gone);
  if (reason !== undefined)
    return { circuit: { ...failed, state: 'suspended' }, change: { kind: 'suspended', reason } };
  if (circuit.state === 'half-open' || (circuit.state === 'closed' && isBad(failed))) {
    const openings = circuit.openings + 1;
    const opened: Circuit = { ...failed, state: 'open', openings };
    return { circuit: opened, change: { kind: 'open', probeAfter: probeAfter(openings) } };
  }
  const isFirst = circuit.failingSince === undefined;
  return { circuit: failed, change: isFirst ? { kind: 'failing' } : undefined };
}

function reasonToSuspend(circuit: Circuit, now: number, gone: boolean): string | undefined {
  if (!circuit.isConfigured) return undefined;
  if (gone) return SUSPENDED_GONE;
  return now - (circuit.failingSince ?? now) >= SUSPENDED_AFTER_MS ? SUSPENDED_FAILING : undefined;
}

function isBad({ failures, window }: Circuit): boolean {
  if (failures >= FAILURES_IN_A_ROW) return true;
  return window.tries >= MIN_ATTEMPTS && window.failed >= FAILED_SHARE * window.tries;
}

function counted({ window }: Circuit, now: number, failed: boolean): Circuit['window'] {
  const fresh = window.tries > 0 && now - window.since < WINDOW;
  const { since, tries, failed: before } = fresh ? window : { since: now, tries: 0, failed: 0 };
  return { since, tries: tries + 1, failed: before + (failed ? 1 : 0) };
}

/** 30 s, doubled with every failed probe, up to 5 minutes. */
function probeAfter(openings: number): number {
  return Math.min(MAX_PROBE_MS, FIRST_PROBE * 2 ** (openings - 1));
}
