/** kill -9 of the server, between two commands or during one, and of the worker of tasks. */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { Command, SystemUnderTest } from '../command.ts';
import type { Model } from '../state.ts';

class Kill implements fc.AsyncCommand<Model, SystemUnderTest> {
  readonly #name: 'kill' | 'kill worker';

  constructor(name: 'kill' | 'kill worker') {
    this.#name = name;
  }

  check(): boolean {
    return true;
  }

  async run(_: Model, system: SystemUnderTest): Promise<void> {
    system.count(this.#name);
    system.story.push(this.#name);
    await (this.#name === 'kill' ? system.servers.kill() : system.servers.killWorker());
  }

  toString(): string {
    return this.#name;
  }
}

/** Whether the command is over by then is left to chance. */
class KillDuring implements fc.AsyncCommand<Model, SystemUnderTest> {
  readonly #command: Command;
  readonly #afterMs: number;

  constructor(command: Command, afterMs: number) {
    this.#command = command;
    this.#afterMs = afterMs;
  }

  check(model: Readonly<Model>): boolean {
    return this.#command.check(model);
  }

  async run(model: Model, system: SystemUnderTest): Promise<void> {
    system.count('kill during');
    const killing = sleep(this.#afterMs).then(() => system.servers.kill());
    try {
      await this.#command.run(model, system);
    } finally {
      await killing;
    }
  }

  toString(): string {
    return `kill after ${this.#afterMs} ms of ${this.#command.toString()}`;
  }
}

export const kills: fc.Arbitrary<fc.AsyncCommand<Model, SystemUnderTest>> = fc
  .constantFrom('kill' as const, 'kill worker' as const)
  .map((name) => new Kill(name));

export function killsDuring(
  commands: fc.Arbitrary<Command>,
): fc.Arbitrary<fc.AsyncCommand<Model, SystemUnderTest>> {
  return fc
    .record({ command: commands, afterMs: fc.nat(12) })
    .map(({ command, afterMs }) => new KillDuring(command, afterMs));
}
