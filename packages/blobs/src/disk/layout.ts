/**
 * Where files lie: `<root>/<tier>/<hour>/<id>` for blobs, `<root>/tmp/<id>.<n>` for bodies that are being written. All of it is
 * one file system, so that a single rename turns a finished body into a blob.
 */
import { join } from 'node:path';
import { type BlobId, engineKey, hourOf, parseBlobId } from '../blob-id.ts';
import type { Tier } from '../store.ts';

/** In the order in which a blob is searched for. */
export const TIERS: readonly Tier[] = ['STANDARD', 'COLD'];

export const blobPath = (root: string, tier: Tier, id: BlobId): string => join(root, tier, engineKey(id));
export const tierFolder = (root: string, tier: Tier): string => join(root, tier);
export const hourFolder = (root: string, tier: Tier, hour: string): string => join(root, tier, hour);
export const folderOf = (root: string, tier: Tier, id: BlobId): string => hourFolder(root, tier, hourOf(id));
export const temporaryFolder = (root: string): string => join(root, 'tmp');

let written = 0;

/** A new name on every call: a second write under the same id must not touch the first one's file. */
export function temporaryPath(root: string, id: BlobId): string {
  return join(temporaryFolder(root), `${id}.${process.pid}-${(written++).toString(36)}`);
}

/** The id for which a temporary file was begun; its time is when that write began. */
export function idOfTemporary(name: string): BlobId | undefined {
  const dot = name.indexOf('.');
  return dot === -1 ? undefined : parseBlobId(name.slice(0, dot));
}
