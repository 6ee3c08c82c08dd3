/**
 * Which of the keys of its results a task names. A film may have fifty thousand segments, and whoever knows the task's id
 * may ask for its record: the list ends where the record would grow too large. What was made names all of them.
 */

/** Of all items together, as JSON. */
const MOST_BYTES = 1024 * 1024;

/** The first ones. Each of a task's items has the same share, so that none depends on those before it. */
export function keptKeys(keys: readonly string[], itemsOfTask: number): string[] {
  let room = Math.floor(MOST_BYTES / itemsOfTask);
  const kept: string[] = [];
  for (const key of keys) {
    room -= Buffer.byteLength(JSON.stringify(key)) + 1;
    if (room < 0) break;
    kept.push(key);
  }
  return kept;
}
