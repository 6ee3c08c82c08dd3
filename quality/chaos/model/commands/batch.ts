/** Several operations in one call: each is judged by itself, in order, and none stops the others. */
import fc from 'fast-check';
import { type AtomicChanges, applyAtom } from '../changes.ts';
import type { Action, Prediction } from '../command.ts';
import type { Model } from '../state.ts';
import type { WireResponse } from '../wire.ts';
import { classChanges } from './archive.ts';
import { expiries, metadataChanges, removals } from './changing.ts';
import type { Operation } from './operation.ts';
import { stats } from './reading.ts';
import { relocations } from './relocating.ts';

const operation: fc.Arbitrary<Operation> = fc.oneof(
  stats,
  removals,
  relocations,
  metadataChanges,
  expiries,
  classChanges,
);

interface Planned {
  readonly targets: readonly string[];
  readonly predictions: readonly Prediction[];
  readonly atoms: readonly AtomicChanges[];
}

export const batches = fc.array(operation, { minLength: 1, maxLength: 5 }).map(
  (operations): Action => ({
    kind: 'batch',
    words: `batch of ${operations.map(({ words }) => words).join(', ')}`,
    predict(model) {
      const { predictions, atoms } = plan(model, operations);
      const isGood = predictions.every(({ status }) => status === 200);
      return { status: isGood ? 200 : 298, atoms, check: (answer) => wrongOutcome(answer, predictions) };
    },
    send: (model, system) =>
      system.wire.signed('/batch', {
        body: plan(model, operations)
          .targets.map((target) => `op=${encodeURIComponent(target)}`)
          .join('&'),
      }),
  }),
);

/** Each is predicted of what those before it leave. */
function plan(model: Model, operations: readonly Operation[]): Planned {
  const scratch = scratchOf(model);
  const [targets, predictions]: [string[], Prediction[]] = [[], []];
  for (const each of operations) {
    targets.push(each.target(scratch));
    const prediction = each.predict(scratch);
    predictions.push(prediction);
    for (const atom of prediction.atoms ?? []) applyAtom(scratch, atom);
  }
  return { targets, predictions, atoms: predictions.flatMap(({ atoms = [] }) => atoms) };
}

function scratchOf(model: Model): Model {
  const spaces = model.spaces.map((space) => ({
    ...space,
    told: undefined,
    objects: new Map(space.objects),
    trash: new Map(space.trash),
  }));
  return { ...model, spaces };
}

function wrongOutcome(answer: WireResponse, predictions: readonly Prediction[]): string | undefined {
  // Only putTime is a number that JavaScript can't hold, and single stats compare that.
  const outcomes = JSON.parse(answer.body.toString()) as { code: number }[];
  const [found, expected] = [outcomes.map(({ code }) => code), predictions.map(({ status }) => status)].map(
    String,
  );
  return found === expected ? undefined : `codes ${found} instead of ${expected}`;
}
