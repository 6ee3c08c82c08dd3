/** What a command changes in the model: objects that appear, change or go, and the events that this causes. */
import {
  type ExpectedEvent,
  heldAt,
  type Model,
  type ModelBucket,
  type ModelObject,
  type ObjectRef,
  spaceOf,
} from './state.ts';

export interface Change {
  readonly at: ObjectRef;
  /** What is there afterwards. */
  readonly held: ModelObject | undefined;
  /** How it came about, as events say it; undefined: no event tells of it. */
  readonly way?: string;
  /** Other than that an object came, was replaced or went. */
  readonly event?: 'classChanged' | 'restoring';
}

/** Changes that happen together or not at all. */
export type AtomicChanges = readonly Change[];

let versions = 0;

/** `isSure`: not a guess after a lost answer. */
export function applyAtom(model: Model, atom: AtomicChanges, isSure = true): void {
  for (const change of atom) {
    const space = spaceOf(model, change.at);
    const before = heldAt(model, change.at);
    tell(space, change, before, isSure);
    const leaves = change.held === undefined ? change.way !== 'move' : isNewVersion(change);
    if (before !== undefined && leaves) trash(space, change, before);
    const after = successor(change, before);
    if (after === undefined) space.objects.delete(change.at.key);
    else space.objects.set(change.at.key, after);
  }
}

/** What is there after a change, if this was there before. */
export function successor(change: Change, before: ModelObject | undefined): ModelObject | undefined {
  const { held } = change;
  if (held === undefined || !isNewVersion(change)) return held;
  const laterThan = before?.putTime ?? before?.laterThan ?? 0n;
  return { ...held, putTime: undefined, laterThan, version: ++versions };
}

function isNewVersion({ way, event }: Change): boolean {
  return way !== undefined && event === undefined;
}

/** What a copy of itself replaces is not kept where both are the same bytes; whether they are, nobody sees from outside. */
function trash({ trash: kept }: ModelBucket, { at: { key }, held }: Change, before: ModelObject): void {
  const earlier = kept.get(key) ?? [];
  kept.set(key, held?.hash === before.hash ? [] : [...earlier, { held: before, at: Date.now() }]);
}

function tell(space: ModelBucket, change: Change, before: ModelObject | undefined, isSure: boolean): void {
  if (space.told === undefined || (change.way === undefined && change.event === undefined)) return;
  const expected = toldOf(change, before, isSure);
  space.told.set(change.at.key, [...(space.told.get(change.at.key) ?? []), expected]);
}

function toldOf(
  { held, way, event }: Change,
  before: ModelObject | undefined,
  isSure: boolean,
): ExpectedEvent {
  const hash = (held ?? before)?.hash ?? '';
  const previous = held === undefined || event === 'restoring' ? undefined : before?.hash;
  const came = before === undefined ? 'created' : 'overwritten';
  return { event: event ?? (held === undefined ? 'deleted' : came), way, hash, previous, isSure };
}
