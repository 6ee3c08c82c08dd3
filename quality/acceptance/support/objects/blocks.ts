/** Uploads in blocks (v1), call by call. */
import { encodeBase64Text } from '@millpond/protocol';
import { uploadToken } from '@millpond/testing';
import { expect } from 'vitest';
import { target } from '../target.ts';
import type { Site } from './multipart.ts';

export interface BlockResponse {
  readonly ctx: string;
  readonly checksum: string;
  readonly crc32: number;
  readonly offset: number;
  readonly host: string;
  readonly expired_at: number;
}

export interface BlockOptions {
  readonly policy?: Readonly<Record<string, unknown>>;
  readonly site?: Site;
  readonly token?: string;
}

export interface Blocks {
  mkblk(size: number | string, chunk: Uint8Array | string): Promise<Response>;
  bput(ctx: string, offset: number | string, chunk: Uint8Array | string): Promise<Response>;
  mkfile(
    size: number | string,
    contexts: readonly string[] | string,
    pairs?: Readonly<Record<string, string>>,
  ): Promise<Response>;
}

export function blocksOf(bucket: string, { policy, site = target, token }: BlockOptions = {}): Blocks {
  const authorization = `UpToken ${token ?? uploadToken(site.account, { scope: bucket, ...policy })}`;
  const post = (path: string, body: Uint8Array | string) =>
    fetch(site.url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/octet-stream', authorization },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
  return {
    mkblk: (size, chunk) => post(`/mkblk/${size}`, chunk),
    bput: (ctx, offset, chunk) => post(`/bput/${ctx}/${offset}`, chunk),
    mkfile: (size, contexts, pairs = {}) => {
      const path = Object.entries(pairs).map(([name, value]) => `/${name}/${encodeBase64Text(value)}`);
      return post(
        `/mkfile/${size}${path.join('')}`,
        typeof contexts === 'string' ? contexts : contexts.join(','),
      );
    },
  };
}

export async function blockAnswer(answer: Response): Promise<BlockResponse> {
  expect(answer.status, await answer.clone().text()).toBe(200);
  return (await answer.json()) as BlockResponse;
}

/** A block of several chunks; the context of the last. */
export async function putBlock(blocks: Blocks, chunks: readonly (Uint8Array | string)[]): Promise<string> {
  const [first = '', ...rest] = chunks;
  const size = chunks.reduce((sum, chunk) => sum + Buffer.from(chunk).length, 0);
  let { ctx, offset } = await blockAnswer(await blocks.mkblk(size, first));
  for (const chunk of rest) ({ ctx, offset } = await blockAnswer(await blocks.bput(ctx, offset, chunk)));
  expect(offset).toBe(size);
  return ctx;
}
