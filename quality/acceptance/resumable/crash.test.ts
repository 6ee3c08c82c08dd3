/**
 * A gateway that dies in the middle of an upload loses no part that it answered. The size is 64 MiB, or what
 * MILLPOND_TEST_LARGE_MIB says: `MILLPOND_TEST_LARGE_MIB=5120 npm run acceptance -- resumable/crash` for the long run.
 */
import { createHash } from 'node:crypto';
import { createEtagStream, etagOf } from '@millpond/protocol';
import { type Account, createBucket, createDeployment, type Deployment, hashing } from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf, putBlock } from '../support/objects/blocks.ts';
import { beginUpload, type Multipart, type NamedPart, putPart } from '../support/objects/multipart.ts';
import { target } from '../support/target.ts';

const MIB = 1024 * 1024;
const PART = 4 * MIB;
const PARTS = Math.ceil((Number(process.env.MILLPOND_TEST_LARGE_MIB ?? 64) * MIB) / PART);
const CONCURRENCY = 4;
const BUCKET = 'crash';
const NOISE = createHash('shake256', { outputLength: PART }).update('noise').digest();

let deployment: Deployment;
let account: Account;
beforeAll(async () => {
  deployment = await createDeployment({
    store: target.store,
    settings: { MILLPOND_MAX_OBJECT_SIZE: '16GiB' },
  });
  account = await deployment.createAccount(undefined, BUCKET);
});
afterAll(() => deployment?.destroy());

/** Parts that differ, so that no layer can be clever about them. The last is a shorter one. */
function contentOf(number: number): Buffer {
  const content = Buffer.from(NOISE);
  content.writeUInt32LE(number, 0);
  return number === PARTS ? content.subarray(0, PART - 12_345) : content;
}

/** Puts these parts, a few at a time; ends when there are no more, or when the gateway is gone. */
async function putAll(
  upload: Multipart,
  numbers: readonly number[],
  answered: (part: NamedPart) => void,
): Promise<void> {
  const waiting = [...numbers];
  const work = async () => {
    for (let number = waiting.shift(); number !== undefined; number = waiting.shift())
      answered(await putPart(upload, number, contentOf(number)));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

async function listAll(upload: Multipart): Promise<(NamedPart & { size: number })[]> {
  const parts: (NamedPart & { size: number })[] = [];
  for (let marker = 0; ; ) {
    const answer = await upload.list(`?part-number_marker=${marker}`);
    expect(answer.status).toBe(200);
    const page = (await answer.json()) as { parts: typeof parts; partNumberMarker: number };
    parts.push(...page.parts);
    marker = page.partNumberMarker;
    if (marker === 0) return parts;
  }
}

test('a gateway killed in the middle: the upload resumes where it was, and the hash is exact [multipart-16]', {
  timeout: 3_600_000,
}, async () => {
  const first = await deployment.start();
  const upload = await beginUpload(BUCKET, { key: 'large', site: { url: first.url, account } });
  const answered = new Map<number, string>();
  const numbers = Array.from({ length: PARTS }, (_, index) => index + 1);
  const sending = putAll(upload, numbers, ({ partNumber, etag }) => {
    answered.set(partNumber, etag);
    if (answered.size === Math.floor(PARTS / 2)) void first.kill('SIGKILL');
  });
  await expect(sending).rejects.toThrow();

  const second = await deployment.start();
  const resumed = upload.by({ site: { url: second.url, account } });
  const there = new Map((await listAll(resumed)).map((part) => [part.partNumber, part]));
  expect(answered.size).toBeLessThan(PARTS);
  for (const [number, etag] of answered) expect(there.get(number), `part ${number}`).toMatchObject({ etag });
  // A part whose answer was lost may be there too; what is there is whole.
  for (const { partNumber, etag, size } of there.values()) {
    const content = contentOf(partNumber);
    expect([etag, size]).toEqual([etagOf(hashing, content), content.length]);
  }
  const missing = numbers.filter((number) => !there.has(number));
  await putAll(resumed, missing, ({ partNumber, etag }) => {
    there.set(partNumber, { partNumber, etag, size: 0 });
  });
  const parts = numbers.map((partNumber) => ({ partNumber, etag: there.get(partNumber)?.etag ?? '' }));
  const answer = await resumed.complete(parts);

  const expected = createEtagStream(hashing);
  for (const number of numbers) expected.update(contentOf(number));
  const { etag: hash } = expected.digest();
  expect([answer.status, await answer.json()]).toEqual([200, { hash, key: 'large' }]);
  const read = createEtagStream(hashing);
  for await (const chunk of (await fetch(`${second.url}/${BUCKET}/large`)).body ?? []) read.update(chunk);
  expect(read.digest().etag).toBe(hash);
});

test('blocks that were answered survive it too [multipart-16]', async () => {
  const first = await deployment.start();
  await createBucket(first.url, account, 'crash-blocks');
  const before = blocksOf('crash-blocks', { site: { url: first.url, account } });
  const contexts = await Promise.all([1, 2].map((number) => putBlock(before, [contentOf(number)])));
  await first.kill('SIGKILL');
  const second = await deployment.start();
  const after = blocksOf('crash-blocks', { site: { url: second.url, account } });
  const last = await putBlock(after, [contentOf(3)]);
  const whole = Buffer.concat([1, 2, 3].map(contentOf));
  const answer = await after.mkfile(whole.length, [...contexts, last], { key: 'k' });
  expect([answer.status, await answer.json()]).toEqual([200, { hash: etagOf(hashing, whole), key: 'k' }]);
});
