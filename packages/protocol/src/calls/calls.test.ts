import { describe, expect, it } from 'vitest';
import { records } from '../records/index.ts';
import { pathParts } from './call.ts';
import { calls, openApiDocument } from './index.ts';

describe('the description of the calls', () => {
  it('names each call once', () => {
    const ids = calls.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('says what stands in each path', () => {
    const parts = calls.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
    expect(parts.filter((name) => pathParts[name] === undefined)).toEqual([]);
    expect(Object.keys(pathParts).filter((name) => !parts.includes(name))).toEqual([]);
  });

  it('refers only to records that there are, and to each of them', () => {
    const document = openApiDocument(calls, '1', [{ role: 'rs', url: 'https://rs.example.com' }]);
    const named = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(
      ([, name]) => name,
    );
    expect(new Set(named)).toEqual(new Set(Object.keys(records)));
  });

  it('gives every integer 64 bits, so that no generated client loses digits of a time or a size', () => {
    const document = JSON.stringify(openApiDocument(calls, '1', []));
    const integers = [...document.matchAll(/\{"type":"integer"[^}]*/g)].map(([schema]) => schema);
    expect(integers.length).toBeGreaterThan(200);
    expect(integers.filter((schema) => !schema.includes('"format":"int64"'))).toEqual([]);
  });

  it('lists what Millpond sends by itself', () => {
    expect(openApiDocument(calls, '1', [])).toMatchObject({
      webhooks: {
        stream: {
          post: {
            summary: 'A stream went online or offline',
            requestBody: {
              content: {
                'application/json': {
                  schema: {
                    required: ['type', 'nsId', 'timeSec', 'reqId', 'streamId', 'streamState'],
                    properties: { type: { enum: ['stream'] } },
                  },
                },
              },
            },
          },
        },
        device: {},
        record: {},
        snap: {},
        task: {},
      },
    });
  });

  it('has only answers that OpenAPI has a place for; those beyond are told with the others', () => {
    const { paths } = openApiDocument(calls, '1', []) as {
      paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>;
    };
    const answers = Object.values(paths).flatMap((path) => Object.values(path).map((call) => call.responses));
    expect(answers.flatMap(Object.keys).filter((key) => !/^([1-5]\d\d|default)$/.test(key))).toEqual([]);
    expect(paths['/stat/{EncodedEntryURI}']?.get?.responses.default?.description).toMatch(/; 612 /);
  });

  it('has a document whose calls name the host of their role', () => {
    const document = openApiDocument(calls, '1', [{ role: 'rs', url: 'https://rs.example.com' }]);
    expect(document).toMatchObject({
      openapi: '3.1.0',
      paths: {
        '/stat/{EncodedEntryURI}': {
          get: { operationId: 'stat', servers: [{ url: 'https://rs.example.com', description: '{rs_url}' }] },
          post: { operationId: 'statByPOST' },
        },
      },
    });
  });
});
