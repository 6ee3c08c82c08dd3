import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeBase64Text } from '../base64.ts';
import { Fault, faultBody } from '../errors/fault.ts';
import { renderTemplate } from '../template/render.ts';
import { encodeUploadPolicy } from './encode.ts';
import { type PolicyFields, policyFields } from './fields.ts';
import { parseUploadPolicy } from './parse.ts';

const base = { scope: 'b', deadline: 1_451_491_200 };
const parse = (fields: object) => parseUploadPolicy(encodeBase64Text(JSON.stringify({ ...base, ...fields })));

function refusal(run: () => unknown): Fault {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    if (error instanceof Fault) return error;
  }
  throw new Error('was accepted');
}

describe('reading a policy', () => {
  test('Qiniu’s sample token', () => {
    const encoded =
      'eyJzY29wZSI6Im15LWJ1Y2tldDpzdW5mbG93ZXIuanBnIiwiZGVhZGxpbmUiOjE0NTE0OTEyMDAsInJldHVybkJvZHkiOiJ7XCJuYW1lXCI6JChmbmFtZSksXCJzaXplXCI6JChmc2l6ZSksXCJ3XCI6JChpbWFnZUluZm8ud2lkdGgpLFwiaFwiOiQoaW1hZ2VJbmZvLmhlaWdodCksXCJoYXNoXCI6JChldGFnKX0ifQ==';
    const policy = parseUploadPolicy(encoded);
    expect(policy.scope).toEqual({ bucket: 'my-bucket', key: 'sunflower.jpg' });
    expect(policy.deadline).toBe(1_451_491_200);
    const body =
      policy.returnBody && renderTemplate(policy.returnBody, { fname: 'a.jpg', fsize: 3, etag: 'F' });
    expect(body).toBe('{"name":"a.jpg","size":3,"w":null,"h":null,"hash":"F"}');
    expect(
      encodeBase64Text(
        encodeUploadPolicy({
          scope: 'my-bucket:sunflower.jpg',
          deadline: 1_451_491_200,
          returnBody:
            '{"name":$(fname),"size":$(fsize),"w":$(imageInfo.width),"h":$(imageInfo.height),"hash":$(etag)}',
        }),
      ),
    ).toBe(encoded);
  });

  test('the least policy has every default', () => {
    expect(parse({})).toEqual({
      scope: { bucket: 'b', key: undefined },
      isPrefixalScope: false,
      insertOnly: false,
      deadline: 1_451_491_200,
      endUser: undefined,
      returnUrl: undefined,
      returnBody: undefined,
      callbackUrls: [],
      callbackHost: undefined,
      callbackBody: undefined,
      callbackBodyType: 'application/x-www-form-urlencoded',
      callbackFetchKey: false,
      persistentOps: undefined,
      persistentWorkflowTemplateID: undefined,
      persistentNotifyUrl: undefined,
      persistentPipeline: undefined,
      persistentType: 0,
      persistentOpsForce: false,
      saveKey: undefined,
      forceSaveKey: false,
      fsizeMin: undefined,
      fsizeLimit: undefined,
      detectMime: 0,
      mimeLimit: undefined,
      fileType: 0,
      deleteAfterDays: undefined,
      trafficLimit: undefined,
      keylimit: undefined,
      responseHeaders: {},
    });
  });

  test('unknown and retired fields have no effect', () => {
    const json = `{"scope":"b","deadline":1,"color":"red","transform":"avthumb/mp3","__proto__":{"insertOnly":1}}`;
    expect(parseUploadPolicy(new TextEncoder().encode(json))).toEqual(parse({ scope: 'b', deadline: 1 }));
  });

  test('null and empty text count as not set', () => {
    expect(parse({ callbackUrl: '', saveKey: null, fsizeLimit: null, returnBody: '' })).toEqual(parse({}));
  });

  test.each([
    ['not Base64!', /Base64/],
    [encodeBase64Text('{"scope":'), /not JSON/],
    [encodeBase64Text('[]'), /not a JSON object/],
    [encodeBase64Text('null'), /not a JSON object/],
    ['_w==', /not UTF-8/],
    ['A'.repeat(500_000), /too long/],
    [encodeBase64Text(JSON.stringify({ ...base, x: 'a'.repeat(300_000) })), /too long/],
  ])('%.20s… is refused', (encoded, hint) => {
    const fault = refusal(() => parseUploadPolicy(encoded));
    expect(fault.fault).toBe('invalidPolicy');
    expect(fault.hint).toMatch(hint);
  });

  test('a missing or empty scope says so', () => {
    for (const scope of [undefined, '', null]) {
      const fault = refusal(() => parse({ scope }));
      expect([fault.status, faultBody(fault)]).toEqual([400, { error: 'scope not specified' }]);
    }
  });

  test('milliseconds in deadline get a hint', () => {
    expect(refusal(() => parse({ deadline: 1_793_000_000_000 })).hint).toMatch(/milliseconds/);
    expect(parse({ deadline: 32_503_680_000 }).deadline).toBe(32_503_680_000);
  });
});

describe('rules that need no file', () => {
  const ops = { persistentOps: 'avthumb/mp4', persistentNotifyUrl: 'http://n.example/' };
  const workflow = { persistentWorkflowTemplateID: 'w' };
  const callback = { callbackUrl: 'http://c.example/cb' };

  test.each<[string, object]>([
    ['scope over 750 bytes', { scope: `b:${'世'.repeat(250)}` }],
    ['scope without a bucket', { scope: ':k' }],
    ['scope with half a surrogate', { scope: 'b:\ud800' }],
    ['scope as a number', { scope: 1 }],
    ['deadline missing', { deadline: null }],
    ['deadline as text', { deadline: '1451491200' }],
    ['deadline with a fraction', { deadline: 1_451_491_200.5 }],
    ['deadline negative', { deadline: -1 }],
    ['insertOnly as a boolean', { insertOnly: true }],
    ['forceSaveKey without saveKey', { forceSaveKey: true }],
    ['forceSaveKey 2', { forceSaveKey: 2, saveKey: 'a' }],
    ['forceSaveKey "true"', { forceSaveKey: 'true', saveKey: 'a' }],
    ['returnBody that is not JSON', { returnBody: 'name=$(fname)' }],
    ['returnBody over 64 KiB', { returnBody: `"${'a'.repeat(65_535)}"` }],
    ['returnUrl javascript:', { returnUrl: 'javascript:alert(1)' }],
    ['returnUrl with a line break', { returnUrl: 'http://a.example/\r\nSet-Cookie: x' }],
    ['returnUrl without a host', { returnUrl: 'http:///x' }],
    ['returnUrl with a backslash', { returnUrl: 'http:\\\\a.example' }],
    ['returnUrl, even beside callbackUrl', { ...callback, returnUrl: 'javascript:alert(1)' }],
    ['callbackUrl ftp', { callbackUrl: 'ftp://c.example/' }],
    ['callbackUrl, second of two', { callbackUrl: 'http://a.example/;http://' }],
    ['six callbackUrls', { callbackUrl: Array(6).fill('http://a.example/').join(';') }],
    ['callbackBody over 64 KiB', { ...callback, callbackBody: 'a'.repeat(65_537) }],
    [
      'callbackBody of type JSON that is not',
      { ...callback, callbackBody: 'a=1', callbackBodyType: 'application/json' },
    ],
    [
      'callbackBodyType that we cannot encode for',
      { ...callback, callbackBody: 'a', callbackBodyType: 'text/html' },
    ],
    ['callbackBodyType with a line break', { ...callback, callbackBodyType: 'application/json\r\nX: y' }],
    ['callbackHost with a path', { ...callback, callbackHost: 'a.example/x' }],
    ['callbackHost with a line break', { ...callback, callbackHost: 'a\r\nX: y' }],
    ['callbackFetchKey without callbackUrl', { callbackFetchKey: 1 }],
    ['callbackFetchKey 2', { ...callback, callbackFetchKey: 2 }],
    ['callbackUrl without callbackBody beside persistentOps', { ...callback, ...ops }],
    ['callbackUrl without callbackBody beside a workflow', { ...callback, ...workflow }],
    ['persistentOps without persistentNotifyUrl', { persistentOps: 'avthumb/mp4' }],
    ['persistentNotifyUrl that is no URL', { ...ops, persistentNotifyUrl: 'n.example' }],
    ['persistentOps and a workflow', { ...ops, ...workflow }],
    ['persistentType 2', { ...ops, persistentType: 2 }],
    ['persistentType -1', { ...ops, persistentType: -1 }],
    ['persistentType 1 with a pipeline', { ...ops, persistentType: 1, persistentPipeline: 'q' }],
    ['persistentOps on archive', { ...ops, fileType: 2 }],
    ['persistentOps on deep archive', { ...ops, fileType: 3 }],
    ['a workflow on archive', { ...workflow, fileType: 2 }],
    ['fileType 4', { fileType: 4 }],
    ['fileType -1', { fileType: -1 }],
    ['trafficLimit too low', { trafficLimit: 819_199 }],
    ['trafficLimit too high', { trafficLimit: 838_860_801 }],
    ['21 keys in keylimit', { keylimit: Array(21).fill('k') }],
    ['no keys in keylimit', { keylimit: [] }],
    ['keylimit as text', { keylimit: 'k' }],
    ['a number in keylimit', { keylimit: ['k', 1] }],
    ['detectMime 2', { detectMime: 2 }],
    ['detectMime -2', { detectMime: -2 }],
    ['deleteAfterDays 0', { deleteAfterDays: 0 }],
    ['fsizeMin negative', { fsizeMin: -1 }],
    ['fsizeLimit negative', { fsizeLimit: -1 }],
    ['fsizeLimit as text', { fsizeLimit: '10' }],
    ['mimeLimit without a slash', { mimeLimit: 'image' }],
    ['mimeLimit that only denies', { mimeLimit: '!' }],
    ['mimeLimit */*', { mimeLimit: '*/*' }],
  ])('%s is 400', (_, fields) => {
    const fault = refusal(() => parse(fields));
    expect([fault.fault, fault.status]).toEqual(['invalidPolicy', 400]);
  });

  test.each<[string, object]>([
    ['scope of 750 bytes', { scope: `b:${'a'.repeat(748)}` }],
    ['callbackUrl without callbackBody', callback],
    [
      'callbackUrl and callbackBody beside persistentOps',
      { ...callback, ...ops, callbackBody: 'id=$(persistentId)' },
    ],
    ['a workflow without persistentNotifyUrl', workflow],
    ['persistentType 1', { ...ops, persistentType: 1 }],
    ['persistentOps on infrequent access', { ...ops, fileType: 1 }],
    ['archive without processing', { fileType: 3 }],
    ['trafficLimit at its ends', { trafficLimit: 819_200 }],
    ['trafficLimit at its other end', { trafficLimit: 838_860_800 }],
    ['20 keys', { keylimit: Array(20).fill('k') }],
    ['forceSaveKey 1', { forceSaveKey: 1, saveKey: 'a' }],
    ['detectMime -1', { detectMime: -1 }],
    [
      'JSON with a character set',
      { ...callback, callbackBody: '{}', callbackBodyType: 'application/json; charset=utf-8' },
    ],
    ['callbackHost with a port', { ...callback, callbackHost: 'a.example:8080' }],
    ['a bad returnBody beside callbackUrl', { ...callback, returnBody: 'a=1' }],
  ])('%s is accepted', (_, fields) => {
    parse(fields);
  });

  test('a callback takes the place of the return', () => {
    const policy = parse({ ...callback, returnUrl: 'http://r.example/', returnBody: '{}' });
    expect([policy.returnUrl, policy.returnBody]).toEqual([undefined, undefined]);
  });

  test('callbackUrl splits only where a new URL begins', () => {
    const { callbackUrls } = parse({
      callbackUrl: 'http://a.example/x;y=1;HTTPS://b.example/?q=a;b;http://[::1]:80/',
    });
    expect(callbackUrls.map((url) => url.source)).toEqual([
      'http://a.example/x;y=1',
      'HTTPS://b.example/?q=a;b',
      'http://[::1]:80/',
    ]);
  });

  test('a 64-bit size limit is no fault', () => {
    const json = '{"scope":"b","deadline":1,"fsizeLimit":9223372036854775807}';
    expect(parseUploadPolicy(new TextEncoder().encode(json)).fsizeLimit).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe('response headers', () => {
  test('are read by name, in whatever case, and an empty text stays', () => {
    const responseHeaders = { 'cache-control': 'max-age=60', 'Content-ENCODING': '' };
    expect(parse({ responseHeaders }).responseHeaders).toEqual({
      'Cache-Control': 'max-age=60',
      'Content-Encoding': '',
    });
  });

  test.each([
    ['no object', ['a']],
    ['text', 'Cache-Control: no-cache'],
    ['a header that is not among them', { 'Content-Type': 'text/html' }],
    ['a name of JavaScript', { __proto__x: '1', constructor: '2' }],
    ['a name twice', { Expires: '0', expires: '0' }],
    ['a number', { 'Cache-Control': 60 }],
    ['what its field does not allow', { 'Cache-Control': 'max-age: 60' }],
    ['the end of a line', { Expires: '0\r\nSet-Cookie: a=b' }],
    [
      'too many bytes',
      { 'Cache-Control': `a="${'v'.repeat(1010)}"`, 'Content-Disposition': `a; b="${'v'.repeat(1000)}"` },
    ],
  ])('%s is refused with a hint', (_, responseHeaders) => {
    const fault = refusal(() => parse({ responseHeaders }));
    expect([fault.fault, fault.hint]).toEqual(['invalidPolicy', expect.stringMatching(/^responseHeaders/)]);
  });
});

describe('any policy', () => {
  const names = Object.keys(policyFields);
  test('nothing makes the parser throw anything but a fault', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.integer(),
      fc.constantFrom('b:k', 'http://a/', '$(', '!', 'a;b', 1e308),
    );
    const document = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), value);
    fc.assert(
      fc.property(
        fc.oneof(
          document.map((d) => JSON.stringify({ ...base, ...d })),
          fc.string(),
        ),
        (json) => {
          try {
            parseUploadPolicy(new TextEncoder().encode(json));
          } catch (error) {
            expect(error).toBeInstanceOf(Fault);
          }
        },
      ),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (encoded) => {
        expect(() => parseUploadPolicy(encoded)).toThrow(Fault);
      }),
    );
  });

  test('what was encoded is read back', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    const fields = fc.record<PolicyFields>(
      {
        scope: text.map((key) => `bucket:${key}`),
        deadline: fc.nat(),
        insertOnly: fc.constantFrom(0, 1),
        isPrefixalScope: fc.constantFrom(0, 1),
        endUser: text,
        fsizeMin: fc.maxSafeNat(),
        fsizeLimit: fc.maxSafeNat(),
        fileType: fc.constantFrom(0, 1, 2, 3),
        saveKey: text,
        keylimit: fc.array(text, { minLength: 1, maxLength: 20 }),
      },
      { requiredKeys: ['scope', 'deadline'] },
    );
    fc.assert(
      fc.property(fields, (written) => {
        const policy = parseUploadPolicy(encodeBase64Text(encodeUploadPolicy(written)));
        expect(`${policy.scope.bucket}:${policy.scope.key}`).toBe(written.scope);
        expect(policy).toMatchObject({
          deadline: written.deadline,
          insertOnly: written.insertOnly === 1,
          isPrefixalScope: written.isPrefixalScope === 1,
          endUser: written.endUser,
          fsizeMin: written.fsizeMin,
          fsizeLimit: written.fsizeLimit,
          fileType: written.fileType ?? 0,
          keylimit: written.keylimit,
        });
        expect(policy.saveKey?.source).toBe(written.saveKey);
      }),
    );
  });

  test('a signer hears of a mistake at once', () => {
    expect(() => encodeUploadPolicy({ scope: 'b', deadline: Date.now() })).toThrow(/milliseconds/);
  });
});
