/** The numbers of the interface that this domain holds, each with the sentence that it comes from. */
import { GIB, MIB } from '@millpond/protocol';

/** “S3 parts: 5 MiB (the last less) to 5 GiB, numbers 1 to 10,000 with gaps.” */
export const MAX_S3_PART_BYTES = 5 * GIB;

/** “S3 parts: 5 MiB (the last less) to 5 GiB.” */
export const MIN_S3_PART_BYTES = 5 * MIB;

/** “The form data before the file: at most 20 KB”, as S3 has it. */
export const MAX_S3_FORM_FIELDS_BYTES = 20 * 1024;
