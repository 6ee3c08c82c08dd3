/** What all sequences share: the servers, the customer's receiver, and the counts of what was done. */
import fc from 'fast-check';
import { type SystemUnderTest, wordsOf } from './command.ts';
import { type Sequence, sequences } from './commands/index.ts';
import { checkEnd } from './ending.ts';
import type { Receiver } from './receiver.ts';
import { type Model, newModel } from './state.ts';
import { isExpectedEvent, untilTold, type Waiting } from './waiting.ts';
import type { Servers, Wire } from './wire.ts';

/** A sequence failed: holds what it did, and the responses. */
export class SequenceError extends Error {
  readonly story: readonly string[];

  constructor(message: string, story: readonly string[], options: ErrorOptions) {
    super(message, options);
    this.story = story;
  }
}

/** A list of an account's buckets is as long as this allows. */
const SEQUENCES_PER_ACCOUNT = 1000;

export class Stage {
  readonly commands = new Map<string, number>();
  sequences = 0;
  acknowledged = 0;
  readonly #wires: Promise<Wire>[] = [];
  readonly #wireOf: () => Promise<Wire>;
  readonly #servers: Servers;
  readonly #receiver: Receiver;
  readonly #waiting: Waiting[] = [];

  /** `wireOf` makes a new account. */
  constructor(wireOf: () => Promise<Wire>, servers: Servers, receiver: Receiver) {
    this.#wireOf = wireOf;
    this.#servers = servers;
    this.#receiver = receiver;
  }

  /** A sequence of commands does to the server what it does to the model. Alone, it also waits for its events. */
  property(): fc.IAsyncProperty<[Sequence]> {
    return fc.asyncProperty(sequences, (sequence) =>
      this.#run(sequence, async (model) => {
        const [fault] = await untilTold([{ name: '', model }], this.#receiver);
        if (fault !== undefined) throw new Error(fault[1]);
      }),
    );
  }

  /** For lanes: the events are looked at by `untilTold`, under the name that the sequence has by its place. */
  propertyInLane(nameAt: (place: number) => string): fc.IAsyncProperty<[Sequence]> {
    let place = 0;
    return fc.asyncProperty(sequences, (sequence) => {
      const name = nameAt(place++);
      return this.#run(sequence, async (model) => {
        if (isExpectedEvent(model)) this.#waiting.push({ name, model });
      });
    });
  }

  /** Names of sequences, each with what is wrong with its events. */
  untilTold(): Promise<[string, string][]> {
    return untilTold(this.#waiting, this.#receiver);
  }

  async #run(sequence: Sequence, told: (model: Model) => Promise<void>): Promise<void> {
    const number = ++this.sequences;
    const model = newModel(`m${process.pid}-${number}`);
    const real = this.#begin(await this.#wireAt(Math.floor(number / SEQUENCES_PER_ACCOUNT)));
    try {
      await makeBuckets(model, real);
      await fc.asyncModelRun(() => ({ model, real }), sequence);
      await checkEnd(model, real);
      await told(model);
    } catch (error) {
      throw new SequenceError(wordsOf(error), real.story, { cause: error });
    } finally {
      for (const space of model.spaces) if (space.told === undefined) this.#receiver.forget(space.name);
    }
  }

  #wireAt(place: number): Promise<Wire> {
    this.#wires[place] ??= this.#wireOf();
    return this.#wires[place];
  }

  #begin(wire: Wire): SystemUnderTest {
    return {
      wire,
      servers: this.#servers,
      receiver: this.#receiver,
      story: [],
      count: (kind) => this.commands.set(kind, (this.commands.get(kind) ?? 0) + 1),
      acknowledge: () => {
        this.acknowledged++;
      },
    };
  }
}

async function makeBuckets({ spaces }: Model, { wire }: SystemUnderTest): Promise<void> {
  for (const { name } of spaces.filter(({ exists }) => exists)) {
    const { status } = await wire.certain(() => wire.signed(`/mkbucketv3/${name}/region/z0`));
    // After a kill it may be there already.
    if (status !== 200 && status !== 614) throw new Error(`making ${name} was answered ${status}`);
  }
}
