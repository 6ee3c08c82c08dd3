/**
 * The load of failovers: writers that send what failed once more, as a simple client does, and readers that ask the other
 * gateway for what was just acknowledged.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@millpond/testing';
import type { Attempt } from '../checks/failover.ts';
import type { Findings } from '../report.ts';
import { type CallbackReceiver, callbackPolicy } from './callback-receiver.ts';
import { type Client, codeOf, type Upload } from './client.ts';
import { type Contents, KIB } from './contents.ts';
import { type Ledger, uploadOnce } from './writers.ts';

/** Between two uploads of a writer. */
const PACE_MS = 120;
/** Before a failed upload is sent again. */
const RETRY_MS = 300;
const READ_PACE_MS = 25;
/** Which of the last acknowledged are read. */
const RECENT = 20;
const MAX_BYTES = 8 * KIB;

export interface LoadPlan {
  readonly client: Client;
  readonly gateways: readonly string[];
  readonly contents: Contents;
  readonly told: CallbackReceiver;
  readonly stopped: AbortSignal;
}

/** What the load was told. */
export interface LoadRecord extends Ledger {
  readonly attempts: Attempt[];
  /** Ids of tasks, and keys of uploads with a callback, that were acknowledged. */
  readonly tasks: string[];
  readonly called: string[];
  /** New objects that were acknowledged. */
  readonly fresh: { readonly key: string; readonly hash: string; readonly gateway: number }[];
  reads: number;
  failedReads: number;
}

export function createLoadRecord(): LoadRecord {
  const lists = { writes: [], attempts: [], tasks: [], called: [], fresh: [] };
  return { ...lists, answers: new Map(), reads: 0, failedReads: 0 };
}

export async function keepWriting(
  plan: LoadPlan,
  record: LoadRecord,
  writer: number,
  random: Random,
): Promise<void> {
  for (let made = 0; !plan.stopped.aborted; made++) {
    const gateway = (writer + made) % plan.gateways.length;
    const upload = nextUpload(plan, writer, made, random);
    const isFirst = await attempt(plan, record, upload, gateway, false);
    if (!isFirst && !plan.stopped.aborted) {
      await sleep(RETRY_MS);
      await attempt(plan, record, upload, gateway, true);
    }
    await sleep(PACE_MS);
  }
}

/** Five of twenty uploads overwrite, two have a task and one has a callback. */
function nextUpload({ contents, told }: LoadPlan, writer: number, made: number, random: Random): Upload {
  const content = contents.make(random.integer(KIB, MAX_BYTES));
  const turn = made % 20;
  if (turn % 4 === 1) return { key: `over/${writer}`, mode: 'overwrite', content };
  const key = `new/${writer}-${made}`;
  if (turn === 3 || turn === 13)
    return {
      key,
      mode: 'insert',
      content,
      policy: { persistentOps: 'qhash/md5', persistentNotifyUrl: told.taskUrl },
    };
  if (turn === 7) return { key, mode: 'insert', content, policy: callbackPolicy(told) };
  return { key, mode: 'insert', content };
}

async function attempt(
  { client, gateways }: LoadPlan,
  record: LoadRecord,
  upload: Upload,
  gateway: number,
  isRetry: boolean,
): Promise<boolean> {
  const begunAt = Date.now();
  const { answer, text } = await uploadOnce(client, record, { ...upload, url: gateways[gateway] ?? '' });
  const isGood = answer === '200';
  record.attempts.push({ begunAt, endedAt: Date.now(), isGood, isRetry });
  if (!isGood) return false;
  const { policy, key, mode, content } = upload;
  if (policy?.persistentOps !== undefined)
    record.tasks.push((JSON.parse(text ?? '{}') as { persistentId: string }).persistentId);
  if (policy?.callbackUrl !== undefined) record.called.push(key);
  if (mode === 'insert') record.fresh.push({ key, hash: content.hash, gateway });
  return true;
}

export async function keepReading(
  { client, gateways, stopped }: LoadPlan,
  record: LoadRecord,
  random: Random,
  findings: Findings,
): Promise<void> {
  while (!stopped.aborted) {
    await sleep(READ_PACE_MS);
    const wanted = record.fresh.at(-1 - random.integer(0, RECENT - 1));
    if (wanted === undefined) continue;
    record.reads++;
    try {
      const other = gateways[(wanted.gateway + 1) % gateways.length] ?? '';
      const { bytesHash } = await client.get(other, wanted.key);
      if (bytesHash !== wanted.hash) findings.add('stale', `${wanted.key} was read as ${bytesHash}`);
    } catch (error) {
      if (/: (404|612) /.test(codeOf(error)))
        findings.add('stale', `${wanted.key} was acknowledged: ${codeOf(error)}`);
      else record.failedReads++;
    }
  }
}
