import { dialects } from '@millpond/protocol';
import { expect, test } from 'vitest';
import { docOf, openApiDocument } from './document.ts';

interface Document {
  readonly paths: Record<
    string,
    Record<string, { operationId: string; parameters: object[]; security: object[] }>
  >;
}

const made = openApiDocument(
  [
    { role: 'rs', methods: ['GET', 'POST'], path: '/stat/*' },
    { role: 'up', methods: ['POST'], path: '/' },
    { role: 'api', methods: ['DELETE'], path: '/v1/workflows/:name' },
    { role: 'live', methods: ['POST'], path: '/v1/new/:thing/*' },
    { role: 'io', methods: ['GET', 'HEAD', 'OPTIONS'], path: '/:bucket/*' },
    { role: 'io', methods: ['GET'], path: '/~domain/:domain/*' },
  ],
  dialects.svc,
) as Document;

test('every route and method is there, with its parameters and credential', () => {
  expect(Object.keys(made.paths)).toEqual([
    '/stat/{EncodedEntryURI}',
    '/',
    '/v1/workflows/{name}',
    '/v1/new/{thing}/{path}',
    '/{bucket}/{key}',
  ]);
  expect(made.paths['/stat/{EncodedEntryURI}']?.get).toMatchObject({
    tags: ['rs'],
    parameters: [{ name: 'EncodedEntryURI', in: 'path', required: true }],
    security: [{ signature: [] }, { accessToken: [] }],
  });
  expect(Object.keys(made.paths['/{bucket}/{key}'] ?? {})).toEqual(['get']);
  expect(made.paths['/']?.post).toMatchObject({
    security: [],
    requestBody: { content: { 'multipart/form-data': { schema: { required: ['token', 'file'] } } } },
  });
});

test('operations have names of their own', () => {
  const ids = Object.values(made.paths).flatMap((methods) =>
    Object.values(methods).map((each) => each.operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids[0]).toBe('getStatEncodedEntryURI');
});

test('a call is described by its method where the methods of a path differ', () => {
  expect(docOf('PUT', '/bucketTagging')?.summary).not.toBe(docOf('GET', '/bucketTagging')?.summary);
  expect(docOf('GET', '/nowhere')).toBeUndefined();
});
