/** The numbers of the interface that this domain holds, each with the sentence that it comes from. */
import { MIB } from '@millpond/protocol';

/**
 * The largest file that may arrive before its token. “A token that follows the file is accepted only for files
 * up to 8 MiB.”
 */
export const LATE_TOKEN_BYTES = 8 * MIB;

/** “`expireAt` unix s, fixed 7 days.” */
export const UPLOAD_LIFE_DAYS = 7;
