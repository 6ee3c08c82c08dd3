/**
 * The steps of a request, as those that take them note them. They find the request's trace by the asynchronous context (a step costs
 * a tenth of a microsecond, a request one): statements and engines are called from everywhere, and passing a trace to all of them
 * would put it into every signature. A trace holds names and times, never values, bodies or credentials.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export type StepKind = 'auth' | 'judge' | 'statement' | 'engine' | 'callback' | 'job' | 'event';

export interface TraceStep {
  readonly kind: StepKind;
  readonly name: string;
  /** By `performance.now()`. */
  readonly begun: number;
  readonly ended: number;
  readonly ok: boolean;
  readonly words: string | undefined;
}

/** What a request made that outlives it. */
export interface TraceEffects {
  readonly tasks: string[];
  readonly deliveries: string[];
}

/** A list of a million objects is read page by page. */
const MAX_STEPS = 100;
const MAX_EFFECTS = 20;

export class Trace {
  readonly begun = performance.now();
  steps: TraceStep[] = [];
  /** Steps beyond what a trace holds. */
  leftOut = 0;
  uid: bigint | undefined;
  accessKey: string | undefined;
  session: string | undefined;
  /** Why it was refused: the fault's name, and what its client was told. */
  fault: string | undefined;
  hint: string | undefined;
  readonly caused: TraceEffects = { tasks: [], deliveries: [] };
  #isOver = false;

  step(kind: StepKind, name: string, begun: number, ok: boolean, words?: string): void {
    if (this.#isOver) return;
    if (this.steps.length >= MAX_STEPS) this.leftOut += 1;
    else this.steps.push({ kind, name, begun, ended: performance.now(), ok, words });
  }

  /** A step that took from the end of the one before it until now. */
  since(kind: StepKind, name: string, ok: boolean, words?: string): void {
    this.step(kind, name, this.steps.at(-1)?.ended ?? this.begun, ok, words);
  }

  /** Whose credential the request has proven to have. */
  authenticatedAs(uid: bigint, accessKey?: string): void {
    this.uid = uid;
    this.accessKey = accessKey;
  }

  /** The session of the console that the request has proven to have. */
  inSession(session: {
    readonly id: string;
    readonly uid: bigint;
    readonly key?: { readonly accessKey: string } | undefined;
  }): void {
    this.session = session.id;
    this.authenticatedAs(session.uid, session.key?.accessKey);
    this.since('auth', 'session', true);
  }

  /** The name is that of a fault, or what another protocol calls it. */
  refused(fault: string, status: number, hint?: string): void {
    this.fault = fault;
    this.hint = hint;
    this.since(status === 401 ? 'auth' : 'judge', fault, false, hint);
  }

  /** It has made a task or a delivery. */
  causes(what: keyof TraceEffects, id: string): void {
    if (this.#isOver) return;
    if (this.caused[what].length < MAX_EFFECTS) this.caused[what].push(id);
  }

  /** What it started may go on and hold on to it: from here on nothing is noted, and nothing kept. */
  end(): void {
    this.#isOver = true;
    this.steps = [];
  }
}

const traces = new AsyncLocalStorage<Trace | undefined>();

/** Undefined outside of requests, or if they are not traced. */
export function currentTrace(): Trace | undefined {
  return traces.getStore();
}

/** Runs `work`, and everything that it starts, with this trace. */
export function withTrace<T>(trace: Trace | undefined, work: () => T): T {
  return trace === undefined ? work() : traces.run(trace, work);
}

/** Runs `work` for several requests, or for none. */
export function withoutTrace<T>(work: () => T): T {
  return traces.getStore() === undefined ? work() : traces.run(undefined, work);
}
