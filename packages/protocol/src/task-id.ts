/**
 * Ids of persistent tasks: `<region>.` + 8 hexadecimal digits of unix seconds + 32 random ones. Anyone who knows the id
 * may read the task, so the random part is what protects it; region and time let a query be routed and refused early.
 */
import { Fault } from './errors/fault.ts';

export interface TaskId {
  readonly region: string;
  /** Unix time in seconds. */
  readonly createdAt: number;
}

export const TASK_ID_RANDOM_BYTES = 16;
const REGION = /^[a-z0-9][a-z0-9-]{0,31}$/;
const ID = /^([a-z0-9][a-z0-9-]{0,31})\.([0-9a-f]{8})[0-9a-f]{32}$/;

/** `random` must come from a cryptographic source. */
export function makeTaskId(region: string, unixSeconds: number, random: Uint8Array): string {
  const valid =
    REGION.test(region) &&
    Number.isInteger(unixSeconds) &&
    unixSeconds >= 0 &&
    unixSeconds < 2 ** 32 &&
    random.length === TASK_ID_RANDOM_BYTES;
  if (!valid) throw new Fault('serverFailure', { detail: 'cannot make a task id from these parts' });
  const digits = Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${region}.${unixSeconds.toString(16).padStart(8, '0')}${digits}`;
}

/** Undefined if it cannot be one of our ids: such a task does not exist. */
export function parseTaskId(text: string): TaskId | undefined {
  const match = ID.exec(text);
  const [, region, seconds] = match ?? [];
  if (region === undefined || seconds === undefined) return undefined;
  return { region, createdAt: Number.parseInt(seconds, 16) };
}
