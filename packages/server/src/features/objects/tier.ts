/** Which engine tier the bytes of an object belong to, as an SQL fragment on its row. */
import { FIRST_ARCHIVE_CLASS } from '@millpond/protocol';

/** Written exactly as in the index over misplaced bytes, so that the planner recognises it. */
export const BELONGS_COLD = `class >= ${FIRST_ARCHIVE_CLASS}`;
