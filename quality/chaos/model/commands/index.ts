/** All commands by subject, and the mixtures of them that sequences are drawn from. */
import fc from 'fast-check';
import { type Action, Command, type SystemUnderTest } from '../command.ts';
import type { Model } from '../state.ts';
import { classChanges, restores } from './archive.ts';
import { batches } from './batch.ts';
import { bucketLists, drops, makings, privacies, rules } from './buckets.ts';
import { expiries, metadataChanges, removals } from './changing.ts';
import { kills, killsDuring } from './kill.ts';
import { lists, s3Lists } from './listing.ts';
import { nativeParts } from './native-parts.ts';
import { partCommands } from './parts.ts';
import { downloads, stats } from './reading.ts';
import { relocations } from './relocating.ts';
import { s3Copies, s3Deletes, s3DeletesOfMany, s3Gets, s3Puts } from './s3-objects.ts';
import { s3Parts } from './s3-parts.ts';
import { tasks } from './tasks.ts';
import { undeletions } from './trash.ts';
import { uploads } from './upload.ts';

/** What a command is, and how often it comes. */
type Weighted = readonly [number, fc.Arbitrary<Action>];

const subjects = {
  puts: [
    [20, uploads],
    [12, s3Puts],
  ],
  reads: [
    [6, stats],
    [8, downloads],
    [6, s3Gets],
    [4, lists],
    [2, s3Lists],
  ],
  changes: [
    [5, removals],
    [6, metadataChanges],
    [1, expiries],
    [12, relocations],
    [3, s3Deletes],
    [1, s3DeletesOfMany],
    [4, s3Copies],
    [3, batches],
    [10, undeletions],
  ],
  archive: [
    [5, classChanges],
    [5, restores],
  ],
  buckets: [
    [1, makings],
    [1, drops],
    [1, privacies],
    [1, bucketLists],
  ],
  rules: [[4, rules]],
  tasks: [[1, tasks]],
  nativeParts: partCommands(nativeParts),
  s3Parts: partCommands(s3Parts),
} satisfies Record<string, readonly Weighted[]>;
type Subject = keyof typeof subjects;

/** By subject, how much more often its commands come. A sequence of everything seldom gets to the end of anything. */
const mixtures: readonly { readonly weight: number; readonly factors: Partial<Record<Subject, number>> }[] = [
  {
    weight: 8,
    factors: {
      puts: 1,
      reads: 1,
      changes: 1,
      archive: 1,
      buckets: 1,
      rules: 1,
      nativeParts: 1,
      s3Parts: 1,
      tasks: 1,
    },
  },
  { weight: 4, factors: { puts: 2, archive: 6, changes: 1, reads: 1, buckets: 1 } },
  { weight: 4, factors: { rules: 8, puts: 1, changes: 2, archive: 1, nativeParts: 1, s3Parts: 1, tasks: 1 } },
  { weight: 2, factors: { nativeParts: 10, puts: 1, changes: 1, reads: 1, buckets: 1 } },
  { weight: 2, factors: { s3Parts: 10, puts: 1, changes: 1, reads: 1, buckets: 1 } },
  { weight: 1, factors: { tasks: 15, puts: 1, changes: 1, reads: 1 } },
  { weight: 2, factors: { buckets: 10, puts: 1, changes: 1, nativeParts: 1, s3Parts: 1 } },
];
/** One of this many commands is a kill. */
const COMMANDS_PER_KILL = 300;
const MAX_COMMANDS = 20;
const MAX_FIRST_COMMANDS = 4;

export type Sequence = Iterable<fc.AsyncCommand<Model, SystemUnderTest>>;

/**
 * A few puts, because on nothing most commands do nothing, and then anything. Without bias: small values would come up so often
 * that most sequences were next to nothing.
 */
export const sequences: fc.Arbitrary<Sequence> = fc.noBias(
  fc
    .tuple(
      fc.array(mixed({ puts: 1 }), { maxLength: MAX_FIRST_COMMANDS }),
      fc.oneof(
        ...mixtures.map(({ weight, factors }) => ({
          weight,
          arbitrary: fc.commands([withKills(mixed(factors))], { maxCommands: MAX_COMMANDS, size: 'max' }),
        })),
      ),
    )
    .map(([first, others]) => ({
      *[Symbol.iterator]() {
        yield* first;
        yield* others;
      },
    })),
);

function mixed(factors: Partial<Record<Subject, number>>): fc.Arbitrary<Command> {
  const weighted = Object.entries(factors).flatMap(([subject, factor]) =>
    subjects[subject as Subject].map(([weight, arbitrary]) => ({ weight: weight * factor, arbitrary })),
  );
  return fc.oneof(...weighted).map((action) => new Command(action));
}

/** Mostly during commands. */
function withKills(command: fc.Arbitrary<Command>): fc.Arbitrary<fc.AsyncCommand<Model, SystemUnderTest>> {
  const plain: fc.Arbitrary<fc.AsyncCommand<Model, SystemUnderTest>> = command;
  return fc.oneof(
    { weight: 4 * COMMANDS_PER_KILL, arbitrary: plain },
    { weight: 1, arbitrary: kills },
    { weight: 3, arbitrary: killsDuring(command) },
  );
}
