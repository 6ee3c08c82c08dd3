/** Decides about each pair of source and target, from the lists alone. */
import type { Entry, ExcludedEntry, FileEntry, ObjectEntry } from './entry.ts';
import type { Pair } from './merge.ts';

export type Content = FileEntry | ObjectEntry;

export type Decision =
  /** Missing, or of another size. */
  | { readonly act: 'copy'; readonly source: Content; readonly target: Content | undefined }
  /** Both have the same size: their contents decide. */
  | { readonly act: 'compare'; readonly source: Content; readonly target: Content }
  | { readonly act: 'leaveOut'; readonly source: Entry; readonly reason: string }
  /** Only in the target. */
  | { readonly act: 'delete'; readonly target: Content }
  /** Not the command's business. */
  | { readonly act: 'keep' };

const KEEP: Decision = { act: 'keep' };
const IN_THE_WAY = 'at the target ';

export interface SyncPlannerOptions {
  /** Empty keys that end in `/` stand for folders. They are not deleted if the source is files, which have no such names. */
  readonly keepMarkers: boolean;
}

/** Entries must come in list order: what was left out before covers what follows below it. */
export class SyncPlanner {
  readonly #keepMarkers: boolean;
  #sourceCover: ExcludedEntry | undefined;
  #targetCover: ExcludedEntry | undefined;

  constructor({ keepMarkers }: SyncPlannerOptions) {
    this.#keepMarkers = keepMarkers;
  }

  decide({ source, target }: Pair<Entry>): Decision {
    if (source?.kind === 'leftOut') {
      this.#sourceCover = source;
      return { act: 'leaveOut', source, reason: source.reason };
    }
    if (target?.kind === 'leftOut') this.#targetCover = target;
    const name = source?.name ?? target?.name ?? '';
    if (source === undefined) {
      if (target === undefined || target.kind === 'leftOut') return KEEP;
      if (this.#keepMarkers && isMarker(target)) return KEEP;
      return covers(this.#sourceCover, name) ? KEEP : { act: 'delete', target };
    }
    const inTheWay = covers(this.#targetCover, name) ? this.#targetCover : undefined;
    if (inTheWay !== undefined) return { act: 'leaveOut', source, reason: IN_THE_WAY + inTheWay.reason };
    // Handled above: it would cover its own name.
    if (target?.kind === 'leftOut') return KEEP;
    if (target === undefined || target.size !== source.size) return { act: 'copy', source, target };
    return { act: 'compare', source, target };
  }
}

/** What some tools store to represent a folder. */
export function isMarker({ kind, name, size }: Content): boolean {
  return kind === 'object' && size === 0 && (name === '' || name.endsWith('/'));
}

function covers(cover: ExcludedEntry | undefined, name: string): boolean {
  if (cover === undefined) return false;
  return cover.name.endsWith('/') ? name.startsWith(cover.name) : name === cover.name;
}
