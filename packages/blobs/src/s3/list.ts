/** Listing what the engine holds: hours, blobs of an hour, unfinished multiparts. */
import { MIB } from '@millpond/protocol';
import { engineKey, isHour, parseEngineKey } from '../blob-id.ts';
import type { BlobEntry, ListOptions } from '../store.ts';
import type { S3Call, S3Client } from './client.ts';
import { contentFault } from './faults.ts';
import { type ListPage, listPageIn, uploadsPageIn } from './list-responses.ts';
import { abortMultipart } from './multipart.ts';

const MAX_PAGE_SIZE = 1000;
/** 1000 entries are about 400 KiB. */
const PAGE_ANSWER = 4 * MIB;

type Parameters = (readonly [name: string, value: string])[];

async function pageOf<Page>(
  client: S3Client,
  asked: Pick<S3Call, 'parameters' | 'doing' | 'signal'>,
  read: (body: Buffer) => Page | undefined,
): Promise<Page> {
  const response = await client.call({ ...asked, method: 'GET', expect: [200], maxAnswerBytes: PAGE_ANSWER });
  const page = read(response.body);
  if (!page) throw contentFault(response.status, response.body, asked.doing);
  return page;
}

async function* pages(
  client: S3Client,
  fixed: Parameters,
  signal: AbortSignal | undefined,
): AsyncGenerator<ListPage> {
  let token: string | undefined;
  do {
    const parameters: Parameters = [['list-type', '2'], ...fixed];
    if (token !== undefined) parameters.push(['continuation-token', token]);
    const page = await pageOf(client, { parameters, doing: 'listing blobs', signal }, listPageIn);
    yield page;
    token = page.next;
  } while (token !== undefined);
}

export async function listHours(client: S3Client, signal: AbortSignal | undefined): Promise<string[]> {
  const hours: string[] = [];
  for await (const page of pages(client, [['delimiter', '/']], signal)) {
    for (const prefix of page.prefixes) {
      const hour = prefix.slice(0, -1);
      if (isHour(hour)) hours.push(hour);
    }
  }
  return hours.sort();
}

export async function* listHour(
  client: S3Client,
  hour: string,
  options: ListOptions,
): AsyncGenerator<readonly BlobEntry[]> {
  const pageSize = Math.min(options.pageSize ?? MAX_PAGE_SIZE, MAX_PAGE_SIZE);
  const parameters: Parameters = [
    ['prefix', `${hour}/`],
    ['max-keys', String(pageSize)],
  ];
  if (options.after !== undefined) parameters.push(['start-after', engineKey(options.after)]);
  for await (const page of pages(client, parameters, options.signal)) {
    const entries: BlobEntry[] = [];
    for (const { key, size } of page.entries) {
      const id = parseEngineKey(key);
      if (id !== undefined) entries.push({ id, size });
    }
    if (entries.length > 0) yield entries;
  }
}

export async function abortStale(
  client: S3Client,
  olderThan: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  let aborted = 0;
  let marker: { key: string; uploadId: string } | undefined;
  do {
    const parameters: Parameters = [
      ['uploads', ''],
      ['max-uploads', String(MAX_PAGE_SIZE)],
    ];
    if (marker) parameters.push(['key-marker', marker.key], ['upload-id-marker', marker.uploadId]);
    const page = await pageOf(client, { parameters, doing: 'listing multiparts', signal }, uploadsPageIn);
    for (const upload of page.uploads) {
      if (!(upload.begun < olderThan) || parseEngineKey(upload.key) === undefined) continue;
      await abortMultipart(client, upload, signal);
      aborted++;
    }
    marker = page.next;
  } while (marker);
  return aborted;
}
