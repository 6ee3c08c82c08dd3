/** When an item was begun and ended, and what took how long in between, by the database's clock. */
import type { StageClock, StageName } from '@millpond/jail';
import type { ItemStage, TaskItem } from '../task.ts';

/** What is shorter is not worth a line. */
const MIN_ITEM_MS = 1;
/** A file that is joined of a hundred others is fetched and looked at a hundred times. */
const MAX_STAGES = 40;

/** The database's time, read once, and since then counted by our own clock. */
export class RunClock {
  readonly #offset: number;

  constructor(now: Date) {
    this.#offset = now.getTime() - performance.now();
  }

  now(): number {
    return this.#offset + performance.now();
  }
}

interface Stage {
  readonly name: StageName;
  readonly words: string | undefined;
  readonly begun: number;
  ended: number | undefined;
}

export class ItemTimes implements StageClock {
  readonly #clock: Pick<RunClock, 'now'>;
  readonly #begun: number;
  readonly #over: Stage[] = [];
  #current: Stage;

  constructor(clock: Pick<RunClock, 'now'>) {
    this.#clock = clock;
    this.#begun = clock.now();
    this.#current = { name: 'look', words: undefined, begun: this.#begun, ended: undefined };
  }

  enter(name: StageName, words?: string): void {
    const now = this.#clock.now();
    this.#end(now);
    const last = this.#over.at(-1);
    if (last?.name === name && last.words === words && now - (last.ended ?? now) < MIN_ITEM_MS) {
      this.#over.pop();
      last.ended = undefined;
      this.#current = last;
    } else this.#current = { name, words, begun: now, ended: undefined };
  }

  async within<T>(name: StageName, work: () => Promise<T>): Promise<T> {
    const before = this.#current;
    this.enter(name);
    try {
      return await work();
    } finally {
      this.enter(before.name, before.words);
    }
  }

  now(): number {
    return this.#clock.now();
  }

  /** While it runs. */
  begun(item: TaskItem): TaskItem {
    return { ...item, begun: iso(this.#begun) };
  }

  /** So far, the current stage included. */
  stages(): ItemStage[] {
    const now = this.#clock.now();
    const isNoted = now - this.#current.begun >= MIN_ITEM_MS || this.#over.length === 0;
    const all = isNoted ? [...this.#over, this.#current] : this.#over;
    return all.slice(0, MAX_STAGES).map(({ name, words, begun, ended }) => ({
      name,
      begun: iso(begun),
      ms: Math.round((ended ?? now) - begun),
      ...(words === undefined ? {} : { words }),
    }));
  }

  ended(item: TaskItem): TaskItem {
    return { ...item, begun: iso(this.#begun), ended: iso(this.#clock.now()), stages: this.stages() };
  }

  #end(now: number): void {
    const current = this.#current;
    if (now - current.begun < MIN_ITEM_MS || this.#over.length >= MAX_STAGES) return;
    current.ended = now;
    this.#over.push(current);
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
