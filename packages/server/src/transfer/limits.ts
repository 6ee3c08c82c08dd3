/** The numbers of the interface that this domain holds, each with the sentence that it comes from. */
import { MIB } from '@millpond/protocol';

/**
 * The largest file that may arrive before its token. “A token that follows the file is accepted only for files
 * up to 8 MiB.”
 */
export const LATE_TOKEN_BYTES = 8 * MIB;

/** “`expireAt` unix s, fixed 7 days.” */
export const UPLOAD_LIFE_DAYS = 7;

/** Fields of an upload form, besides its file. */
export const MAX_FORM_FIELDS = 64;

/** All fields of an upload form together: room for a token whose policy holds templates of the maximum size. */
export const MAX_FORM_FIELDS_BYTES = 512 * 1024;
