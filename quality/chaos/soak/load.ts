/**
 * A load of a fixed rate on a fixed number of keys. Each lane has its own keys and does one thing at a time, so that it knows what
 * they may hold: what was acknowledged last, or one of those that got no answer since.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@millpond/testing';
import type { Client, RequestOutcome } from '../load/client.ts';
import { type Contents, MIXED_SIZES, pickSize } from '../load/contents.ts';
import type { Findings } from '../report.ts';

const KEYS_OF_LANE = 50;
const TOO_MUCH = 573;

export interface SoakPlan {
  readonly client: Client;
  readonly gateways: readonly string[];
  readonly contents: Contents;
  readonly findings: Findings;
}

/** A request that was answered as it should. Times are milliseconds since 1970. */
export interface Timed {
  readonly begunAt: number;
  readonly endedAt: number;
}

export class Lane {
  /** By key: hashes that it may have; empty: no such object. */
  readonly may = new Map<string, Set<string>>();
  readonly #plan: SoakPlan;
  readonly #name: string;
  readonly #random: Random;

  constructor(plan: SoakPlan, name: string, random: Random) {
    this.#plan = plan;
    this.#name = name;
    this.#random = random;
  }

  /** One request; undefined if it was not answered. */
  async act(): Promise<Timed | undefined> {
    const { client, gateways, contents } = this.#plan;
    const [gateway, dice] = [this.#random.pick(gateways), this.#random.next()];
    const key = `${this.#name}/${this.#random.integer(1, KEYS_OF_LANE)}`;
    const begunAt = Date.now();
    let isGood: boolean;
    if (dice < 0.5) {
      const content = contents.make(pickSize(MIXED_SIZES, this.#random));
      const outcome = await client.upload(gateway, { key, mode: 'overwrite', content });
      isGood = this.#note(key, content.hash, outcome);
    } else if (dice < 0.57) isGood = this.#note(key, '', await client.manage(gateway, 'delete', key));
    else if (dice < 0.9) isGood = await this.#read(gateway, key);
    else isGood = await client.list(gateway, `${this.#name}/`).then(...asGood);
    return isGood ? { begunAt, endedAt: Date.now() } : undefined;
  }

  /** `hash` is empty for a removal. */
  #note(key: string, hash: string, { outcome, status, error }: RequestOutcome): boolean {
    const isGone = hash === '' && status === 612;
    // Load that is refused is none: the run would say nothing.
    if (outcome === 'refused' && !isGone && status !== TOO_MUCH)
      this.#plan.findings.add('failed', `${key}: ${status} ${error}`);
    if (outcome === 'acknowledged' || isGone) this.may.set(key, new Set([hash]));
    else if (outcome === 'unknown') this.may.set(key, (this.may.get(key) ?? new Set([''])).add(hash));
    return outcome === 'acknowledged' || isGone;
  }

  async #read(gateway: string, key: string): Promise<boolean> {
    const { client, findings } = this.#plan;
    try {
      const { bytesHash, etag } = await client.get(gateway, key);
      if (bytesHash !== etag) findings.add('torn', `${key}: the bytes of ${etag} arrived as ${bytesHash}`);
      this.#check(key, bytesHash);
    } catch (error) {
      if (!String(error).includes(`GET of ${key}: 404`)) return false;
      this.#check(key, '');
    }
    return true;
  }

  #check(key: string, hash: string): void {
    const may = this.may.get(key) ?? new Set(['']);
    if (!may.has(hash)) this.#plan.findings.add('stale', `${key} is ${hash}, not one of ${[...may].join()}`);
  }
}

const asGood = [() => true, () => false] as const;

/** As fast as the lanes can. Returns requests per second. */
export async function measureRate(lanes: readonly Lane[], seconds: number): Promise<number> {
  const end = Date.now() + seconds * 1000;
  let count = 0;
  await Promise.all(
    lanes.map(async (lane) => {
      while (Date.now() < end) if ((await lane.act()) !== undefined) count++;
    }),
  );
  return count / seconds;
}

/** So many requests per second, as long as a lane is free; returns those for which none was. */
export async function keepRate(
  lanes: readonly Lane[],
  perSecond: number,
  stopped: AbortSignal,
  onAnswer: (timed: Timed | undefined) => void,
): Promise<number> {
  const idle = [...lanes];
  const busy = new Set<Promise<void>>();
  const begun = performance.now();
  let [due, late] = [0, 0];
  while (!stopped.aborted) {
    for (const now = ((performance.now() - begun) / 1000) * perSecond; due < now; due++) {
      const lane = idle.shift();
      if (lane === undefined) {
        late++;
        continue;
      }
      const acting = lane.act().then((timed) => {
        onAnswer(timed);
        idle.push(lane);
        busy.delete(acting);
      });
      busy.add(acting);
    }
    await sleep(2);
  }
  await Promise.all(busy);
  return late;
}
