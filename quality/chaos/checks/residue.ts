/** Compares the engine's content with the rows: bytes that nothing refers to, and references without bytes. */
import type { Findings } from '../report.ts';

/** What the engine holds: ids of blobs with their sizes, and names of writes that were begun and not finished. */
export interface EngineContent {
  readonly blobs: ReadonlyMap<string, number>;
  readonly unfinished: readonly string[];
  /** Ids of those in the cold tier. */
  readonly cold: ReadonlySet<string>;
}

/** A row's claim that the engine holds these bytes; the size is undefined if the row does not say. */
export interface NamedBlob {
  readonly id: string;
  readonly size: number | undefined;
  readonly by: string;
}

export function checkResidue(engine: EngineContent, named: readonly NamedBlob[], findings: Findings): void {
  const names = new Set(named.map((blob) => blob.id));
  for (const [id, size] of engine.blobs) {
    if (!names.has(id)) findings.add('orphans', `blob ${id}, ${size} B, is in no row`);
  }
  for (const name of engine.unfinished) findings.add('orphans', `${name} was begun but never finished`);
  for (const { id, size, by } of named) {
    const there = engine.blobs.get(id);
    if (there === undefined) findings.add('missing', `${by}: blob ${id} is not in the engine`);
    else if (size !== undefined && there !== size)
      findings.add('missing', `${by}: blob ${id} holds ${there} B instead of ${size} B`);
  }
}
