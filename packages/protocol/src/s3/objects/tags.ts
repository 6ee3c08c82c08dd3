/** Tags of objects and buckets: at most ten, with unique keys. */
import { decodePercent } from '../../percent.ts';
import { S3Fault } from '../fault.ts';
import { childOf, childrenOf, childText, malformed, requiredText } from '../xml/body.ts';
import type { XmlElement } from '../xml/read.ts';
import type { XmlChildren } from '../xml/write.ts';

export type Tags = Readonly<Record<string, string>>;

const MAX_TAGS = 10;
const MAX_KEY_CHARACTERS = 128;
const MAX_VALUE_CHARACTERS = 256;

/** `x-amz-tagging: k=v&k2`. */
export function parseTaggingHeader(text: string): Tags {
  const pairs = text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      return equals < 0
        ? ([decoded(pair), ''] as const)
        : ([decoded(pair.slice(0, equals)), decoded(pair.slice(equals + 1))] as const);
    });
  return checkedTags(pairs);
}

/** The body of PutObjectTagging and PutBucketTagging. */
export function tagsInXml(tagging: XmlElement): Tags {
  const set = childOf(tagging, 'TagSet');
  if (set === undefined) throw malformed('Tagging must have a TagSet');
  return checkedTags(
    childrenOf(set, 'Tag').map((tag) => [requiredText(tag, 'Key'), childText(tag, 'Value') ?? ''] as const),
  );
}

/** Content of `<Tagging>`, sorted by key. */
export function taggingXml(tags: Tags): XmlChildren {
  const pairs = Object.entries(tags).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { TagSet: { Tag: pairs.map(([key, value]) => ({ Key: key, Value: value })) } };
}

function checkedTags(pairs: readonly (readonly [key: string, value: string])[]): Tags {
  if (pairs.length > MAX_TAGS)
    throw new S3Fault('InvalidTag', { message: `Object tags cannot be greater than ${MAX_TAGS}` });
  const tags = new Map<string, string>();
  for (const [key, value] of pairs) {
    const [name, text] = [Array.from(key).length, Array.from(value).length];
    if (name < 1 || name > MAX_KEY_CHARACTERS)
      throw invalid(`a TagKey must have 1 to ${MAX_KEY_CHARACTERS} characters`);
    if (text > MAX_VALUE_CHARACTERS)
      throw invalid(`a TagValue must have at most ${MAX_VALUE_CHARACTERS} characters`);
    if (/^aws:/i.test(key)) throw invalid('a TagKey may not begin with aws:');
    // A database can't keep it.
    if (key.includes('\0') || value.includes('\0')) throw invalid('a tag may not contain U+0000');
    if (tags.has(key)) throw invalid('Cannot provide multiple Tags with the same key');
    tags.set(key, value);
  }
  return Object.fromEntries(tags);
}

function decoded(text: string): string {
  const value = decodePercent(text.replaceAll('+', ' '));
  if (value === undefined) throw invalid('x-amz-tagging is not percent-encoded UTF-8');
  return value;
}

function invalid(hint: string): S3Fault {
  return new S3Fault('InvalidTag', { hint });
}
