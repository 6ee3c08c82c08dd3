/**
 * What the version before leaves behind: an object of each storage class, small and large ones, uploads in parts and in blocks that nobody has
 * finished, and a task that has ended. The new version must finish, restore and know them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { FIRST_ARCHIVE_CLASS, storageClasses } from '@millpond/protocol';
import type { CallbackReceiver } from '../load/callback-receiver.ts';
import { type Client, codeOf } from '../load/client.ts';
import { type Content, type Contents, KIB, MIB } from '../load/contents.ts';
import type { Part, ResumableClient } from '../load/resumable.ts';
import type { Findings } from '../report.ts';

const SIZES = [0, KIB, 300 * KIB, 9 * MIB];
/** Small enough to be in a pack, or large enough to be a blob of its own. */
const SIZES_OF_OTHERS = [KIB, 300 * KIB];
/** With blocks and parts of this size the hash is that of an upload in one piece. */
const BLOCK = 4 * MIB;
const CHUNK = MIB;
const UNFINISHED = BLOCK + MIB;
const EVENT_TIMEOUT_MS = 60_000;
/** Deep archive takes 15 minutes, by the clock of these servers. */
const RESTORE_TIMEOUT_MS = 60_000;
const ARCHIVE = FIRST_ARCHIVE_CLASS;

interface SeededObject {
  readonly key: string;
  readonly content: Content;
  readonly fileType: number;
}

export interface Seeds {
  readonly objects: readonly SeededObject[];
  readonly parts: {
    readonly key: string;
    readonly content: Content;
    readonly id: string;
    readonly first: Part;
  };
  readonly blocks: { readonly key: string; readonly content: Content; readonly context: string };
  /** The id of a task. */
  readonly task: string;
}

export interface Seeding {
  /** Address of a gateway. */
  readonly url: string;
  readonly client: Client;
  readonly resumable: ResumableClient;
  readonly contents: Contents;
  readonly told: CallbackReceiver;
}

/** Whatever is refused ends the run: without it, the rest shows little. */
export async function seed({ url, client, resumable, contents, told }: Seeding): Promise<Seeds> {
  const upload = async (key: string, size: number, fileType = 0, policy = {}) => {
    const content = contents.make(size);
    const { outcome, status, error, text } = await client.upload(url, {
      key,
      mode: 'insert',
      content,
      fileType,
      policy,
    });
    if (outcome !== 'acknowledged') throw new Error(`${key} was answered ${status}: ${error}`);
    return { object: { key, content, fileType }, text };
  };
  const objects: SeededObject[] = [];
  for (const { number } of storageClasses)
    for (const size of number === 0 ? SIZES : SIZES_OF_OTHERS)
      objects.push((await upload(`seed/${number}-${size}`, size, number)).object);

  const [parts, blocks] = [contents.make(UNFINISHED), contents.make(UNFINISHED)];
  const id = await resumable.begin('seed/parts');
  const first = await resumable.putPart('seed/parts', id, 1, bytesOf(parts).subarray(0, BLOCK));
  const context = await resumable.beginBlock('seed/blocks', BLOCK, bytesOf(blocks).subarray(0, CHUNK));

  const policy = { persistentOps: 'qhash/md5', persistentNotifyUrl: told.taskUrl };
  const { object, text } = await upload('seed/of-task', KIB, 0, policy);
  const task = (JSON.parse(text ?? '') as { persistentId: string }).persistentId;
  for (const end = Date.now() + EVENT_TIMEOUT_MS; !told.tasks.has(task); await sleep(50))
    if (Date.now() > end) throw new Error(`the end of task ${task} was never told`);
  return {
    objects: [...objects, object],
    parts: { key: 'seed/parts', content: parts, id, first },
    blocks: { key: 'seed/blocks', content: blocks, context },
    task,
  };
}

/** Whether only the record can be read. */
export function isStillFrozen({ objects }: Seeds): (key: string) => boolean {
  const frozen = new Set(
    objects.filter(({ fileType }) => fileType >= ARCHIVE && fileType !== ARCHIVE).map(({ key }) => key),
  );
  return (key) => frozen.has(key);
}

/** By the new version: what was unfinished is finished, what is archived is restored, and everything is what it was. */
export async function checkSeeds(seeds: Seeds, seeding: Seeding, findings: Findings): Promise<number> {
  const { url, client } = seeding;
  const noting = async (what: string, act: () => Promise<unknown>) => {
    await act().catch((error: unknown) => findings.add('lost', `${what} from before: ${codeOf(error)}`));
  };
  await noting('the unfinished parts', () => finishParts(seeds, seeding));
  await noting('the unfinished blocks', () => finishBlocks(seeds, seeding));
  await noting('the ended task', () => checkTask(url, seeds.task));
  const isFrozen = isStillFrozen(seeds);
  await Promise.all(
    seeds.objects.map((object) =>
      noting(object.key, async () => {
        await checkRecord(client, url, object);
        if (object.fileType === ARCHIVE) await restore(client, url, object.key);
        if (!isFrozen(object.key)) await checkBytes(client, url, object);
      }),
    ),
  );
  for (const { key, content } of [seeds.parts, seeds.blocks])
    await noting(key, () => checkBytes(client, url, { key, content }));
  return seeds.objects.length + 2;
}

async function finishParts({ parts }: Seeds, { resumable }: Seeding): Promise<void> {
  const { key, content, id, first } = parts;
  const known = await resumable.parts(key, id);
  if (known?.[0]?.etag !== first.etag) throw new Error(`its parts are ${JSON.stringify(known)}`);
  const second = await resumable.putPart(key, id, 2, bytesOf(content).subarray(BLOCK));
  expectHash(content, await resumable.complete(key, id, [first, second]));
}

async function finishBlocks({ blocks }: Seeds, { resumable }: Seeding): Promise<void> {
  const { key, content, context } = blocks;
  const bytes = bytesOf(content);
  const first = await resumable.addChunk(key, context, CHUNK, bytes.subarray(CHUNK, BLOCK));
  if (first === undefined) throw new Error('its context is unknown');
  const second = await resumable.beginBlock(key, UNFINISHED - BLOCK, bytes.subarray(BLOCK));
  expectHash(content, await resumable.makeFile(key, UNFINISHED, [first, second]));
}

function expectHash({ hash }: Content, answered: string | undefined): void {
  if (answered !== hash) throw new Error(`answered ${answered}`);
}

async function checkTask(url: string, id: string): Promise<void> {
  const answer = await fetch(`${url}/status/get/prefop?id=${id}`);
  const { code, items } = (await answer.json()) as { code?: number; items?: readonly unknown[] };
  if (answer.status !== 200 || code !== 0 || items?.length !== 1)
    throw new Error(`task ${id} is answered ${answer.status}, with code ${code}`);
}

async function checkRecord(client: Client, url: string, { key, content, fileType }: SeededObject) {
  const found = await client.stat(url, key);
  if (found?.hash !== content.hash || found.fsize !== content.size || found.type !== fileType)
    throw new Error(`it is ${found?.hash}, ${found?.fsize} bytes, of class ${found?.type}`);
}

async function restore(client: Client, url: string, key: string): Promise<void> {
  const { status } = await client.manage(url, 'restoreAr', key, 'freezeAfterDays/7');
  if (status !== 200) throw new Error(`its restore was answered ${status}`);
  for (const end = Date.now() + RESTORE_TIMEOUT_MS; ; await sleep(250))
    try {
      await client.get(url, key);
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
}

async function checkBytes(client: Client, url: string, { key, content }: Omit<SeededObject, 'fileType'>) {
  const { bytesHash } = await client.get(url, key);
  if (bytesHash !== content.hash) throw new Error(`it was read as ${bytesHash}`);
}

function bytesOf({ bytes }: Content): Buffer {
  return Buffer.concat(bytes);
}
