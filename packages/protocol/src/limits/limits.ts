/** The numbers of the interface that more than one package holds to, each with the sentence that it comes from. */
import { GIB, MIB } from './bytes.ts';

/** “Parts 1 MiB–1 GiB except last; number 1–10000, ascending, gaps allowed.” */
export const MAX_PARTS = 10_000;

/** “Parts 1 MiB–1 GiB except last.” */
export const MIN_PART_BYTES = MIB;

/** “Parts 1 MiB–1 GiB except last.” */
export const MAX_PART_BYTES = GIB;

/** “Upload scope: at most 750 bytes.” */
export const MAX_SCOPE_BYTES = 750;

/** “MIME type length: at most 200 bytes.” */
export const MAX_MIME_TYPE_BYTES = 200;

/** “meta_key length: at most 50 bytes.” */
export const MAX_META_NAME_BYTES = 50;

/** “Meta key plus value size per object: sum at most 1024 bytes.” */
export const MAX_METADATA_BYTES = 1024;
