/**
 * Commits that wait at the same time, made one statement: a round trip, a transaction and a flush of the log for each cost
 * four times as much. A commit that finds its bucket idle is sent at once, by itself. While some statements of the bucket
 * are under way, further commits wait for the first of them to end and then go together. Buckets don't wait for each other.
 *
 * To its caller each commit stands alone: it is judged by itself and has its own outcome. Where a joined statement is
 * refused, it has done nothing, and each of its commits is tried by itself; where its answer is lost, nobody knows.
 */
import { Fault } from '@millpond/protocol';
import type { CommitMode } from './commit-statement.ts';

/** Statements of one bucket under way at the same time: enough that a slow one does not hold up all. */
const AT_ONCE = 3;
const MOST_OBJECTS = 64;

interface Keyed {
  readonly bucketId: bigint;
  readonly key: string;
}

interface Commit<Wanted, Row> {
  readonly wanted: Wanted;
  readonly resolve: (row: Row) => void;
  readonly reject: (reason: unknown) => void;
}

interface Group<Wanted, Row> {
  readonly mode: CommitMode;
  underWay: number;
  waiting: Commit<Wanted, Row>[];
}

export interface CommitStatements<Wanted, Row> {
  one(object: Wanted, mode: CommitMode): Promise<Row>;
  /** Of one bucket, each under a key of its own; the rows in any order. */
  many(objects: readonly Wanted[], mode: CommitMode): Promise<(Row & { readonly key: string })[]>;
}

export class JoinedCommits<Wanted extends Keyed, Row> {
  readonly #statements: CommitStatements<Wanted, Row>;
  readonly #groups = new Map<string, Group<Wanted, Row>>();

  constructor(statements: CommitStatements<Wanted, Row>) {
    this.#statements = statements;
  }

  commit(wanted: Wanted, mode: CommitMode): Promise<Row> {
    const name = `${mode} ${wanted.bucketId}`;
    const group = this.#groups.get(name) ?? { mode, underWay: 0, waiting: [] };
    this.#groups.set(name, group);
    return new Promise((resolve, reject) => {
      group.waiting.push({ wanted, resolve, reject });
      if (group.underWay < AT_ONCE) void this.#work(name, group);
    });
  }

  async #work(name: string, group: Group<Wanted, Row>): Promise<void> {
    group.underWay++;
    while (group.waiting.length > 0) await this.#run(nextOf(group), group.mode);
    group.underWay--;
    if (group.underWay === 0) this.#groups.delete(name);
  }

  /** Settles all of them, and never rejects. */
  async #run(commits: readonly Commit<Wanted, Row>[], mode: CommitMode): Promise<void> {
    const alone = () => Promise.all(commits.map((commit) => this.#runAlone(commit, mode)));
    if (commits.length === 1) {
      await alone();
      return;
    }
    try {
      const objects = commits.map((commit) => commit.wanted);
      const rows = new Map((await this.#statements.many(objects, mode)).map((row) => [row.key, row]));
      for (const { wanted, resolve, reject } of commits) {
        const row = rows.get(wanted.key);
        if (row === undefined) reject(new Error('the commit statement gave no row'));
        else resolve(row);
      }
    } catch (error) {
      if (isRefused(error)) await alone();
      else for (const commit of commits) commit.reject(error);
    }
  }

  async #runAlone({ wanted, resolve, reject }: Commit<Wanted, Row>, mode: CommitMode): Promise<void> {
    try {
      resolve(await this.#statements.one(wanted, mode));
    } catch (error) {
      reject(error);
    }
  }
}

/** Those that have waited longest. No statement writes a row twice: the second commit of a key goes with the next. */
function nextOf<Wanted extends Keyed, Row>(group: Group<Wanted, Row>): Commit<Wanted, Row>[] {
  const next = new Map<string, Commit<Wanted, Row>>();
  const later: Commit<Wanted, Row>[] = [];
  for (const commit of group.waiting) {
    if (next.size < MOST_OBJECTS && !next.has(commit.wanted.key)) next.set(commit.wanted.key, commit);
    else later.push(commit);
  }
  group.waiting = later;
  return [...next.values()];
}

/** Whether the database said no, and so rolled back; a connection that went away says nothing. */
function isRefused(error: unknown): boolean {
  const cause = error instanceof Fault ? error.cause : undefined;
  const code = (cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && /^(?!08|57P)[0-9A-Z]{5}$/.test(code);
}
