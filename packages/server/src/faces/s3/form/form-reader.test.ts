import type { PostFields } from '@millpond/protocol/s3';
import { S3Fault } from '@millpond/protocol/s3';
import { describe, expect, test } from 'vitest';
import { MultipartParser } from '../../../transfer/uploads/index.ts';
import { MAX_S3_FORM_FIELDS_BYTES } from '../../limits.ts';
import { FormReader } from './form-reader.ts';

const part = (name: string, value: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const file = (value: string) => part('File', value, '; filename="a.txt"');

/** The whole form, cut into pieces of this size. */
async function read(text: string, size = text.length) {
  const parser = new MultipartParser('b', MAX_S3_FORM_FIELDS_BYTES);
  const found = { fields: new Map() as PostFields, fileName: '', data: '' };
  const reader = new FormReader(async (fields, fileName) => {
    Object.assign(found, { fields: new Map(fields), fileName });
    return {
      take: (bytes) => {
        found.data += bytes.toString();
        return undefined;
      },
    };
  });
  const bytes = Buffer.from(`${text}--b--\r\n`);
  for (let at = 0; at < bytes.length; at += size)
    await reader.takeAll(parser.push(Buffer.from(bytes.subarray(at, at + size))));
  parser.finish();
  reader.finish();
  return found;
}

const codeOf = (text: string, size?: number) =>
  read(text, size).then(
    () => undefined,
    (error: unknown) => (error instanceof S3Fault ? error.code : error),
  );

describe('a form', () => {
  const text = part('Key', 'é') + part('x-amz-meta-A', '') + file('--b\r\nhello') + part('key', 'late');

  test('is the same however it is cut: fields before the file by name in lower case, the file, nothing after it', async () => {
    for (const size of [1, 2, 3, 7, 64, 1000])
      expect(await read(text, size)).toEqual({
        fields: new Map([
          ['key', 'é'],
          ['x-amz-meta-a', ''],
        ]),
        fileName: 'a.txt',
        data: '--b\r\nhello',
      });
  });

  test('must have a file, and each field once', async () => {
    expect(await codeOf(part('key', 'a'))).toBe('InvalidArgument');
    expect(await codeOf(part('key', 'a') + part('KEY', 'b') + file(''))).toBe('MalformedPOSTRequest');
  });

  test('[S79] may have 20 KiB of fields, however many and however they are cut', async () => {
    expect(await codeOf(part('a', 'x'.repeat(20 * 1024 - 5)) + file('x'.repeat(100_000)))).toBeUndefined();
    expect(await codeOf(part('a', 'x'.repeat(20 * 1024)) + file(''), 100)).toBe(
      'MaxPostPreDataLengthExceeded',
    );
    const many = Array.from({ length: 10_000 }, (_, at) => part(`field${at}`, '')).join('');
    expect(await codeOf(many + file(''), 5000)).toBe('MaxPostPreDataLengthExceeded');
  });
});
