/**
 * Clients that upload in parts or in blocks and continue where they were, whatever breaks in between. What the server
 * acknowledged must be there when they come back.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { etagOf } from '@millpond/protocol';
import { hashing } from '@millpond/testing';
import type { Findings } from '../report.ts';
import { type Content, MIB } from './contents.ts';
import { ConnectionError, type Part, type ResumableClient } from './resumable.ts';

const PART_BYTES = 4 * MIB;
const CHUNKS_PER_BLOCK = 2;
const MAX_CONCURRENT = 2;
const KNOCK_MS = 40;

export interface Tally {
  /** Parts and blocks that were acknowledged. */
  answered: number;
  /** How often a client came back to an upload. */
  resumed: number;
}

export interface Resuming {
  readonly client: ResumableClient;
  readonly findings: Findings;
  readonly tally: Tally;
}

/** The hash that the server answered; undefined if its answer was lost and the upload is over. */
export async function uploadInParts(
  { client, findings, tally }: Resuming,
  key: string,
  content: Content,
  ending: 'complete' | 'abort' | 'leave',
): Promise<string | undefined> {
  const pieces = piecesOf(content);
  const id = await untilAnswered(() => client.begin(key));
  const there = new Map<number, Part>();
  for (;;) {
    try {
      const missing = pieces.map((_, index) => index + 1).filter((number) => !there.has(number));
      await inTurn(missing, async (number) => {
        const part = await client.putPart(key, id, number, pieces[number - 1] ?? Buffer.alloc(0));
        there.set(number, part);
        tally.answered++;
      });
      if (ending === 'leave') return undefined;
      if (ending === 'abort') {
        await client.abort(key, id);
        return undefined;
      }
      return await client.complete(
        key,
        id,
        [...there.values()].toSorted((one, two) => one.partNumber - two.partNumber),
      );
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      tally.resumed++;
      const listed = await untilAnswered(() => client.parts(key, id));
      if (listed === undefined) return undefined;
      checkListed(key, pieces, there, listed, findings);
      for (const part of listed) there.set(part.partNumber, part);
    }
  }
}

function checkListed(
  key: string,
  pieces: readonly Buffer[],
  answered: ReadonlyMap<number, Part>,
  listed: readonly Part[],
  findings: Findings,
): void {
  const found = new Map(listed.map((part) => [part.partNumber, part.etag]));
  for (const { partNumber, etag } of answered.values())
    if (found.get(partNumber) !== etag)
      findings.add('lost', `${key}: part ${partNumber} was acknowledged but is ${found.get(partNumber)}`);
  // One whose answer was lost may be there too; then it is whole.
  for (const { partNumber, etag } of listed)
    if (etag !== etagOf(hashing, pieces[partNumber - 1] ?? Buffer.alloc(0)))
      findings.add('torn', `${key}: part ${partNumber} has different content`);
}

/** As above; a block whose answer was lost is begun again, and the others are kept. */
export async function uploadInBlocks(
  { client, tally }: Resuming,
  key: string,
  content: Content,
): Promise<string | undefined> {
  const pieces = piecesOf(content);
  const contexts = new Map<number, string>();
  for (;;) {
    try {
      const missing = pieces.map((_, index) => index).filter((index) => !contexts.has(index));
      await inTurn(missing, async (index) => {
        contexts.set(index, await putBlock(client, key, pieces[index] ?? Buffer.alloc(0)));
        tally.answered++;
      });
      const inOrder = pieces.map((_, index) => contexts.get(index) ?? '');
      return await client.makeFile(key, content.size, inOrder);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      if (!error.away) tally.resumed++;
      await sleep(KNOCK_MS);
    }
  }
}

async function putBlock(client: ResumableClient, key: string, block: Buffer): Promise<string> {
  const step = Math.ceil(block.length / CHUNKS_PER_BLOCK);
  let context: string | undefined = await client.beginBlock(key, block.length, block.subarray(0, step));
  for (let at = step; at < block.length && context !== undefined; at += step)
    context = await client.addChunk(key, context, at, block.subarray(at, at + step));
  if (context === undefined) throw new ConnectionError('the block has moved on without us');
  return context;
}

/** A few at a time. Waits for all before it fails: what is in flight may yet be answered. */
async function inTurn(items: readonly number[], work: (item: number) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const lane = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: MAX_CONCURRENT }, lane));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}

async function untilAnswered<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      await sleep(KNOCK_MS);
    }
  }
}

function piecesOf(content: Content): Buffer[] {
  const whole = Buffer.concat(content.bytes);
  return Array.from({ length: Math.ceil(whole.length / PART_BYTES) }, (_, index) =>
    whole.subarray(index * PART_BYTES, (index + 1) * PART_BYTES),
  );
}
