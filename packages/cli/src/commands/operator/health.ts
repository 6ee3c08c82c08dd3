/**
 * `millpond health`: whether the server process of this machine is alive, for health checks of containers. It loads nothing of the server but its
 * settings: a health check runs every few seconds.
 */
import { type Command, InvalidArgumentError } from 'commander';
import { adminUrl } from '../../admin-url.ts';
import { type ConfigOptions, loadConfig } from '../../config.ts';

interface HealthOptions extends ConfigOptions {
  readonly timeout: number;
}

const MAX_SECONDS = 60;
/** Docker knows 0 and 1, and reserves the others. */
const UNHEALTHY = 1;

export function addHealth(program: Command): void {
  program
    .command('health')
    .description('say whether the server of this machine is alive; exit code 0 or 1')
    .option('--config <file>', 'configuration file')
    .option('--timeout <seconds>', 'how long to wait for its answer', readSeconds, 2)
    .addHelpText(
      'after',
      `
Asks /healthz at MILLPOND_ADMIN_LISTEN, which answers without database and engine: a server that waits for those
needs no restart. /readyz says whether it can serve.`,
    )
    .action(async (options: HealthOptions) => {
      try {
        const url = adminUrl(loadConfig(options), '/healthz');
        await ask(url, options.timeout);
        process.stdout.write(`alive: ${url} answers\n`);
      } catch (error) {
        process.stderr.write(`millpond: ${(error as Error).message}\n`);
        process.exit(UNHEALTHY);
      }
    });
}

async function ask(url: string, seconds: number): Promise<void> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(seconds * 1000) }).catch((error: Error) => {
    throw new Error(`no answer from ${url}: ${reasonOf(error, seconds)}`);
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
}

function reasonOf(error: Error, seconds: number): string {
  if (error.name === 'TimeoutError') return `nothing within ${seconds} s`;
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= MAX_SECONDS))
    throw new InvalidArgumentError(`must be seconds, at most ${MAX_SECONDS}`);
  return seconds;
}
