/**
 * Every route with every method and every kind of body, from somebody who shows no credential: whatever the answer is, it
 * is no failure of ours.
 */
import { Agent, request } from 'node:http';
import { FORM_TYPE, formatEntry } from '@millpond/protocol';
import {
  type Account,
  createDeployment,
  type Deployment,
  runCommand,
  type ServerProcess,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { target } from '../support/target.ts';

const BUCKET = 'any-body';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
/** Ours; 573 says that somebody comes too often. */
const isFailure = (status: number) => status === 599 || (status >= 500 && status < 573);
const MULTIPART = 'multipart/form-data; boundary=b';

let account: Account;

/** By what they are; each as Content-Type and bytes. */
function bodies(): Record<string, readonly [type: string | undefined, bytes: string]> {
  const entry = formatEntry(BUCKET, 'a.txt');
  const fields = { ak: account.accessKey, bucket: BUCKET, op: `/stat/${entry}`, id: 'x', tbl: BUCKET };
  const form = new URLSearchParams(fields).toString();
  return {
    nothing: [undefined, ''],
    'bytes of no type': [undefined, form],
    'an empty form': [FORM_TYPE, ''],
    'a form': [FORM_TYPE, form],
    'a form with a charset': [`${FORM_TYPE}; charset=utf-8`, form],
    'a form that is not UTF-8': [FORM_TYPE, `${form}&key=%ff%fe&x=\xff&%zz=%`],
    'empty JSON': ['application/json', ''],
    JSON: ['application/json', JSON.stringify(fields)],
    'JSON that is a list': ['application/json', '[1]'],
    'broken JSON': ['application/json', '{"bucket":'],
    'a form by parts': [MULTIPART, '--b\r\nContent-Disposition: form-data; name="ak"\r\n\r\nx\r\n--b--\r\n'],
    'a form by parts that is cut off': [MULTIPART, '--b\r\nContent-Disp'],
    'a form by parts without boundary': ['multipart/form-data', '--b--'],
    text: ['text/plain', form],
    bytes: ['application/octet-stream', '\0\xff'],
    'a type that is none': ['/;;=', form],
  };
}

describe.each(['svc', 'qiniu'])('in the dialect %s', (dialect) => {
  let deployment: Deployment;
  let server: ServerProcess;
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });

  beforeAll(async () => {
    deployment = await createDeployment({
      store: target.store,
      settings: {
        MILLPOND_DIALECT: dialect,
        MILLPOND_PLAIN_HTTP: 'true',
        MILLPOND_DOWNLOAD_SUFFIX: 'dl.test',
      },
    });
    account = await deployment.createAccount(undefined, BUCKET);
    server = await deployment.start();
    const token = uploadToken(account, { scope: BUCKET });
    expect((await uploadForm(server.url, 'hello', { token, key: 'a.txt' })).status).toBe(200);
  });
  afterAll(async () => {
    agent.destroy();
    await deployment?.destroy();
  });

  function send(method: string, path: string, type: string | undefined, body: string): Promise<number> {
    const bytes = Buffer.from(body, 'latin1');
    const headers = {
      ...(path.startsWith('/~bucket/') && { host: `${BUCKET}.dl.test` }),
      ...(type !== undefined && { 'content-type': type }),
      'content-length': bytes.length,
    };
    const written = path.replace(/^\/~\w+\/[^/]+/, '');
    return new Promise((resolve, reject) => {
      const sent = request(`${server.url}${written}`, { method, headers, agent }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.on('error', reject).end(bytes);
    });
  }

  test('no call without a credential fails on our side, whatever its body is', {
    timeout: 300_000,
  }, async () => {
    const lines = (await runCommand(deployment.environment, ['routes', '--json'])).trim().split('\n');
    const routes = lines.map((line) => JSON.parse(line) as { methods: string; path: string });
    expect(routes.length).toBeGreaterThan(90);
    const failed: string[] = [];
    const seen = new Set<number>();
    for (const { methods, path } of routes) {
      const place = path.replace(/:bucket/g, BUCKET).replace(/:\w+/g, 'x');
      const rest = /^\/[:~]/.test(path) ? 'a.txt' : formatEntry(BUCKET, 'a.txt');
      const taken = methods.split(',');
      const tried = Object.entries(bodies()).flatMap(([kind, [type, body]]) =>
        // If the route does not take the method, the body makes no difference.
        (kind === 'a form' ? METHODS : taken).map(async (method) => {
          const status = await send(method, place.replace('*', rest), type, body);
          seen.add(status);
          if (isFailure(status)) failed.push(`${method} ${path} with ${kind}: ${status}`);
        }),
      );
      await Promise.all(tried);
    }
    expect(failed).toEqual([]);
    // The calls were made, and judged one by one.
    expect([...seen]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405]));
  });
});
