/** Clients that upload one thing after the other until they are stopped, and record what they were told. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Write } from '../checks/history.ts';
import type { Client, Upload } from './client.ts';

export interface UploadPlan extends Upload {
  readonly url: string;
}

export interface Ledger {
  readonly writes: Write[];
  /** How often each answer came, or each error instead of one. */
  readonly answers: Map<string, number>;
}

/** While the server is unreachable, a client tries this often. */
const KNOCK_MS = 40;

export function createLedger(): Ledger {
  return { writes: [], answers: new Map() };
}

/** Uploads what `plan` says until `stopped`; asks for the next plan after the previous one has ended. */
export async function keepUploading(
  client: Client,
  ledger: Ledger,
  stopped: AbortSignal,
  plan: (last: Write | undefined) => UploadPlan,
): Promise<void> {
  let last: Write | undefined;
  while (!stopped.aborted) {
    const next = plan(last);
    const { write } = await uploadOnce(client, ledger, next);
    if (write === undefined) await sleep(KNOCK_MS);
    else last = write;
  }
}

export interface Uploaded {
  /** The status, or the error instead of an answer. */
  readonly answer: string;
  /** What was answered. */
  readonly text?: string | undefined;
  /** Undefined if the server was unreachable. */
  readonly write: Write | undefined;
}

export async function uploadOnce(client: Client, ledger: Ledger, plan: UploadPlan): Promise<Uploaded> {
  const begunAt = Date.now();
  const { outcome, status, error, text } = await client.upload(plan.url, plan);
  const answer = status === undefined ? (error ?? 'no answer') : String(status);
  ledger.answers.set(answer, (ledger.answers.get(answer) ?? 0) + 1);
  if (outcome === undefined) return { answer, write: undefined };
  const { key, mode, content } = plan;
  const { hash, size } = content;
  const write: Write = { key, mode, hash, size, begunAt, endedAt: Date.now(), outcome };
  ledger.writes.push(write);
  return { answer, text, write };
}

export function countAcknowledged(writes: readonly Pick<Write, 'outcome'>[]): number {
  return writes.filter((write) => write.outcome === 'acknowledged').length;
}
