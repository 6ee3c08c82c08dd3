import { randomBytes } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { MemoryBudget } from '@millpond/base';
import { Fault } from '@millpond/protocol';
import { expect, test } from 'vitest';
import { type BodyLimit, type BufferedBody, hasBody, holdBody } from './buffered-body.ts';

const KIB = 1024;

function requestOf(headers: Record<string, string>, chunks: readonly Uint8Array[] = []): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.method = 'POST';
  request.headers = headers;
  for (const chunk of chunks) request.push(chunk);
  return request;
}

function limitOf(bytes: number): BodyLimit {
  return { budget: new MemoryBudget(bytes, 'later'), maxBytes: 4096 * KIB };
}

function hold(request: IncomingMessage, limit: BodyLimit, cancel?: AbortSignal): Promise<BufferedBody> {
  return holdBody(request, limit, [], cancel);
}

async function faultOf(holding: Promise<unknown>): Promise<unknown> {
  return holding.then(
    () => undefined,
    (error: unknown) => (error instanceof Fault ? error.fault : error),
  );
}

test('a body comes back as it was sent, announced or not, in whatever pieces', async () => {
  const bytes = randomBytes(300 * KIB);
  const pieces = [1, 7, 20_000, 40_000, bytes.length].map((end, at, ends) =>
    bytes.subarray(ends[at - 1] ?? 0, end),
  );
  const unannounced: Record<string, string> = { 'transfer-encoding': 'chunked' };
  for (const headers of [unannounced, { 'content-length': String(bytes.length) }]) {
    const limit = limitOf(1024 * KIB);
    const request = requestOf(headers, pieces);
    request.push(null);
    const { bytes: held, share } = await hold(request, limit);
    expect(held.equals(bytes)).toBe(true);
    expect(limit.budget.heldBytes).toBeGreaterThan(280 * KIB);
    share.release();
    expect(limit.budget.heldBytes).toBe(0);
  }
});

test('bodies share a budget; what is announced and does not come takes nothing of it, nor do small ones', async () => {
  const limit = limitOf(100 * KIB);
  const announced = requestOf({ 'content-length': String(4096 * KIB) }, [Buffer.alloc(10)]);
  const first = faultOf(hold(announced, limit));
  await setImmediate();
  expect(limit.budget.heldBytes).toBe(0);
  announced.push(Buffer.alloc(90 * KIB));
  await expect.poll(() => limit.budget.heldBytes).toBeGreaterThan(70 * KIB);

  const second = requestOf({ 'content-length': String(200 * KIB) }, [Buffer.alloc(60 * KIB)]);
  expect(await faultOf(hold(second, limit))).toBe('tooManyRequests');
  // Its answer goes out on the same connection.
  expect(second.destroyed).toBe(false);
  const small = requestOf({ 'content-length': String(16 * KIB) }, [Buffer.alloc(16 * KIB)]);
  small.push(null);
  expect((await hold(small, limit)).bytes.length).toBe(16 * KIB);

  announced.destroy();
  expect([await first, limit.budget.heldBytes]).toEqual(['invalidArgument', 0]);
});

test('a body that is given up holds nothing any more', async () => {
  const limit = limitOf(1024 * KIB);
  const tooSlow = new AbortController();
  const request = requestOf({ 'content-length': '100000' }, [Buffer.alloc(90 * KIB)]);
  const holding = faultOf(hold(request, limit, tooSlow.signal));
  await expect.poll(() => limit.budget.heldBytes).toBeGreaterThan(70 * KIB);
  tooSlow.abort(new Fault('requestTimeout'));
  expect([await holding, limit.budget.heldBytes]).toEqual(['requestTimeout', 0]);
  expect(await faultOf(hold(request, limit, tooSlow.signal))).toBe('requestTimeout');
});

test('above 4 MiB it is refused: at once where it says so', async () => {
  const limit = limitOf(64 * 1024 * KIB);
  const most = 4096 * KIB;
  const said = requestOf({ 'content-length': String(most + 1) });
  expect(await faultOf(hold(said, limit))).toBe('tooLarge');
  const unsaid = requestOf({ 'transfer-encoding': 'chunked' }, [Buffer.alloc(most), Buffer.alloc(1)]);
  expect([await faultOf(hold(unsaid, limit)), limit.budget.heldBytes]).toEqual(['tooLarge', 0]);
});

test('GET and HEAD have none, nor has what announces none', () => {
  const withMethod = (method: string, headers: Record<string, string>) =>
    Object.assign(requestOf(headers), { method });
  expect(hasBody(withMethod('GET', { 'content-length': '3' }))).toBe(false);
  expect(hasBody(withMethod('POST', { 'content-length': '0' }))).toBe(false);
  expect(hasBody(withMethod('POST', {}))).toBe(false);
  expect(hasBody(withMethod('DELETE', { 'content-length': '3' }))).toBe(true);
  expect(hasBody(withMethod('PUT', { 'transfer-encoding': 'chunked' }))).toBe(true);
});
