/**
 * A bounded number of keep-alive connections; further errands queue. One timer handles all time-outs, so that a small request
 * does not pay for its own: they fire up to a quarter late.
 */
import type { S3Limits } from '../options.ts';
import type { EngineRequest, ResponseHandler, Transfer, Transport } from '../transport.ts';
import { Connection, type ConnectionLimits, type ConnectionOwner, type PooledRequest } from './connection.ts';
import type { Dial } from './dial.ts';
import { WireError } from './faults.ts';
import { requestText } from './request.ts';
import { createSlabPool } from './slab-pool.ts';

export type PoolLimits = ConnectionLimits & Pick<S3Limits, 'queueTimeout'>;

interface Waiting {
  readonly errand: PooledRequest;
  readonly since: number;
}

/** `host`: the host as requests name it. */
export function createWirePool(host: string, dial: Dial, connections: number, limits: PoolLimits): Transport {
  const shortest = Math.min(
    limits.queueTimeout,
    limits.connectTimeout,
    limits.headersTimeout,
    limits.bodyTimeout,
    limits.idleTimeout,
  );
  const period = Math.min(500, Math.max(10, shortest / 4));
  const open = new Set<Connection>();
  const idle: Connection[] = [];
  const waiting: Waiting[] = [];
  const closed = Promise.withResolvers<void>();
  let closing = false;
  let timer: NodeJS.Timeout | undefined;

  const owner: ConnectionOwner = {
    limits,
    slabPool: createSlabPool(),
    onFree(connection) {
      const next = waiting.shift();
      if (next) connection.start(next.errand);
      else if (closing) connection.destroy();
      else idle.push(connection);
    },
    onGone(connection, unanswered) {
      open.delete(connection);
      const at = idle.indexOf(connection);
      if (at >= 0) idle.splice(at, 1);
      const next = unanswered ?? waiting.shift()?.errand;
      if (next) startNew(next);
      else if (closing && open.size === 0) closed.resolve();
    },
  };

  function startNew(pooledRequest: PooledRequest): void {
    const connection = new Connection(owner, dial);
    open.add(connection);
    connection.start(pooledRequest);
    watch();
  }

  function dispatch(errand: PooledRequest): void {
    const now = performance.now();
    for (let connection = idle.pop(); connection; connection = idle.pop()) {
      if (connection.fresh(now)) {
        connection.start(errand);
        return;
      }
      connection.destroy();
    }
    if (open.size < connections) startNew(errand);
    else waiting.push({ errand, since: now });
  }

  function watch(): void {
    if (timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      const now = performance.now();
      for (let first = waiting[0]; first && now - first.since >= limits.queueTimeout; first = waiting[0]) {
        waiting.shift();
        first.errand.handler.onError(new WireError('WIRE_BUSY', 'no connection became free'));
      }
      for (const connection of Array.from(open)) connection.check(now);
      if (open.size > 0) watch();
    }, period);
    // Busy connections keep the process alive by themselves.
    timer.unref();
  }

  return {
    send(request: EngineRequest, handler: ResponseHandler): Transfer {
      const { method, body } = request;
      const text = requestText(host, request);
      const pooledRequest: PooledRequest = { method, text, body, handler, connection: undefined };
      if (closing) handler.onError(new WireError('WIRE_CLOSED', 'the store is closed'));
      else dispatch(pooledRequest);
      return {
        resume: () => pooledRequest.connection?.resume(),
        abort() {
          if (pooledRequest.connection) {
            pooledRequest.connection.destroy();
            return;
          }
          const at = waiting.findIndex((one) => one.errand === pooledRequest);
          if (at >= 0) waiting.splice(at, 1);
        },
      };
    },

    isCrowded: () => waiting.length > 0,

    close() {
      closing = true;
      for (const connection of idle.splice(0)) connection.destroy();
      if (open.size === 0) closed.resolve();
      return closed.promise;
    },
  };
}
