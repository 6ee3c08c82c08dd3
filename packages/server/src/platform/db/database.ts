/**
 * One PostgreSQL database as the features see it: named statements, short transactions, cancellation. A statement is sent by
 * name (prepared once per connection); a lost connection or a time-out is `serverFailure`, so that callers and SDKs may retry.
 * A value that the database cannot hold is its caller's fault: `invalidArgument`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log, Timer } from '@millpond/base';
import { currentTrace, errorReason } from '@millpond/base';
import { Fault } from '@millpond/protocol';
import pg from 'pg';
import { openPrimary } from './client.ts';
import { PrimaryPool } from './pool.ts';
import { isConnectionLost, isRefusedValue, isSqlState, NotConnectedError, StandbyError } from './sqlstate.ts';
import { watchPrimary } from './watch.ts';

export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Its rows are arrays of values in the order of its columns. For rows by the thousand: naming each value takes a third of the time. */
  readonly asArrays?: boolean;
}

/** Anything that runs statements: the pool, or one connection inside a transaction. */
export interface Queryable {
  query<Row extends object>(
    statement: Statement,
    values: readonly unknown[],
    cancel?: AbortSignal,
  ): Promise<Row[]>;
}

export interface Transaction extends Queryable {
  /** For the job queue, whose library talks to the connection itself. */
  readonly client: pg.PoolClient;
  /** For news that others in this process should get at once, and would find out anyway: it must not fail. */
  afterCommit(tell: () => void): void;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly connections: number;
  readonly timeoutMs: number;
  readonly applicationName: string;
  readonly log: Log;
  /** Times statements, under the name of these connections. */
  readonly timer?: Timer<'pool' | 'outcome'> | undefined;
  /** PostgreSQL settings for these connections. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/** A statement and its name; the name must be unique, because connections remember it. */
export function statement(name: string, text: string): Statement {
  return { name, text };
}

/** One whose rows are arrays. */
export function arrayStatement(name: string, text: string): Statement {
  return { name, text, asArrays: true };
}

/** The prefix of our connections' names. Code that waits for work under way looks for it. */
export const OUR_NAME = 'millpond';
/** In the name too: processes of generation 1, which had no number in it, know nothing of small blobs. */
const GENERATION = 2;

/** How much longer than its own time-out to wait for a statement before its connection is considered dead. */
const GRACE_MS = 5_000;
const ASIDE_MS = 2_000;
/** How long a request waits for a primary where there is none: longer than a planned switch takes. */
const PATIENCE_MS = 3_000;
const READ_ONLY_PAUSE_MS = 100;
/** True on a standby, even behind a pooler. */
const IS_READ_ONLY = `SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly"`;
const COMMIT = 'commit';
/** A wait for a connection that is worth a step in a trace. */
const NOTED_WAIT_MS = 1;

export class Database implements Queryable {
  readonly pool: pg.Pool;
  /** For what must not wait behind requests: cancelling statements that nobody waits for any more, and health checks. */
  readonly #aside: pg.Pool;
  readonly #watch: { stop(): void } | undefined;
  readonly #took: Readonly<Record<'ok' | 'failed' | 'cancelled', (seconds: number) => void>> | undefined;

  constructor(options: DatabaseOptions) {
    const { timer, applicationName: pool } = options;
    this.#took = timer && {
      ok: timer.with({ pool, outcome: 'ok' }),
      failed: timer.with({ pool, outcome: 'failed' }),
      cancelled: timer.with({ pool, outcome: 'cancelled' }),
    };
    const url = withoutForeignName(options.url);
    const name = `${OUR_NAME} ${options.applicationName} ${GENERATION}`;
    const primary = openPrimary(url);
    this.pool = new PrimaryPool(primary, PATIENCE_MS, {
      connectionString: url,
      max: options.connections,
      connectionTimeoutMillis: options.timeoutMs,
      statement_timeout: options.timeoutMs,
      // A server that vanished silently enforces no time-out.
      query_timeout: options.timeoutMs + GRACE_MS,
      idle_in_transaction_session_timeout: options.timeoutMs,
      application_name: name,
      options: Object.entries(options.settings ?? {})
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      types: { getTypeParser },
    });
    // Without this, a connection that breaks between two statements of a transaction would end the process; its next query
    // still fails.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
    this.#aside = new PrimaryPool(primary, 0, {
      connectionString: url,
      max: 1,
      connectionTimeoutMillis: ASIDE_MS,
      query_timeout: ASIDE_MS,
      application_name: `${name} aside`,
      idleTimeoutMillis: 10_000,
    });
    // An idle connection that the server closes is no fault of any request; without a listener it would end the process. Once
    // it is being closed, a server that stops may be faster than the goodbye.
    for (const pool of [this.pool, this.#aside]) {
      pool.on('error', (error) => {
        if (!pool.ending) options.log.warn({ error: error.message }, 'idle database connection lost');
      });
    }
    // A single host needs no watch: whatever is behind it ends the connections that are of no more use.
    if (primary.hasSeveralHosts)
      this.#watch = watchPrimary({
        primary,
        isBusy: () => this.pool.totalCount > this.pool.idleCount,
        ask: () => this.#aside.query('SELECT 1'),
      });
  }

  async query<Row extends object>(
    statement: Statement,
    values: readonly unknown[],
    cancel?: AbortSignal,
  ): Promise<Row[]> {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await this.#query<Row>(statement, values, cancel);
      } catch (error) {
        // Refused as a whole, because the server is a standby by now: on the next connection it runs for the first time.
        if (!isSqlState(error, 'readOnly') || performance.now() >= until) throw error;
        await sleep(READ_ONLY_PAUSE_MS);
      }
    }
  }

  async #query<Row extends object>(
    statement: Statement,
    values: readonly unknown[],
    cancel?: AbortSignal,
  ): Promise<Row[]> {
    const client = await this.#connect();
    if (cancel?.aborted) {
      client.release();
      throw cancel.reason;
    }
    try {
      const running = runOn<Row>(client, statement, values, cancel && { signal: cancel, pool: this.#aside });
      const rows = await this.#timed(statement.name, running, cancel);
      client.release();
      return rows;
    } catch (error) {
      client.release(isConnectionLost(error) ? (error as Error) : undefined);
      throw cancel?.aborted ? cancel.reason : asFault(error);
    }
  }

  /** Runs `work` in one transaction. Make no network calls inside. */
  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const client = await this.#begin();
    const committed: (() => void)[] = [];
    let isBroken = false;
    // Only database errors become our faults; what the work itself throws goes to its caller unchanged.
    const asked = async <Result>(answer: Promise<Result>): Promise<Result> => {
      try {
        return await answer;
      } catch (error) {
        isBroken ||= isConnectionLost(error);
        throw asFault(error);
      }
    };
    let result: T;
    try {
      result = await work({
        client,
        query: <Row extends object>(statement: Statement, values: readonly unknown[]) =>
          asked(this.#timed(statement.name, runOn<Row>(client, statement, values))),
        afterCommit: (tell) => committed.push(tell),
      });
      await asked(this.#timed(COMMIT, client.query('COMMIT')));
      client.release();
    } catch (error) {
      isBroken ||= !(await rolledBack(client));
      client.release(isBroken ? (error as Error) : undefined);
      throw error;
    }
    for (const tell of committed) tell();
    return result;
  }

  /** Whether the database answers and takes writes, however busy the request connections are. */
  async ping(): Promise<void> {
    const { rows } = await this.#aside.query<{ isReadOnly: boolean }>(IS_READ_ONLY);
    if (rows[0]?.isReadOnly) throw new StandbyError('the database takes no writes');
  }

  async close(): Promise<void> {
    this.#watch?.stop();
    await Promise.all([this.pool.end(), this.#aside.end()]);
  }

  async #timed<Rows>(name: string, running: Promise<Rows>, cancel?: AbortSignal): Promise<Rows> {
    const trace = currentTrace();
    const begun = performance.now();
    let outcome: 'ok' | 'failed' | 'cancelled' = 'ok';
    let words: string | undefined;
    try {
      return await running;
    } catch (error) {
      outcome = cancel?.aborted ? 'cancelled' : 'failed';
      // The code alone: the message may have values in it.
      words = cancel?.aborted ? 'cancelled' : (error as { code?: string }).code;
      throw error;
    } finally {
      // A commit is part of its transaction, and no statement of anybody's.
      if (name !== COMMIT) this.#took?.[outcome]((performance.now() - begun) / 1000);
      trace?.step('statement', name, begun, outcome === 'ok', words);
    }
  }

  /** A connection in a transaction. One that turns out to be broken is replaced: a transaction that only began has no effect. */
  async #begin(): Promise<pg.PoolClient> {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const client = await this.#connect();
      try {
        await client.query('BEGIN');
        return client;
      } catch (error) {
        client.release(error as Error);
        if (!isConnectionLost(error) || performance.now() >= until) throw asFault(error);
      }
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    const begun = performance.now();
    try {
      const client = await this.pool.connect();
      if (performance.now() - begun >= NOTED_WAIT_MS)
        currentTrace()?.step('statement', 'wait for a connection', begun, true);
      return client;
    } catch (error) {
      const cause = new NotConnectedError(errorReason(error));
      throw new Fault('serverFailure', { detail: 'no database connection', cause });
    }
  }
}

async function runOn<Row extends object>(
  client: pg.PoolClient,
  statement: Statement,
  values: readonly unknown[],
  cancel?: { signal: AbortSignal; pool: pg.Pool },
): Promise<Row[]> {
  const running = client.query<Row>({
    name: statement.name,
    text: statement.text,
    values: values as unknown[],
    ...(statement.asArrays ? { rowMode: 'array' } : {}),
  });
  if (cancel === undefined) return rowsOf(await running);
  const { signal, pool } = cancel;
  let cancelling: Promise<unknown> | undefined;
  const onAbort = () => {
    cancelling = pool.query('SELECT pg_cancel_backend($1)', [backendPid(client)]).catch(() => undefined);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return rowsOf(await running);
  } finally {
    signal.removeEventListener('abort', onAbort);
    // The connection must not go back to the pool before the cancel has been carried out: the cancel would hit the next query.
    await cancelling;
  }
}

/**
 * Takes the rows out of their result: something in the driver keeps results until a full garbage collection, and with them
 * every row that was read, so that a long list filled memory. Measured in quality/bench/NOTES.md.
 */
function rowsOf<Row extends object>(result: pg.QueryResult<Row>): Row[] {
  const { rows } = result;
  result.rows = [];
  return rows;
}

/** A name in the URL would replace ours, and nobody would wait for this process's work. */
function withoutForeignName(url: string): string {
  const [before = '', query] = url.split('?', 2);
  const options = new URLSearchParams(query);
  if (options.get('application_name')?.startsWith(OUR_NAME) ?? true) return url;
  options.delete('application_name');
  return `${before}?${options.toString()}`;
}

function backendPid(client: pg.PoolClient): number {
  return (client as unknown as { processID: number }).processID;
}

async function rolledBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    return false;
  }
}

function asFault(error: unknown): Fault {
  const code = (error as { code?: string }).code;
  const name = isRefusedValue(error) ? 'invalidArgument' : 'serverFailure';
  return new Fault(name, { detail: `database: ${code ?? 'connection'}`, cause: error });
}

/** int8 as bigint: put times exceed 2^53. Everything else as `pg` does it. */
const getTypeParser = ((oid: number, format?: 'text' | 'binary') => {
  if (oid === pg.types.builtins.INT8) return BigInt;
  return pg.types.getTypeParser(oid, format as 'text');
}) as typeof pg.types.getTypeParser;
