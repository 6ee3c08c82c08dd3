/**
 * Clients of an upgrade: each uploads, overwrites, copies, deletes and reads at all gateways, one request after the other. What
 * one of them was told, the others read wherever they like: at a gateway of either version.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { formatEntry } from '@millpond/protocol';
import type { Random } from '@millpond/testing';
import type { Outcome } from '../checks/history.ts';
import { type CallbackReceiver, callbackPolicy } from '../load/callback-receiver.ts';
import { type Client, codeOf, type RequestOutcome, type Upload } from '../load/client.ts';
import { type Contents, KIB, MIB } from '../load/contents.ts';
import { uploadOnce } from '../load/writers.ts';
import type { UpgradeRecord } from './record.ts';
import { type Reply, type Sending, sendTwice } from './repeated.ts';

export const OVERWRITTEN = ['over/0', 'over/1', 'over/2', 'over/3'];
/** Sizes of new objects; above 8 MiB the server writes to the engine in parts. */
const SIZES = inShares<number>([
  [4, 0],
  [14, KIB],
  [14, 4 * KIB],
  [10, 100 * KIB],
  [7, 300 * KIB],
  [1, 9 * MIB],
]);
const OVERWRITING_SIZES = [KIB, 4 * KIB, 100 * KIB];
/** Between two requests of a client. */
const PACE_MS = 120;
/** Which of the last objects are read and copied. */
const RECENT = 40;
/** The answers to a repetition, where the first attempt took effect. */
const ALREADY_COPIED = 614;
const ALREADY_DELETED = 612;

export interface ClientPlan extends Omit<Sending, 'random'> {
  readonly client: Client;
  readonly bucket: string;
  readonly contents: Contents;
  readonly told: CallbackReceiver;
  readonly record: UpgradeRecord;
  readonly stopped: AbortSignal;
}

export async function keepRequesting(plan: ClientPlan, number: number, random: Random): Promise<void> {
  const one = new UpgradeClient(plan, number, random);
  const acts = inShares<(key: string) => Promise<unknown>>([
    [30, (key) => one.insert(`new/${key}`)],
    [6, (key) => one.insertWithTask(`new/${key}`)],
    [4, (key) => one.insert(`new/${key}`, callbackPolicy(plan.told))],
    [15, () => one.overwrite()],
    [10, (key) => one.copy(`copy/${key}`)],
    [8, (key) => one.insertAndDelete(`gone/${key}`)],
    [12, () => one.readOverwritten()],
    [15, () => one.readEverywhere()],
  ]);
  for (let made = 0; !plan.stopped.aborted; made++) {
    await random.pick(acts)(`${number}-${made}`);
    await sleep(PACE_MS);
  }
}

/** At this gateway, which must take it. */
export async function uploadWithTask(plan: ClientPlan, url: string, key: string): Promise<void> {
  const { client, record, contents, findings } = plan;
  const content = contents.make(KIB);
  const upload: Upload = { key, mode: 'insert', content, policy: taskPolicy(plan, key) };
  const { write, text, answer } = await uploadOnce(client, record, { ...upload, url });
  if (write?.outcome === 'acknowledged' && text !== undefined) noteTask(plan, key, text);
  else findings.add('failed', `upload of ${key}: ${answer}`);
}

function taskPolicy({ bucket, told }: ClientPlan, key: string): Record<string, string> {
  const persistentOps = `qhash/md5|saveas/${formatEntry(bucket, resultOf(key))}`;
  return { persistentOps, persistentNotifyUrl: told.taskUrl };
}

function noteTask({ record }: ClientPlan, key: string, answered: string): void {
  record.tasks.push((JSON.parse(answered) as { persistentId: string }).persistentId);
  record.results.push(resultOf(key));
}

const resultOf = (key: string) => `result/${key}`;

class UpgradeClient {
  readonly #plan: ClientPlan;
  readonly #number: number;
  readonly #random: Random;

  constructor(plan: ClientPlan, number: number, random: Random) {
    this.#plan = plan;
    this.#number = number;
    this.#random = random;
  }

  /** What was answered, if it was acknowledged. */
  async insert(key: string, policy?: Upload['policy'], isKept = true): Promise<string | undefined> {
    const { contents, record } = this.#plan;
    const content = contents.make(this.#random.pick(SIZES));
    let answered: string | undefined;
    const upload: Upload = { key, mode: 'insert', content, ...(policy === undefined ? {} : { policy }) };
    const isGood = await this.#change(`upload of ${key}`, async (url) => {
      const { reply, text } = await this.#upload(url, upload);
      answered = text;
      return reply;
    });
    if (!isGood) return undefined;
    const { hash, size } = content;
    if (isKept) record.kept.push({ key, hash, size, at: Date.now() });
    if (policy?.callbackUrl !== undefined) record.called.push(key);
    return answered;
  }

  async insertWithTask(key: string): Promise<void> {
    const text = await this.insert(key, taskPolicy(this.#plan, key));
    if (text !== undefined) noteTask(this.#plan, key, text);
  }

  /** The repetition has another content: if both took effect, the history still tells one from the other. */
  async overwrite(): Promise<void> {
    const key = this.#random.pick(OVERWRITTEN);
    await this.#change(`overwriting of ${key}`, async (url) => {
      const content = this.#plan.contents.make(this.#random.pick(OVERWRITING_SIZES));
      return (await this.#upload(url, { key, mode: 'overwrite', content })).reply;
    });
  }

  async copy(key: string): Promise<void> {
    const { client, bucket, record } = this.#plan;
    const source = record.kept.at(-this.#random.integer(1, RECENT));
    if (source === undefined) return;
    const { hash, size } = source;
    const isGood = await this.#change(`copy of ${source.key}`, async (url, before) => {
      const begunAt = Date.now();
      const sent = await client.manage(url, 'copy', source.key, formatEntry(bucket, key));
      const endedAt = Date.now();
      const outcome = outcomeOf(sent, before, ALREADY_COPIED);
      if (outcome !== undefined)
        record.writes.push({ key, hash, size, mode: 'insert', begunAt, endedAt, outcome });
      return this.#count(sent, outcome);
    });
    if (isGood) record.kept.push({ key, hash, size, at: Date.now() });
  }

  async insertAndDelete(key: string): Promise<void> {
    const { client, record } = this.#plan;
    if ((await this.insert(key, undefined, false)) === undefined) return;
    await this.#change(`deletion of ${key}`, async (url, before) => {
      const sent = await client.manage(url, 'delete', key);
      const outcome = outcomeOf(sent, before, ALREADY_DELETED);
      if (outcome === 'acknowledged' || outcome === 'unknown') record.removals.push({ key, outcome });
      return this.#count(sent, outcome);
    });
  }

  /** Its record, and then its bytes, which may be newer. */
  async readOverwritten(): Promise<void> {
    const { client, record, findings } = this.#plan;
    const key = this.#random.pick(OVERWRITTEN);
    await this.#read(`reading of ${key}`, async (url) => {
      const begunAt = Date.now();
      const found = await client.stat(url, key);
      if (found === undefined) return;
      const { hash, putTime } = found;
      record.reads.push({ reader: this.#number, key, hash, putTime, begunAt, endedAt: Date.now() });
      const { bytesHash, etag } = await client.get(url, key);
      if (bytesHash !== etag) findings.add('torn', `${key}: the bytes of ${etag} arrived as ${bytesHash}`);
    });
  }

  /** What somebody was told is there for everybody, at once. */
  async readEverywhere(): Promise<void> {
    const { client, gateways, record, findings } = this.#plan;
    const wanted = record.kept.at(-this.#random.integer(1, RECENT));
    if (wanted === undefined) return;
    const { key, hash } = wanted;
    const read = async (url: string): Promise<void> => {
      const { bytesHash } = await client.get(url, key).catch((error: unknown) => {
        if (/: (404|612) /.test(codeOf(error)))
          findings.add('stale', `${key} was acknowledged: ${codeOf(error)}`);
        throw error;
      });
      if (bytesHash !== hash) findings.add('stale', `${key} was read as ${bytesHash}`);
    };
    for (const each of gateways.ready) await this.#read(`reading of ${key}`, read, each);
  }

  #change(what: string, request: (url: string, before?: Reply) => Promise<Reply>): Promise<boolean> {
    return sendTwice({ ...this.#plan, random: this.#random }, what, this.#plan.record.changing, request);
  }

  #read(what: string, request: (url: string) => Promise<void>, at?: string): Promise<boolean> {
    const reply = (url: string): Promise<Reply> =>
      request(url).then(
        () => ({ isGood: true, answer: '200' }),
        (error: unknown) => ({ isGood: false, answer: codeOf(error) }),
      );
    return sendTwice({ ...this.#plan, random: this.#random }, what, this.#plan.record.reading, reply, at);
  }

  async #upload(url: string, upload: Upload): Promise<{ reply: Reply; text: string | undefined }> {
    const { answer, text } = await uploadOnce(this.#plan.client, this.#plan.record, { ...upload, url });
    const isGood = answer === '200';
    return { reply: { isGood, answer: isGood ? answer : `${answer} ${text ?? ''}` }, text };
  }

  #count({ status, error }: RequestOutcome, outcome: Outcome | undefined): Reply {
    const { answers } = this.#plan.record;
    const answer = String(status ?? error);
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
    return { isGood: outcome === 'acknowledged', answer };
  }
}

/** A repetition that finds its work done has succeeded. */
function outcomeOf(
  outcome: RequestOutcome,
  before: Reply | undefined,
  alreadyDone: number,
): Outcome | undefined {
  return before !== undefined && outcome.status === alreadyDone ? 'acknowledged' : outcome.outcome;
}

/** A list in which each value is as often as its share says: picking from it is enough. */
function inShares<T>(shares: readonly (readonly [share: number, value: T])[]): T[] {
  return shares.flatMap(([share, value]) => Array<T>(share).fill(value));
}
