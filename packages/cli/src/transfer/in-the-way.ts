/** What keeps a file from its place. */
import { MillpondError } from '@millpond/client';
import { UsageFault } from '../exit.ts';

/** A file where a folder is needed, or a folder where a file is. */
export class InTheWay extends UsageFault {}

const CODES = ['EEXIST', 'ENOTDIR', 'EISDIR', 'ENOTEMPTY'];

/** The same error in words that say what to do, if it is about what is there. */
export function obstacleOf(file: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code === 'fileExists')
    return new MillpondError(
      'fileExists',
      `${file} already exists: it was just created, or this file system treats its name as equal to another (upper and lower case)`,
      { cause: error },
    );
  if (!CODES.includes(String(error.code))) return error;
  return new InTheWay(
    `${file} cannot be written: there is a file where it needs a folder, or a folder with its name`,
    { cause: error },
  );
}
