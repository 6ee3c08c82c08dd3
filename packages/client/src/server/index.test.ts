import { describe, expect, expectTypeOf, test } from 'vitest';
import * as other from '../index.ts';
import * as entry from './index.ts';
import {
  Client,
  type Condition,
  type Download,
  type DownloadedFile,
  type ErrorCode,
  type ListEntry,
  type ListOptions,
  type MetadataChange,
  MillpondError,
  type ObjectEntry,
  type PolicyFields,
  putTimeToDate,
  type UploadResult,
} from './index.ts';

const client = new Client({ url: 'http://server', credentials: { accessKey: 'a', secretKey: 's' } });

describe('the entry point for servers', () => {
  test('has all that the other has', () => {
    expect(Object.keys(entry)).toEqual(expect.arrayContaining(Object.keys(other)));
  });

  test('names the types of what its calls take and give', () => {
    expectTypeOf<Client['upload']>().returns.resolves.toEqualTypeOf<UploadResult>();
    expectTypeOf<Client['download']>().returns.resolves.toEqualTypeOf<Download>();
    expectTypeOf<Client['downloadFile']>().returns.resolves.toEqualTypeOf<DownloadedFile>();
    expectTypeOf<Client['uploadToken']>().parameter(0).toExtend<PolicyFields>();
    expectTypeOf<NonNullable<MetadataChange['condition']>>().toEqualTypeOf<Condition>();
    expectTypeOf(new MillpondError('tls', 'x').code).toEqualTypeOf<ErrorCode>();
  });

  test('lists are of objects alone, unless they are folded', () => {
    const options: ListOptions = {};
    expectTypeOf(() => client.objects.list('b')).returns.toEqualTypeOf<AsyncGenerator<ObjectEntry, void>>();
    expectTypeOf(() => client.objects.list('b', { prefix: 'p' })).returns.toEqualTypeOf<
      AsyncGenerator<ObjectEntry, void>
    >();
    expectTypeOf(() => client.objects.list('b', { delimiter: '/' })).returns.toEqualTypeOf<
      AsyncGenerator<ListEntry, void>
    >();
    expectTypeOf(() => client.objects.list('b', options)).returns.toEqualTypeOf<
      AsyncGenerator<ListEntry, void>
    >();
  });

  test('makes dates of times', () => {
    expect(putTimeToDate(17_000_000_001_234_567n).toISOString()).toBe('2023-11-14T22:13:20.123Z');
  });
});
