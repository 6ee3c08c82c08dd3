/** Where in a pack the bytes of a small object are, read with its row: a reader then needs no statement more. */
import type { BlobId, PackLocation } from '@millpond/blobs';

export interface PlacedRow {
  /** Null unless the object is small and packed. */
  readonly pack_id: BlobId | null;
  readonly pack_at: number | null;
}

export const PLACE_COLUMNS = 'place.pack_id, place.pack_at';

/** After FROM region.objects o. OFFSET 0 keeps it a lookup for each row. */
export const JOIN_PLACE = `LEFT JOIN LATERAL (
     SELECT k.pack_id, p.at AS pack_at FROM region.packed p JOIN region.packs k ON k.pack = p.pack
     WHERE get_byte(uuid_send(o.blob_id), 6) >> 4 = 8 AND p.blob_id = o.blob_id OFFSET 0) AS place ON true`;

export function placeOf({ pack_id: pack, pack_at: at }: Partial<PlacedRow>): PackLocation | undefined {
  return pack == null || at == null ? undefined : { pack, at };
}
