import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MemoryReservation } from '@millpond/base';
import { createDiskBlobStore } from '@millpond/blobs';
import { Fault, parseUploadPolicy } from '@millpond/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withoutSmallBlobs } from '../../../platform/small-blobs/small-blobs.testing.ts';
import { BodyDigest } from '../../../storage/objects/index.ts';
import { PreTokenBudget, UploadedFile } from './file-sink.ts';

const MIB = 1024 * 1024;
let root: string;
let blobs: ReturnType<typeof withoutSmallBlobs>;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'millpond-uploads-'));
  blobs = withoutSmallBlobs(createDiskBlobStore({ root }));
  await blobs.ensureReady();
});

afterAll(() => rm(root, { recursive: true, force: true }));

function newFile(budget = new PreTokenBudget(64 * MIB), signal = new AbortController().signal): UploadedFile {
  const late = new MemoryReservation(budget, [], 0);
  return new UploadedFile({ blobs, digest: new BodyDigest(Number.MAX_SAFE_INTEGER), late, signal });
}

function permitOf(fields: Record<string, unknown> = {}) {
  const policy = JSON.stringify({ scope: 'bucket', deadline: 4_000_000_000, ...fields });
  return { policy: parseUploadPolicy(Buffer.from(policy)) };
}

const textOf = async (file: UploadedFile) =>
  Buffer.from(await blobs.readAll(file.end().blobId, 20 * MIB)).toString();

/** The ids of all blobs in the store. */
async function stored(): Promise<string[]> {
  const ids: string[] = [];
  for (const hour of await blobs.listHours())
    for await (const page of blobs.list(hour)) ids.push(...page.map((blob) => blob.id));
  return ids;
}

async function faultOf(work: () => unknown): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error instanceof Fault ? error.fault : error;
  }
}

describe('with a permit', () => {
  test('bytes go to the store, in the tier of the policy’s class', async () => {
    for (const [fileType, tier] of [
      [0, 'STANDARD'],
      [1, 'STANDARD'],
      [2, 'COLD'],
      [3, 'COLD'],
    ]) {
      const file = newFile();
      await file.permit(permitOf({ fileType }));
      await file.write(Buffer.from('some '));
      await file.write(Buffer.from('bytes'));
      await file.finish();
      expect(await textOf(file)).toBe('some bytes');
      expect((await blobs.stat(file.end().blobId))?.tier).toBe(tier);
    }
  });

  test('none of the budget is used', async () => {
    const file = newFile(new PreTokenBudget(0));
    await file.permit(permitOf());
    await file.write(Buffer.alloc(100));
    await file.finish();
    expect((await blobs.stat(file.end().blobId))?.size).toBe(100);
  });

  test('the policy’s fsizeLimit binds what comes and what has come', async () => {
    const before = await stored();
    const file = newFile();
    await file.permit(permitOf({ fsizeLimit: 3 }));
    await file.write(Buffer.alloc(3));
    expect(await faultOf(() => file.write(Buffer.alloc(1)))).toBe('tooLarge');
    await file.abort();
    const late = newFile();
    await late.write(Buffer.alloc(4));
    expect(await faultOf(() => late.permit(permitOf({ fsizeLimit: 3 })))).toBe('tooLarge');
    await late.abort();
    expect(await stored()).toEqual(before);
  });

  test('an aborted file leaves nothing', async () => {
    const before = await stored();
    const file = newFile();
    await file.permit(permitOf());
    await file.write(Buffer.alloc(2 * MIB));
    await file.abort();
    await file.abort();
    expect(await stored()).toEqual(before);
  });

  test('a cancelled one fails with the reason and leaves nothing', async () => {
    const before = await stored();
    const cancel = new AbortController();
    const file = newFile(undefined, cancel.signal);
    await file.permit(permitOf());
    await file.write(Buffer.alloc(10));
    cancel.abort(new Fault('requestTimeout'));
    expect(await faultOf(() => file.finish())).toBe('requestTimeout');
    await file.abort();
    expect(await stored()).toEqual(before);
  });
});

describe('before a permit', () => {
  test('bytes wait, and go first once there is one', async () => {
    const before = await stored();
    const file = newFile();
    await file.write(Buffer.from('held '));
    await file.write(Buffer.from('back '));
    expect(await stored()).toEqual(before);
    await file.permit(permitOf());
    await file.write(Buffer.from('and more'));
    await file.finish();
    expect(await textOf(file)).toBe('held back and more');
  });

  test('at most 8 MiB of a file wait', async () => {
    const file = newFile();
    await file.write(Buffer.alloc(8 * MIB));
    expect(await faultOf(() => file.write(Buffer.alloc(1)))).toBe('invalidForm');
    await file.abort();
  });

  test('all files together stay within the budget, which comes back with a permit and with an end', async () => {
    const late = new PreTokenBudget(10);
    const [first, second, third] = [newFile(late), newFile(late), newFile(late)];
    await first.write(Buffer.alloc(6));
    await second.write(Buffer.alloc(4));
    expect(await faultOf(() => third.write(Buffer.alloc(1)))).toBe('tooManyRequests');
    await first.abort();
    await first.abort();
    await third.write(Buffer.alloc(6));
    expect(await faultOf(() => third.write(Buffer.alloc(1)))).toBe('tooManyRequests');
    await second.permit(permitOf());
    await third.write(Buffer.alloc(4));
    expect(await faultOf(() => third.write(Buffer.alloc(1)))).toBe('tooManyRequests');
    await Promise.all([second.abort(), third.abort()]);
  });

  test('a refusal for want of room says when to come back', async () => {
    const file = newFile(new PreTokenBudget(0));
    await expect(async () => file.write(Buffer.alloc(1))).rejects.toMatchObject({ retryAfterSeconds: 1 });
  });

  test('there is nothing to finish', async () => {
    const file = newFile();
    await file.write(Buffer.alloc(1));
    await expect(file.finish()).rejects.toThrow('without permit');
  });
});
