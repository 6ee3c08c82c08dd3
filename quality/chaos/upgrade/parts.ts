/** Uploads in parts that last longer than a restart. Each call goes to any gateway: what one version began, the other continues. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@millpond/testing';
import { codeOf } from '../load/client.ts';
import { MIB } from '../load/contents.ts';
import type { Part, ResumableClient } from '../load/resumable.ts';
import type { ClientPlan } from './clients.ts';
import { sendTwice } from './repeated.ts';

/** With parts of this size the hash is that of an upload in one piece. */
const PART_BYTES = 4 * MIB;
const SIZE_BYTES = PART_BYTES + MIB;
const PAUSE_MS = 1_000;

export interface PartsPlan extends ClientPlan {
  /** For each gateway, by its URL. */
  readonly resumable: ReadonlyMap<string, ResumableClient>;
}

/** An upload that was begun is finished, also if the load ends meanwhile. */
export async function keepUploadingInParts(plan: PartsPlan, number: number, random: Random): Promise<void> {
  const { contents, record, resumable, stopped } = plan;
  /** Undefined if it failed twice, which is a finding. */
  const call = async <T>(
    what: string,
    act: (client: ResumableClient, isRetry: boolean) => Promise<T>,
  ): Promise<T | undefined> => {
    let value: T | undefined;
    const isGood = await sendTwice({ ...plan, random }, what, record.changing, async (url, before) => {
      try {
        const client = resumable.get(url);
        if (client === undefined) throw new Error(`no client for ${url}`);
        value = await act(client, before !== undefined);
        return { isGood: true, answer: '200' };
      } catch (error) {
        return { isGood: false, answer: codeOf(error) };
      }
    });
    await sleep(PAUSE_MS);
    return isGood ? value : undefined;
  };
  for (let made = 0; !stopped.aborted; made++) {
    const key = `parts/${number}-${made}`;
    const content = contents.make(SIZE_BYTES);
    const bytes = Buffer.concat(content.bytes);
    const id = await call(`beginning of ${key}`, (client) => client.begin(key));
    if (id === undefined) continue;
    const parts: Part[] = [];
    for (const part of [1, 2]) {
      const piece = bytes.subarray((part - 1) * PART_BYTES, part * PART_BYTES);
      const put = await call(`part ${part} of ${key}`, (client) => client.putPart(key, id, part, piece));
      if (put !== undefined) parts.push(put);
    }
    // Without one of them it would be another object.
    if (parts.length < 2) continue;
    const begunAt = Date.now();
    const completed = await call(`completion of ${key}`, async (client, isRetry) => {
      const hash = await client.complete(key, id, parts);
      // A repetition that finds no upload follows one that completed it.
      if (hash !== content.hash && !(hash === undefined && isRetry)) throw new Error(`answered ${hash}`);
      return true;
    });
    const { hash, size } = content;
    const outcome = completed ? 'acknowledged' : 'unknown';
    record.writes.push({ key, hash, size, mode: 'overwrite', begunAt, endedAt: Date.now(), outcome });
    if (completed) record.kept.push({ key, hash, size, at: Date.now() });
  }
}
