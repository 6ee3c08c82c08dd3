/**
 * Processor time of a process and all that it starts, polled often: whoever waits for a sandbox does not get the time of
 * what the sandbox starts. A process that lives shorter than a polling interval is not seen; both sides of a bench lose
 * the same.
 */
import { readFileSync } from 'node:fs';
import { familyOf, statOf, TICKS_PER_SECOND } from '@millpond/testing';

const CHECK_INTERVAL_MS = 20;

export interface ProcessWatch {
  /** Seconds since the watch began, over all processes seen. */
  seconds(): number;
  /** The longest command line of a program with this name. */
  commandOf(program: string): readonly string[] | undefined;
  stop(): void;
}

export function watchProcesses(root: number): ProcessWatch {
  const before = new Map<string, number>();
  const latest = new Map<string, number>();
  const commands = new Map<string, readonly string[]>();
  const look = (into: Map<string, number>) => {
    for (const pid of familyOf(root)) {
      const found = statOf(pid);
      if (found === undefined) continue;
      into.set(`${pid}/${found.started}`, found.ticks);
      const command = commandOf(pid);
      if (command.length > (commands.get(found.name)?.length ?? 0)) commands.set(found.name, command);
    }
  };
  look(before);
  const timer = setInterval(() => look(latest), CHECK_INTERVAL_MS);
  return {
    seconds() {
      look(latest);
      let ticks = 0;
      for (const [process, used] of latest) ticks += used - (before.get(process) ?? 0);
      return ticks / TICKS_PER_SECOND;
    },
    commandOf: (program) => commands.get(program),
    stop: () => clearInterval(timer),
  };
}

function commandOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  } catch {
    return [];
  }
}
