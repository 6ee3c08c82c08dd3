/** kill -9 of the server, between two commands or during one. */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { Command, Real } from '../command.ts';
import type { Model } from '../state.ts';

class Kill implements fc.AsyncCommand<Model, Real> {
  check(): boolean {
    return true;
  }

  async run(_: Model, real: Real): Promise<void> {
    real.count('kill');
    real.story.push('kill');
    await real.servers.kill();
  }

  toString(): string {
    return 'kill';
  }
}

/** Whether the command is over by then is left to chance. */
class KillDuring implements fc.AsyncCommand<Model, Real> {
  readonly #command: Command;
  readonly #afterMs: number;

  constructor(command: Command, afterMs: number) {
    this.#command = command;
    this.#afterMs = afterMs;
  }

  check(model: Readonly<Model>): boolean {
    return this.#command.check(model);
  }

  async run(model: Model, real: Real): Promise<void> {
    real.count('kill during');
    const killing = sleep(this.#afterMs).then(() => real.servers.kill());
    try {
      await this.#command.run(model, real);
    } finally {
      await killing;
    }
  }

  toString(): string {
    return `kill after ${this.#afterMs} ms of ${this.#command.toString()}`;
  }
}

export const kills: fc.Arbitrary<fc.AsyncCommand<Model, Real>> = fc.constant(new Kill());

export function killsDuring(commands: fc.Arbitrary<Command>): fc.Arbitrary<fc.AsyncCommand<Model, Real>> {
  return fc
    .record({ command: commands, afterMs: fc.nat(12) })
    .map(({ command, afterMs }) => new KillDuring(command, afterMs));
}
