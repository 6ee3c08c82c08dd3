/**
 * A command: what the model says must come of it, what is sent, and a comparison of the two. If the server is killed before the
 * answer comes, reading decides whether it happened: wholly or not at all, or up to one of its steps.
 */
import type fc from 'fast-check';
import { type AtomicChanges, applyAtom, successor } from './changes.ts';
import { difference, type ObservedObject, parseWire, shownIn } from './observed.ts';
import type { Receiver } from './receiver.ts';
import { heldAt, type Model, type ModelObject, type ObjectRef, spaceOf } from './state.ts';
import { entryOf, NoResponseError, type Requests, type Servers, type WireResponse } from './wire.ts';

export interface Prediction {
  readonly status: number;
  /** What changes, step by step. */
  readonly atoms?: readonly AtomicChanges[];
  /** In words, what else is wrong with the answer. */
  readonly check?: (answer: WireResponse) => string | undefined;
  /** What else the model learns from it. */
  readonly after?: (answer: WireResponse) => void;
}

export interface Action {
  /** By which it is counted. */
  readonly kind: string;
  readonly words: string;
  /** Whether the model has what it is about; by default it has. */
  isPossible?(model: Model): boolean;
  predict(model: Model): Prediction;
  send(model: Model, system: SystemUnderTest): Promise<WireResponse>;
  /** After a lost answer. By default the objects that it may have changed are read. */
  settle?(model: Model, system: SystemUnderTest, prediction: Prediction): Promise<void>;
}

/** The server as a sequence sees it, and what is written down of the sequence. */
export interface SystemUnderTest {
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

export class Command implements fc.AsyncCommand<Model, SystemUnderTest> {
  readonly action: Action;

  constructor(action: Action) {
    this.action = action;
  }

  check(model: Readonly<Model>): boolean {
    const isPossible = this.action.isPossible?.(model) ?? true;
    return isPossible && model.spaces.every((space) => [...space.objects.values()].every(isSettled));
  }

  async run(model: Model, system: SystemUnderTest): Promise<void> {
    const { kind, words } = this.action;
    system.count(kind);
    const prediction = this.action.predict(model);
    try {
      const answer = await this.action.send(model, system);
      system.story.push(`${words}: ${answer.status}`);
      checkResponse(prediction, answer);
      for (const atom of prediction.atoms ?? []) applyAtom(model, atom);
      prediction.after?.(answer);
      if ((prediction.atoms ?? []).length > 0) system.acknowledge();
    } catch (error) {
      if (!(error instanceof NoResponseError))
        throw new Error(`${words}: ${wordsOf(error)}`, { cause: error });
      system.story.push(`${words}: killed`);
      await this.#settle(model, system, prediction);
    }
  }

  toString(): string {
    return this.action.words;
  }

  async #settle(model: Model, system: SystemUnderTest, prediction: Prediction): Promise<void> {
    const { words } = this.action;
    try {
      if (this.action.settle === undefined) await settleByReading(model, system, prediction.atoms ?? []);
      else await this.action.settle(model, system, prediction);
    } catch (error) {
      throw new Error(`after a kill during ${words}: ${wordsOf(error)}`, { cause: error });
    }
  }
}

function isSettled({ type, restore }: ModelObject): boolean {
  return type !== 3 || typeof restore === 'string' || Date.now() - restore.askedAt < BEFORE_RESTORE_MS;
}

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function checkResponse({ status, check }: Prediction, answer: WireResponse): void {
  if (answer.status !== status)
    throw new Error(`answered ${answer.status} ${answer.body.toString().slice(0, 300)} instead of ${status}`);
  const fault = check?.(answer);
  if (fault !== undefined) throw new Error(fault);
}

/** Undefined if there is no such object, or no such bucket. */
export async function read(
  model: Model,
  system: SystemUnderTest,
  object: ObjectRef,
): Promise<ObservedObject | undefined> {
  const answer = await system.wire.certain(() => system.wire.signed(`/stat/${entryOf(model, object)}`));
  if (answer.status === 612 || answer.status === 631) return undefined;
  if (answer.status !== 200)
    throw new Error(`stat of ${object.key}: ${answer.status} ${answer.body.toString()}`);
  return shownIn(parseWire(answer.body.toString()));
}

/** What was shown tells the model when the object was put. */
export function learn(model: Model, object: ObjectRef, observed: ObservedObject | undefined): void {
  const held = heldAt(model, object);
  if (held === undefined || observed === undefined) return;
  const restore = observed.restoreStatus === 2 ? 'restored' : held.restore;
  spaceOf(model, object).objects.set(object.key, { ...held, putTime: observed.putTime, restore });
}

/** The server holds what it would after some number of the steps. */
export async function settleByReading(
  model: Model,
  system: SystemUnderTest,
  atoms: readonly AtomicChanges[],
): Promise<void> {
  const nameOf = ({ bucket, key }: ObjectRef): string => `${bucket}:${key}`;
  const places = new Map(atoms.flat().map(({ at }) => [nameOf(at), at]));
  const shown = new Map<string, ObservedObject | undefined>();
  for (const [name, object] of places) shown.set(name, await read(model, system, object));
  const state = new Map([...places].map(([name, object]) => [name, heldAt(model, object)]));
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
  for (const [name, object] of places) learn(model, object, shown.get(name));
}
