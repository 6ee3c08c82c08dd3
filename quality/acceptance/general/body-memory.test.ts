/** Memory for bodies that are read whole: whoever sends much, or never to the end, takes nothing from the others. */
import { FORM_TYPE, formatEntry } from '@millpond/protocol';
import { type Account, createDeployment, type Deployment, type ServerProcess } from '@millpond/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openConnection, type RawConnection, type RawResponse, requestBytes } from '../support/raw.ts';
import { authorize } from '../support/signing.ts';
import { target } from '../support/target.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const TOKEN = '/oauth2/token';
/** Who has done nothing yet, at an address of its own. */
const OTHER = '127.0.0.9';

let deployment: Deployment;
let server: ServerProcess;
let owner: Account;
const unfinished: RawConnection[] = [];

beforeAll(async () => {
  deployment = await createDeployment({
    store: target.store,
    settings: {
      MILLPOND_PLAIN_HTTP: 'true',
      MILLPOND_BODY_MEMORY: '64MiB',
      MILLPOND_OPEN_BODY_MEMORY: '1MiB',
      // They are here for as long as the test wants them.
      MILLPOND_BODY_TIMEOUT: '10m',
    },
  });
  owner = await deployment.createAccount(undefined, 'body-memory');
  server = await deployment.start();
});
afterAll(() => deployment?.destroy());
afterEach(async () => {
  for (const { socket } of unfinished.splice(0)) socket.destroy();
  await expect.poll(heldBytes).toBe(0);
});

async function heldBytes(): Promise<number> {
  const text = await (await fetch(`${server.adminUrl}/metrics`)).text();
  return Number(/^millpond_held_body_bytes (\d+)$/m.exec(text)?.[1]);
}

interface Unfinished {
  readonly path: string;
  readonly bytes: number;
  readonly from?: string;
  readonly authorization?: string;
}

/** All of the body but its last ten bytes. */
async function begin({ path, bytes, from, authorization }: Unfinished): Promise<RawConnection> {
  const connection = await openConnection(server.url, from);
  connection.socket.on('error', () => undefined);
  unfinished.push(connection);
  const headers = [
    ['Content-Type', FORM_TYPE],
    ['Content-Length', String(bytes)],
    ...(authorization === undefined ? [] : [['Authorization', authorization] as const]),
  ] as const;
  connection.socket.write(requestBytes(server.url, { method: 'POST', target: path, headers }));
  connection.socket.write(Buffer.alloc(bytes - 10, 'x'));
  return connection;
}

async function post(path: string, body: string, from: string, authorization?: string): Promise<RawResponse> {
  const connection = await openConnection(server.url, from);
  const headers = [
    ['Content-Type', FORM_TYPE],
    ...(authorization === undefined ? [] : [['Authorization', authorization] as const]),
  ] as const;
  connection.socket.write(requestBytes(server.url, { method: 'POST', target: path, headers, body }));
  try {
    return await connection.answer('POST');
  } finally {
    connection.socket.destroy();
  }
}

/** Sent by the owner, from this address. */
function signed(path: string, body: string, from: string): Promise<RawResponse> {
  return post(path, body, from, authorize({ target: path, body }, { url: server.url, keys: owner }));
}

/** A batch of looks for objects that aren't there. */
function batch(operations: number, from: string): Promise<RawResponse> {
  const operation = `op=/stat/${formatEntry('body-memory', 'missing')}`;
  return signed('/batch', Array.from({ length: operations }, () => operation).join('&'), from);
}

describe('bodies of calls that need no account', () => {
  test('have 64 KiB at most', async () => {
    const fields = 'grant_type=password&username=nobody@example.com&password=wrong&padding=';
    const form = (bytes: number) => post(TOKEN, fields.padEnd(bytes, 'x'), OTHER);
    expect((await form(4 * KIB)).status).toBe(401);
    // Values have a limit of their own.
    expect((await form(64 * KIB)).status).toBe(400);
    expect((await form(64 * KIB + 1)).status).toBe(413);
  });

  test('and are not sent to their end leave the calls of accounts alone', async () => {
    const large = Array.from({ length: 33 }, () => begin({ path: TOKEN, bytes: 4 * MIB }));
    const refused = await Promise.all(
      (await Promise.all(large)).map((connection) => connection.answer('POST')),
    );
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([413]));
    for (let index = 0; index < 60; index++) await begin({ path: TOKEN, bytes: 40_000 });
    await expect.poll(heldBytes).toBeGreaterThan(MIB / 2 - 64 * KIB);
    for (const from of ['127.0.0.1', OTHER]) {
      const answer = await batch(800, from);
      expect([from, answer.status]).toEqual([from, 298]);
    }
  });

  test('from one address leave room for those of others', async () => {
    const greedy = await Promise.all(
      Array.from({ length: 40 }, () => begin({ path: TOKEN, bytes: 60 * KIB, from: '127.0.0.2' })),
    );
    const first = await Promise.race(greedy.map((connection) => connection.answer('POST')));
    expect([first.status, first.header('retry-after')]).toEqual([573, '1']);
    expect((await post(TOKEN, 'x'.repeat(60 * KIB), OTHER)).status).toBe(400);
  });
});

describe('bodies of signed calls that are not sent to their end', () => {
  test('from one address leave room for those of others, also where they name the others’ key', async () => {
    const authorization = authorize({ target: '/batch' }, { url: server.url, keys: owner });
    const greedy = await Promise.all(
      Array.from({ length: 20 }, () =>
        begin({ path: '/batch', bytes: 4 * MIB, from: '127.0.0.2', authorization }),
      ),
    );
    expect((await Promise.race(greedy.map((connection) => connection.answer('POST')))).status).toBe(573);
    // A second account gets half of what is left.
    const second = await Promise.all(
      Array.from({ length: 10 }, () =>
        begin({ path: '/batch', bytes: 4 * MIB, from: '127.0.0.3', authorization }),
      ),
    );
    expect((await Promise.race(second.map((connection) => connection.answer('POST')))).status).toBe(573);
    // Judged, and found to say nothing.
    expect((await signed('/private', 'x'.repeat(4 * MIB), OTHER)).status).toBe(400);
    expect((await batch(800, OTHER)).status).toBe(298);
  });
});
