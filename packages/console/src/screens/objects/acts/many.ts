/** Something that is done with many objects by the server, in the background. */
import type { NewBulk } from '@millpond/client/session';
import { storageClasses } from '@millpond/protocol';
import { shellWord } from '../../../ui/as-command.tsx';

export type BulkAction = NewBulk['kind'];

/** Named objects, or everything whose key begins so. */
export type Subject =
  | { readonly prefix: string; readonly keys?: undefined }
  | { readonly keys: readonly string[]; readonly prefix?: undefined };

/** The folder of what is chosen: copies keep what comes after it. */
export function folderOf({ prefix, keys }: Subject): string {
  const first = prefix ?? keys[0] ?? '';
  return first.slice(0, first.lastIndexOf('/') + 1);
}

/** As a command; names of objects come from a file, since there may be thousands. */
export function asCli({
  kind,
  bucket,
  prefix = '',
  keys,
  class: type,
  days,
  to,
  zip,
  force,
}: NewBulk): string {
  const words = [
    'millpond bulk start',
    kind,
    shellWord(`:${bucket}/${prefix}`),
    ...(keys === undefined ? [] : ['--from keys.txt']),
    ...(type === undefined ? [] : [`--class ${storageClasses[type].word}`]),
    ...(days === undefined ? [] : [`--days ${days}`]),
    ...(to === undefined ? [] : [`--to ${shellWord(`:${to.bucket}/${to.prefix}`)}`]),
    ...(zip === undefined ? [] : [`--to ${shellWord(`:${zip.bucket}/${zip.key}`)}`]),
    ...(force ? ['--force'] : []),
    ...(kind === 'delete' || kind === 'move' ? ['--yes'] : []),
    '--wait',
  ];
  return words.join(' ');
}

/** A few of the names are enough for an example. */
export function shortened(bulk: NewBulk): NewBulk {
  return bulk.keys === undefined || bulk.keys.length <= 3
    ? bulk
    : { ...bulk, keys: [...bulk.keys.slice(0, 3), '…'] };
}
