/** An entry in the list of source or target, named relative to the place that the command was given. */
import type { ListedObject } from '@millpond/client/server';
import type { LocalFile } from '../transfer/local-files.ts';

export interface FileEntry {
  readonly kind: 'file';
  readonly name: string;
  readonly size: number;
  readonly file: LocalFile;
}

export interface ObjectEntry {
  readonly kind: 'object';
  readonly name: string;
  readonly size: number;
  readonly object: ListedObject;
}

/** It exists, and is neither copied, replaced nor deleted. A name that ends in `/` stands for everything below it. */
export interface ExcludedEntry {
  readonly kind: 'leftOut';
  readonly name: string;
  readonly path: string;
  readonly reason: string;
}

export type Entry = FileEntry | ObjectEntry | ExcludedEntry;
