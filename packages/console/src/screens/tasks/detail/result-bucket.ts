/** Where a result goes: to the bucket that `saveas` names, or to that of the source. */
import type { OwnTaskRecord, TaskItem } from '@millpond/client/session';
import { parseFops } from '@millpond/protocol';

export function resultBucket(
  task: Pick<OwnTaskRecord, 'inputBucket'>,
  { cmd }: Pick<TaskItem, 'cmd'>,
): string {
  try {
    return parseFops(cmd)[0]?.saveAs?.entry.bucket ?? task.inputBucket;
  } catch {
    // A task of an older server may have a command that is no longer known.
    return task.inputBucket;
  }
}
