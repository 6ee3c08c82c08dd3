import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { bodyLimits } from './buffered-body.ts';
import { RequestContext } from './call.ts';
import { proxyTrust } from './peer.ts';

function called(target: string, pattern: string): RequestContext {
  const request = new IncomingMessage(new Socket());
  const bodies = bodyLimits({ account: 0, open: 0 });
  const routed = { request, id: 'r', target, params: {} };
  return new RequestContext(routed, new ServerResponse(request), proxyTrust([]), bodies, undefined, pattern);
}

test('segments of the path are told by the names that the route gives them, as they came', () => {
  const context = called(
    '/buckets/b%2Fc/objects/~/uploads/u1?x=/y',
    '/buckets/:bucket/objects/:key/uploads/:upload',
  );
  expect(['bucket', 'key', 'upload'].map((name) => context.segment(name))).toEqual(['b%2Fc', '~', 'u1']);
});

test('a name that the route does not have is a mistake of ours, not an empty text', () => {
  expect(() => called('/a', '/:bucket').segment('key')).toThrow('no :key');
});
