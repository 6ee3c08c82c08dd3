import { IncomingMessage, METHODS } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { routedMethods, sentMethod } from './methods.ts';

const methods = routedMethods([{ methods: ['GET', 'HEAD'] }, { methods: ['GET', 'POST'] }]);

describe('methods that the router tells apart', () => {
  test('are those of routes, OPTIONS, and one for all others', () => {
    expect(methods.all).toHaveLength(5);
    expect(methods.all).toEqual(expect.arrayContaining(['GET', 'HEAD', 'POST', 'OPTIONS']));
    expect(methods.all.every((method) => METHODS.includes(method))).toBe(true);
  });

  test.each(METHODS.filter((method) => method !== 'CONNECT'))(
    '%s is routed, and known as it was sent',
    (method) => {
      const request = new IncomingMessage(new Socket());
      request.method = method;
      methods.normalize(request);
      expect(methods.all).toContain(request.method);
      if (['GET', 'HEAD', 'POST', 'OPTIONS'].includes(method)) expect(request.method).toBe(method);
      expect(sentMethod(request)).toBe(method);
    },
  );

  test('leave none out where routes take all', () => {
    const { all } = routedMethods([{ methods: METHODS.filter((method) => method !== 'CONNECT') }]);
    expect(all.toSorted()).toEqual(METHODS.filter((method) => method !== 'CONNECT').toSorted());
  });
});
