/** Tags of a bucket, in Qiniu's shape `{"Tags": [{"Key", "Value"}]}`, and conditions on them. */
import { decodeBase64, decodeUtf8, utf8Length, type WireRecord } from '@millpond/protocol';
import { invalidBodyFault, parseJsonBody, requireJsonObject } from './parse-json-body.ts';

export type Tag = WireRecord<'Tags'>['Tags'][number];

/** A condition without a value only asks whether the tag exists. */
export type TagCondition = Pick<Tag, 'Key'> & Partial<Tag>;

const MAX_TAGS = 10;
const MAX_KEY_LENGTH = 64;
const MAX_VALUE_LENGTH = 128;

export function parseTags(body: Buffer): Tag[] {
  const given = requireJsonObject(parseJsonBody(body)).Tags;
  if (!Array.isArray(given) || given.length > MAX_TAGS)
    throw invalidBodyFault(`Tags must be an array of at most ${MAX_TAGS} tags`);
  const tags = given.map(readTag);
  if (new Set(tags.map(({ Key }) => Key)).size < tags.length)
    throw invalidBodyFault('two tags have the same Key');
  return tags;
}

function readTag(given: unknown): Tag {
  const { Key, Value } = requireJsonObject(given);
  if (!isText(Key, MAX_KEY_LENGTH) || Key === '')
    throw invalidBodyFault(`Key must be a string of 1 to ${MAX_KEY_LENGTH} bytes`);
  if (!isText(Value, MAX_VALUE_LENGTH))
    throw invalidBodyFault(`Value must be a string of at most ${MAX_VALUE_LENGTH} bytes`);
  return { Key, Value };
}

/** The database can't store NUL, and half a surrogate pair is not text. */
function isText(value: unknown, most: number): value is string {
  return (
    typeof value === 'string' && value.isWellFormed() && !value.includes('\0') && utf8Length(value) <= most
  );
}

/** `key=k&value=v;key=k2` in URL-safe Base64; all conditions must hold. Undefined if there are none. */
export function parseTagCondition(encoded: string | null): TagCondition[] | undefined {
  if (encoded === null || encoded === '') return undefined;
  const text = decodeUtf8(decodeBase64(encoded));
  const conditions = text?.split(';') ?? [];
  if (text === undefined || conditions.length > MAX_TAGS)
    throw invalidBodyFault('tagCondition is not well formed');
  return conditions.map((condition) => {
    const match = /^key=([^&;]+)(?:&value=([^;]*))?$/.exec(condition);
    const [, Key, Value] = match ?? [];
    if (!isText(Key, MAX_KEY_LENGTH) || (Value !== undefined && !isText(Value, MAX_VALUE_LENGTH)))
      throw invalidBodyFault('tagCondition must be key=<key>[&value=<value>], joined by ;');
    return Value === undefined ? { Key } : { Key, Value };
  });
}
