/** Paths of operations: an entry, followed by words that each have a value. */
import { Fault, type ObjectEntry, parseObjectEntry } from '@millpond/protocol';

/** The entry of a path that contains nothing else. */
export function onlyEntry(segments: readonly string[]): ObjectEntry {
  const [encoded, ...rest] = segments;
  if (encoded === undefined || rest.length > 0)
    throw invalidPath('the path must be /<operation>/<EncodedEntryURI>');
  return parseObjectEntry(encoded);
}

/** `/word/value/word/value…`; each word must be known and occur once. */
export function readPairs(segments: readonly string[], known: readonly string[]): Map<string, string> {
  const pairs = new Map<string, string>();
  if (segments.length > 2 * known.length || segments.length % 2 !== 0) throw unreadable(known);
  for (let at = 0; at < segments.length; at += 2) {
    const [word = '', value = ''] = segments.slice(at, at + 2);
    if (!known.includes(word) || pairs.has(word)) throw unreadable(known);
    pairs.set(word, value);
  }
  return pairs;
}

function unreadable(known: readonly string[]): Fault {
  return invalidPath(
    `the entry must be followed by pairs of a name and its value, each once: ${known.join(', ')}`,
  );
}

function invalidPath(hint: string): Fault {
  return new Fault('invalidArgument', { hint });
}
