/** Which tier of the engine the bytes of an object belong to, as a piece of a statement on its row. */
import { FIRST_ARCHIVE_CLASS } from '@millpond/protocol';

/** Written as the index over misplaced bytes has it, so that the planner knows it again. */
export const BELONGS_COLD = `class >= ${FIRST_ARCHIVE_CLASS}`;
