/** Compares the rows of small blobs with each other: every named one has its bytes, and nothing else is kept. */
import type { Findings } from '../report.ts';
import type { NamedBlob } from './residue.ts';

export interface SmallRows {
  readonly named: readonly NamedBlob[];
  readonly packed: readonly {
    readonly id: string;
    readonly pack: number;
    readonly at: number;
    readonly size: number;
  }[];
  readonly packs: readonly {
    readonly pack: number;
    readonly size: number;
    readonly liveBytes: number;
    readonly liveBlobs: number;
  }[];
  readonly inbox: readonly { readonly id: string; readonly size: number }[];
}

export function checkSmall({ named, packed, packs, inbox }: SmallRows, findings: Findings): void {
  const sizes = new Map([...inbox, ...packed].map(({ id, size }) => [id, size]));
  for (const { id, size, by } of named) {
    const there = sizes.get(id);
    if (there === undefined)
      findings.add('missing', `${by}: small blob ${id} is neither in the inbox nor in a pack`);
    else if (size !== undefined && size !== there)
      findings.add('missing', `${by}: small blob ${id} has ${there} B instead of ${size} B`);
  }
  const names = new Set(named.map(({ id }) => id));
  for (const { id } of packed)
    if (!names.has(id))
      findings.add('orphans', `small blob ${id} has a place in a pack, and no row names it`);
  const known = new Map(packs.map((each) => [each.pack, { ...each, bytes: 0, blobs: 0, ends: 0 }]));
  for (const { id, pack, at, size } of packed) {
    const found = known.get(pack);
    if (found === undefined) {
      findings.add('missing', `small blob ${id} is in pack ${pack}, which is not there`);
      continue;
    }
    found.bytes += size;
    found.blobs += 1;
    found.ends = Math.max(found.ends, at + size);
  }
  for (const { pack, size, liveBytes, liveBlobs, bytes, blobs, ends } of known.values()) {
    if (liveBytes !== bytes || liveBlobs !== blobs)
      findings.add(
        'orphans',
        `pack ${pack} counts ${liveBlobs} blobs of ${liveBytes} B, and has ${blobs} of ${bytes} B`,
      );
    if (ends > size) findings.add('missing', `pack ${pack} has ${size} B, and a blob that ends at ${ends}`);
  }
}
