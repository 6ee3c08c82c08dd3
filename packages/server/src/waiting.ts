/**
 * What a process waits for before it does anything. Databases and an engine that are away when it starts do not end it: it would
 * only be started again, and those who look after it would learn less. It says at `/readyz` what it waits for.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { errorReason } from '@millpond/base';
import { BlobStoreUnavailableError } from '@millpond/blobs';
import type { Infra } from './infra/infra.ts';
import { databaseErrorOf, isTransient } from './platform/db/sqlstate.ts';

const PAUSE_MS = 500;

interface Step {
  readonly name: string;
  readonly run: () => Promise<void>;
  /** Whether a later try may succeed. */
  readonly isAway: (error: unknown) => boolean;
}

/** Resolves when both databases answer and `prepare` is done. Throws what no waiting would mend. */
export async function whenThere(infra: Infra, prepare: () => Promise<void>): Promise<void> {
  const { log, readiness } = infra;
  const steps: readonly Step[] = [
    { name: 'the control database', run: () => infra.control.ping(), isAway: isDatabaseAway },
    { name: 'the region’s database', run: () => infra.region.ping(), isAway: isDatabaseAway },
    { name: 'a database or the engine', run: prepare, isAway: isLost },
  ];
  for (let said = ''; ; await sleep(PAUSE_MS)) {
    const away = await firstAway(steps);
    if (away === undefined) break;
    if (away !== said) log.warn({ error: away }, 'not started yet: something that it needs is away');
    said = away;
    readiness.notYet(`waiting for ${away}`);
  }
  readiness.notYet('starting');
}

async function firstAway(steps: readonly Step[]): Promise<string | undefined> {
  for (const { name, run, isAway } of steps) {
    try {
      await run();
    } catch (error) {
      if (!isAway(error)) throw error;
      return `${name}: ${errorReason(error)}`;
    }
  }
  return undefined;
}

/** A name that is not found is there again where it is that of a container that is started again. */
function isDatabaseAway(error: unknown): boolean {
  return isTransient(error) || databaseErrorOf(error).code === 'ENOTFOUND';
}

/** Lost after it was there: errors of ours, which have no code, say what is wrong with what was found. */
function isLost(error: unknown): boolean {
  return (
    (error instanceof BlobStoreUnavailableError && error.retryable) ||
    (databaseErrorOf(error).code !== undefined && isDatabaseAway(error))
  );
}
