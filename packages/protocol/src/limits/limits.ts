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

/** “Keys: valid UTF-8, at most 750 bytes.” */
export const MAX_KEY_BYTES = 750;

/** “`X-Svc-Date`: when present it must be signed, well formed and within 15 minutes.” S3 has the same. */
export const MAX_CLOCK_SKEW_SECONDS = 15 * 60;

/** A hundred years: every number of days after which something happens to an object is at most this. */
export const MAX_OBJECT_DAYS = 36_500;

/** How long a browser may keep the answer to a preflight request: `max_age`, S3's `MaxAgeSeconds`. */
export const MAX_CORS_AGE_SECONDS = 30 * 86_400;

/** “`limit` from 1 to 1000, by default 1000”; S3's lists have the same. */
export const MAX_OBJECTS_LISTED = 1000;
