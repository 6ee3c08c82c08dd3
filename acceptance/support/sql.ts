/** SQL past the server, by `psql`: to hold a lock, to look at what is stored. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

const FLAGS = ['--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--set=ON_ERROR_STOP=1'];

/** The rows as text, one a line, columns separated by `|`. */
export async function runSql(database: string, text: string): Promise<string> {
  const { stdout } = await promisify(execFile)('psql', [...FLAGS, `--command=${text}`, database], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.trim();
}

export interface RunningSql {
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Starts statements that end in a long one; resolves once that one runs. */
export async function startSql(database: string, text: string): Promise<RunningSql> {
  const name = `test ${process.pid} ${Math.random().toString(36).slice(2)}`;
  const statements = text.split(';').map((statement) => `--command=${statement.trim()}`);
  const child = spawn('psql', [...FLAGS, ...statements, database], {
    env: { ...process.env, PGAPPNAME: name },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit').then(() => undefined);
  const mine = `FROM pg_stat_activity WHERE application_name = '${name}'`;
  while ((await runSql(database, `SELECT count(*) ${mine} AND query LIKE '%pg_sleep%'`)) !== '1') {
    if (child.exitCode !== null) throw new Error(`psql ended before its last statement ran: ${text}`);
  }
  return {
    ended,
    async stop() {
      await runSql(database, `SELECT pg_terminate_backend(pid) ${mine}`);
      await ended;
    },
  };
}
