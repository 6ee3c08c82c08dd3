/**
 * A command: what the model says must come of it, what is sent, and a comparison of the two. If the server is killed before the
 * answer comes, reading decides whether it happened: wholly or not at all, or up to one of its steps.
 */
import type fc from 'fast-check';
import { type Atom, applyAtom, successor } from './changes.ts';
import type { Receiver } from './receiver.ts';
import { difference, parseWire, type Shown, shownIn } from './shown.ts';
import { type Held, heldAt, type Model, type Place, spaceOf } from './state.ts';
import { type Answer, entryOf, type Requests, type Servers, Unanswered } from './wire.ts';

export interface Prediction {
  readonly status: number;
  /** What changes, step by step. */
  readonly atoms?: readonly Atom[];
  /** In words, what else is wrong with the answer. */
  readonly check?: (answer: Answer) => string | undefined;
  /** What else the model learns from it. */
  readonly after?: (answer: Answer) => void;
}

export interface Action {
  /** By which it is counted. */
  readonly kind: string;
  readonly words: string;
  /** Whether the model has what it is about; by default it has. */
  isPossible?(model: Model): boolean;
  predict(model: Model): Prediction;
  send(model: Model, real: Real): Promise<Answer>;
  /** After a lost answer. By default the objects that it may have changed are read. */
  settle?(model: Model, real: Real, prediction: Prediction): Promise<void>;
}

/** The server as a sequence sees it, and what is written down of the sequence. */
export interface Real {
  readonly wire: Requests;
  readonly servers: Servers;
  readonly receiver: Receiver;
  /** What was done and answered so far, in words. */
  readonly story: string[];
  count(kind: string): void;
  acknowledge(): void;
}

/** The restore of a deep-archive object ends at a moment that nobody knows exactly; commands stay away from it. */
const BEFORE_RESTORE_MS = 2500;

export class Command implements fc.AsyncCommand<Model, Real> {
  readonly action: Action;

  constructor(action: Action) {
    this.action = action;
  }

  check(model: Readonly<Model>): boolean {
    const isPossible = this.action.isPossible?.(model) ?? true;
    return isPossible && model.spaces.every((space) => [...space.objects.values()].every(isSettled));
  }

  async run(model: Model, real: Real): Promise<void> {
    const { kind, words } = this.action;
    real.count(kind);
    const prediction = this.action.predict(model);
    try {
      const answer = await this.action.send(model, real);
      real.story.push(`${words}: ${answer.status}`);
      judge(prediction, answer);
      for (const atom of prediction.atoms ?? []) applyAtom(model, atom);
      prediction.after?.(answer);
      if ((prediction.atoms ?? []).length > 0) real.acknowledge();
    } catch (error) {
      if (!(error instanceof Unanswered)) throw new Error(`${words}: ${wordsOf(error)}`, { cause: error });
      real.story.push(`${words}: killed`);
      await this.#settle(model, real, prediction);
    }
  }

  toString(): string {
    return this.action.words;
  }

  async #settle(model: Model, real: Real, prediction: Prediction): Promise<void> {
    const { words } = this.action;
    try {
      if (this.action.settle === undefined) await settleByReading(model, real, prediction.atoms ?? []);
      else await this.action.settle(model, real, prediction);
    } catch (error) {
      throw new Error(`after a kill during ${words}: ${wordsOf(error)}`, { cause: error });
    }
  }
}

function isSettled({ type, restore }: Held): boolean {
  return type !== 3 || typeof restore === 'string' || Date.now() - restore.askedAt < BEFORE_RESTORE_MS;
}

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function judge({ status, check }: Prediction, answer: Answer): void {
  if (answer.status !== status)
    throw new Error(`answered ${answer.status} ${answer.body.toString().slice(0, 300)} instead of ${status}`);
  const fault = check?.(answer);
  if (fault !== undefined) throw new Error(fault);
}

/** Undefined if there is no such object, or no such bucket. */
export async function read(model: Model, real: Real, place: Place): Promise<Shown | undefined> {
  const answer = await real.wire.certain(() => real.wire.signed(`/stat/${entryOf(model, place)}`));
  if (answer.status === 612 || answer.status === 631) return undefined;
  if (answer.status !== 200)
    throw new Error(`stat of ${place.key}: ${answer.status} ${answer.body.toString()}`);
  return shownIn(parseWire(answer.body.toString()));
}

/** What was shown tells the model when the object was put. */
export function learn(model: Model, place: Place, shown: Shown | undefined): void {
  const held = heldAt(model, place);
  if (held === undefined || shown === undefined) return;
  const restore = shown.restoreStatus === 2 ? 'restored' : held.restore;
  spaceOf(model, place).objects.set(place.key, { ...held, putTime: shown.putTime, restore });
}

/** The server holds what it would after some number of the steps. */
export async function settleByReading(model: Model, real: Real, atoms: readonly Atom[]): Promise<void> {
  const nameOf = ({ bucket, key }: Place): string => `${bucket}:${key}`;
  const places = new Map(atoms.flat().map(({ at }) => [nameOf(at), at]));
  const shown = new Map<string, Shown | undefined>();
  for (const [name, place] of places) shown.set(name, await read(model, real, place));
  const state = new Map([...places].map(([name, place]) => [name, heldAt(model, place)]));
  const differences = (): string[] =>
    [...state].flatMap(([name, held]) => {
      const differs = difference(held, shown.get(name));
      return differs === undefined ? [] : [`${name}: ${differs}`];
    });
  const seen = [differences()];
  for (const atom of atoms) {
    for (const change of atom) state.set(nameOf(change.at), successor(change, state.get(nameOf(change.at))));
    seen.push(differences());
  }
  const fitting = seen.flatMap((found, steps) => (found.length === 0 ? [steps] : []));
  const [least, most] = [fitting[0], fitting.at(-1)];
  if (least === undefined || most === undefined)
    throw new Error(`neither as before nor as after: ${seen.map((found) => found.join(', ')).join('; ')}`);
  for (const [step, atom] of atoms.slice(0, most).entries()) applyAtom(model, atom, step < least);
  for (const [name, place] of places) learn(model, place, shown.get(name));
}
