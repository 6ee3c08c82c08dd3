/**
 * Playlists of private buckets (`pm3u8`), in which every URI that names an object of the bucket is signed, so that a player
 * that knows one URL can get all that it plays. They are signed with the key that signed the request. A session of the console
 * plays without signatures: for it, the URIs lead to the console's own origin.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import { MemoryBudget } from '@millpond/base';
import { type BlobStore, readSegments } from '@millpond/blobs';
import {
  type AccessKeyPair,
  decodeUtf8,
  Fault,
  isPlaylist,
  MAX_PM3U8_DEADLINE,
  MIB,
  PlaylistRewriter,
  type Pm3u8Plan,
  type UriKind,
} from '@millpond/protocol';
import type { Tenants } from '../../identity/accounts/index.ts';
import type { RequestContext } from '../../platform/web/index.ts';
import type { Bucket } from '../../storage/buckets/index.ts';
import type { ObjectRow, Objects } from '../../storage/objects/index.ts';
import { type UriBase, UriRelocator } from './uri-relocator.ts';
import { hostOf, otherHostOf, UriSigner, type UriSigning } from './uri-signer.ts';

export interface PrivatePlaylistDeps {
  readonly objects: Objects;
  readonly blobs: BlobStore;
  readonly tenants: Tenants;
  /** The path prefix of a bucket's objects at a host; undefined: not served there. */
  readonly rootAt: (bucket: Bucket, host: string) => Promise<string | undefined>;
}

export interface PlaylistRequest {
  readonly context: RequestContext;
  readonly bucket: Bucket;
  readonly row: ObjectRow;
  readonly plan: Pm3u8Plan;
  /** The keys that signed the request, and its deadline; undefined: a session made it. */
  readonly signature: { readonly key: AccessKeyPair; readonly deadline: number } | undefined;
  /** The path prefix of the bucket's objects at the requested host. */
  readonly root: string;
}

const MAX_PLAYLIST_BYTES = 4 * MIB;
const MAX_PLAYLIST_URIS = 50_000;
/** How many other hosts named by a playlist are looked up. */
const MAX_HOSTS = 8;
/** Memory that a playlist takes while it is signed: its lines, and URIs several times as long as before. */
const BYTES_PER_BYTE = 8;
/** For all accounts together; a single one may use half, enough for two of the largest playlists at once. */
const BUDGET_BYTES = 128 * MIB;
/** Signatures before other work gets a turn: a millisecond or two. */
const MAX_CONCURRENT = 256;

export class PrivatePlaylists {
  readonly #deps: PrivatePlaylistDeps;
  readonly #budget = new MemoryBudget(BUDGET_BYTES, 'too many playlists are being signed');

  constructor(deps: PrivatePlaylistDeps) {
    this.#deps = deps;
  }

  async signed(request: PlaylistRequest): Promise<string> {
    const size = Number(request.row.fsize);
    if (size > MAX_PLAYLIST_BYTES) throw failed(`a playlist may have at most ${MAX_PLAYLIST_BYTES} bytes`);
    const bytes = size * BYTES_PER_BYTE;
    const holders = [`tenant ${this.#deps.tenants.known(request.bucket.uid)}`];
    this.#budget.acquire(bytes, holders);
    try {
      return await this.#rewritten(request);
    } finally {
      this.#budget.release(bytes, holders);
    }
  }

  async #rewritten(request: PlaylistRequest): Promise<string> {
    const { context, plan, signature } = request;
    const end = signature && endOf(plan, signature.deadline);
    const text = decodeUtf8(await this.#content(request));
    if (text === undefined || !isPlaylist(text)) throw failed('the object is not a playlist');
    const lines = text.split('\n');
    const at = { host: context.host, path: context.target.path };
    const roots = await this.#roots(request, otherHosts(lines, at));
    const { prefix } = plan;
    const rewriter = new PlaylistRewriter(
      signature === undefined || end === undefined
        ? relocating({ ...at, prefix, roots })
        : signing({ ...at, keys: signature.key, end, prefix, roots }),
    );
    for (let index = 0; index < lines.length; index++) {
      lines[index] = rewriter.line(lines[index] ?? '');
      if (index % MAX_CONCURRENT === MAX_CONCURRENT - 1) await breathe();
      context.cancel.throwIfAborted();
    }
    return lines.join('\n');
  }

  async #content({ row, context }: PlaylistRequest): Promise<Buffer> {
    const { objects, blobs } = this.#deps;
    const segments = (await objects.segments(row, context.cancel)).map(({ segment_id, size }) => ({
      id: segment_id,
      size: Number(size),
    }));
    const chunks: Buffer[] = [];
    const sink = {
      write(chunk: Uint8Array) {
        chunks.push(Buffer.from(chunk));
        return true;
      },
      once: () => undefined,
    };
    await readSegments(blobs, segments, { offset: 0, length: Number(row.fsize) }, sink, context.cancel);
    return Buffer.concat(chunks);
  }

  async #roots(
    { context, bucket, root }: PlaylistRequest,
    hosts: ReadonlySet<string>,
  ): Promise<Map<string, string>> {
    const own = hostOf({ host: context.host, path: context.target.path });
    const roots = new Map([[own, root]]);
    for (const host of [...hosts].slice(0, MAX_HOSTS)) {
      const found = await this.#deps.rootAt(bucket, host);
      if (found !== undefined) roots.set(host, found);
    }
    return roots;
  }
}

type Rewrite = (uri: string, kind: UriKind) => string;

function signing(given: UriSigning): Rewrite {
  const signer = new UriSigner(given);
  return (uri, kind) => signer.sign(uri, kind);
}

function relocating(given: UriBase): Rewrite {
  const relocator = new UriRelocator(given);
  return (uri, kind) => relocator.write(uri, kind);
}

/** The deadline of the URL itself, unless its signer put another one into it. */
function endOf({ expires, deadline }: Pm3u8Plan, own: number): number {
  const now = Math.floor(Date.now() / 1000);
  const end = deadline ?? (expires === undefined ? own : now + expires);
  if (end <= now) throw new Fault('expiredToken', { hint: 'the deadline of pm3u8 has passed' });
  // An `e` may have more digits, but nested playlists could not be requested with them.
  return Math.min(end, MAX_PM3U8_DEADLINE);
}

function otherHosts(
  lines: readonly string[],
  at: { readonly host: string; readonly path: string },
): Set<string> {
  const hosts = new Set<string>();
  let count = 0;
  const reader = new PlaylistRewriter((uri) => {
    if (++count > MAX_PLAYLIST_URIS) throw failed(`a playlist may have at most ${MAX_PLAYLIST_URIS} URIs`);
    const host = otherHostOf(uri, at);
    if (host !== undefined) hosts.add(host);
    return uri;
  });
  for (const line of lines) reader.line(line);
  return hosts;
}

function failed(hint: string): Fault {
  return new Fault('commandFailed', { hint });
}
