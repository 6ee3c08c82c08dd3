/** Names of an item's stages as people say them. New ones of a newer server are shown as they are. */
import type { Say } from '../../../lib/words.ts';

const NAMES = ['wait', 'look', 'fetch', 'probe', 'run', 'store'] as const;

export function stageName(say: Say<'tasks'>, name: string): string {
  const known = NAMES.find((each) => each === name);
  return known === undefined ? name : say(`stage.${known}`);
}
