/**
 * Several clients at one family of two keys: each does one thing after the other at a gateway of its choice, without looking
 * what the others do. A family is short, so that its history can be judged, and no other uses its keys.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { formatEntry } from '@millpond/protocol';
import type { Random } from '@millpond/testing';
import type { Client, RequestOutcome } from '../load/client.ts';
import { type Contents, KIB, MIB, pickSize, type Sizes } from '../load/contents.ts';
import type { Findings } from '../report.ts';
import type { Entry, ObjectValue, Operation, OperationResult } from './operations.ts';

const CLIENTS = 4;
const OPERATIONS = 60;
/** With more than this many that were left open, everything is possible and nothing is learned. */
const MAX_OPEN = 5;
/** While no gateway answers. */
const KNOCK_MS = 40;
/** Whom a client mostly leaves alone after it did not answer. */
const SHUN_MS = 2000;
const KEYS = [0, 1] as const;
/** Those up to 16 KiB are committed with their bytes. */
const SIZES: Sizes = [
  [40, 64],
  [40, 2 * KIB],
  [12, 40 * KIB],
  [7, 300 * KIB],
  [1, 5 * MIB],
];
const MARK = 'x-mark/';

export interface FamilyPlan {
  readonly client: Client;
  readonly bucket: string;
  readonly gateways: readonly string[];
  /** Until when, by gateway; shared by all families. */
  readonly shunned: Map<string, number>;
  readonly contents: Contents;
  readonly findings: Findings;
  readonly stopped: AbortSignal;
}

export class KeyPairLoad {
  readonly name: string;
  readonly history: Entry[] = [];
  /** Resolves when enough is done, while some clients may still wait for an answer. */
  readonly full: Promise<void>;
  #becomeFull: () => void = () => undefined;
  readonly #plan: FamilyPlan;
  /** The content that somebody saw last, for conditions. */
  readonly #seen: string[] = [];
  #open = 0;
  #marks = 0;

  constructor(plan: FamilyPlan, name: string) {
    this.#plan = plan;
    this.name = name;
    this.full = new Promise((resolve) => {
      this.#becomeFull = resolve;
    });
  }

  static keysOf(name: string): readonly string[] {
    return KEYS.map((key) => `${name}/${key}`);
  }

  /** Ends with a look at both keys, at every gateway. */
  async play(random: Random): Promise<void> {
    await Promise.all(
      Array.from({ length: CLIENTS }, (_, number) => this.#playOne(number, random.fork(`client ${number}`))),
    );
    for (const gateway of this.#plan.gateways)
      while (!(await this.listOnce(gateway))) {
        if (this.#plan.stopped.aborted) return;
        await sleep(KNOCK_MS);
      }
  }

  /** At both keys, as a part of the history. False if it failed. */
  listOnce(gateway: string): Promise<boolean> {
    return this.#perform({ kind: 'list' }, gateway);
  }

  async #playOne(number: number, random: Random): Promise<void> {
    while (this.history.length < OPERATIONS && this.#open <= MAX_OPEN && !this.#plan.stopped.aborted) {
      const gateway = this.#choose(number, random);
      if (!(await this.#perform(this.#draw(random), gateway, random))) {
        this.#plan.shunned.set(gateway, performance.now() + SHUN_MS);
        await sleep(KNOCK_MS);
      }
    }
    this.#becomeFull();
  }

  /** Each has one that it mostly goes to, so that one that hangs does not hold up everybody. */
  #choose(number: number, random: Random): string {
    const { gateways, shunned } = this.#plan;
    const own = gateways[number % gateways.length] ?? '';
    const isShunned = (shunned.get(own) ?? 0) > performance.now();
    return random.next() < (isShunned ? 0.95 : 0.1) ? random.pick(gateways) : own;
  }

  #draw(random: Random): Operation {
    const [dice, key] = [random.next(), random.pick(KEYS)];
    // Its content is made when it is sent.
    if (dice < 0.4) return { kind: 'put', key, hash: '', isInsert: random.next() < 0.3 };
    if (dice < 0.48) return { kind: 'mark', key, hash: this.#seen[key] ?? '', mark: String(++this.#marks) };
    if (dice < 0.56) return { kind: 'delete', key };
    if (dice < 0.64) return { kind: 'copy', key, to: 1 - key, isForced: random.next() < 0.7 };
    if (dice < 0.68) return { kind: 'move', key, to: 1 - key, isForced: random.next() < 0.7 };
    if (dice < 0.9) return { kind: 'read', key };
    return { kind: 'list' };
  }

  /** False if nothing was reached, or a read failed: then there is nothing to record. */
  async #perform(drawn: Operation, at: string, random?: Random): Promise<boolean> {
    const begunAt = performance.now();
    let operation = drawn;
    let answer: OperationResult | undefined;
    if (drawn.kind === 'read') answer = await this.#read(at, drawn.key, (random?.next() ?? 0) < 0.5);
    else if (drawn.kind === 'list') answer = await this.#list(at);
    else if (drawn.kind === 'put') {
      const content = this.#plan.contents.make(random === undefined ? 0 : pickSize(SIZES, random));
      operation = { ...drawn, hash: content.hash };
      const mode = drawn.isInsert ? 'insert' : 'overwrite';
      answer = answerOf(await this.#plan.client.upload(at, { key: this.#key(drawn.key), mode, content }));
    } else answer = answerOf(await this.#change(at, drawn));
    if (answer === undefined) return false;
    if (answer === 'unknown') {
      this.#open++;
      this.#plan.shunned.set(at, performance.now() + SHUN_MS);
    }
    this.history.push({ operation, answer, begunAt, endedAt: performance.now(), at });
    return true;
  }

  #change(
    at: string,
    operation: Exclude<Operation, { kind: 'put' | 'read' | 'list' }>,
  ): Promise<RequestOutcome> {
    const { client, bucket } = this.#plan;
    const key = this.#key(operation.key);
    if (operation.kind === 'delete') return client.manage(at, 'delete', key);
    if (operation.kind === 'mark') {
      const [mime, condition] = [`${MARK}${operation.mark}`, `hash=${operation.hash}`].map((text) =>
        Buffer.from(text).toString('base64url'),
      );
      return client.manage(at, 'chgm', key, `mime/${mime}/cond/${condition}`);
    }
    const target = `${formatEntry(bucket, this.#key(operation.to))}/force/${operation.isForced}`;
    return client.manage(at, operation.kind, key, target);
  }

  async #read(at: string, number: number, wantsBytes: boolean): Promise<OperationResult | undefined> {
    const { client, findings } = this.#plan;
    const key = this.#key(number);
    try {
      if (!wantsBytes) return { saw: [this.#heldOf(number, await client.stat(at, key))] };
      const { bytesHash, etag, mimeType } = await client.get(at, key);
      if (bytesHash !== etag) findings.add('torn', `${key}: the bytes of ${etag} arrived as ${bytesHash}`);
      return { saw: [this.#heldOf(number, { hash: bytesHash, mimeType })] };
    } catch (error) {
      return String(error).includes(`GET of ${key}: 404`) ? { saw: [undefined] } : undefined;
    }
  }

  async #list(at: string): Promise<OperationResult | undefined> {
    try {
      const items = await this.#plan.client.list(at, `${this.name}/`);
      const saw = KEYS.map((key) =>
        this.#heldOf(
          key,
          items.find((item) => item.key === this.#key(key)),
        ),
      );
      return { saw };
    } catch {
      return undefined;
    }
  }

  #heldOf(number: number, object: { hash: string; mimeType: string } | undefined): ObjectValue {
    if (object === undefined) return undefined;
    const { hash, mimeType } = object;
    this.#seen[number] = hash;
    return { hash, mark: mimeType.startsWith(MARK) ? mimeType.slice(MARK.length) : '' };
  }

  #key(number: number): string {
    return `${this.name}/${number}`;
  }
}

/** Undefined if it can't have had an effect, and says nothing of the state. */
function answerOf({ status, outcome }: RequestOutcome): OperationResult | undefined {
  if (outcome === 'acknowledged') return 'done';
  if (status === 612) return 'absent';
  if (status === 614) return 'exists';
  if (status === 613) return 'mismatch';
  return outcome === 'unknown' ? 'unknown' : undefined;
}
