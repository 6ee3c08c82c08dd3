/**
 * Whoever cuts a video without encoding it keeps the frames from the key frame before the cut, and an edit list hides them. Other
 * containers have no such lists, and neither do videos that are joined: copied there, what was cut off would be seen again.
 */
import type { CommandContext } from '../../job.ts';
import type { MediaFacts } from '../../probe.ts';

/** Formats that keep the list. */
export const WITH_EDIT_LISTS: ReadonlySet<string> = new Set(['mp4', 'mov', '3gp', 'm4a']);

export async function hidesBeginning(
  context: CommandContext,
  input: string,
  facts: MediaFacts,
): Promise<boolean> {
  const { video, container } = facts;
  if (video === undefined || !container.startsWith('mov')) return false;
  const flags = await context.inspect(input, [
    '-select_streams',
    String(video.index),
    '-read_intervals',
    '%+#1',
    '-show_entries',
    'packet=flags',
    '-of',
    'csv=p=0',
  ]);
  return flags.includes('D');
}
