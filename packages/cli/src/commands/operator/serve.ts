/** `millpond serve` and `millpond work`: the server's processes. */

import { setTimeout as sleep } from 'node:timers/promises';
import { migrateAll, type ProcessRole, type RunningServer, startServer } from '@millpond/server';
import { type Command, Option } from 'commander';
import { adminUrl } from '../../admin-url.ts';
import { startInBackground } from '../../background.ts';
import { type ConfigOptions, configFile, loadConfig } from '../../config.ts';
import { exitCodes } from '../../exit.ts';
import { onInterrupt } from '../../interrupt.ts';

interface ServeOptions extends ConfigOptions {
  readonly migrate?: boolean;
  readonly background?: boolean;
  readonly log: string;
  readonly work: boolean;
}

const READY_TIMEOUT_MS = 60_000;
const SHUTDOWN_FAILED = 1;
/** From accepting the first request to having started; what takes longer hangs. */
const START_TIMEOUT_MS = 10_000;

export function addServe(program: Command): void {
  program
    .command('serve')
    .description('answer requests, and do background work unless --no-work')
    .option('--config <file>', 'configuration file')
    .option('--migrate', 'migrate the databases to this version first')
    .option('--background', 'return when the server is ready and leave it running')
    .option('--log <file>', 'where a background server writes its log', 'millpond.log')
    .option('--no-work', 'no background work in this process')
    .action(async (options: ServeOptions) => {
      if (options.background) return serveInBackground(options);
      await run(options, options.work ? ['serve', 'work', 'deliveries', 'live'] : ['serve']);
    });
  program
    .command('work')
    .description('do background work only')
    .option('--config <file>', 'configuration file')
    .addOption(
      new Option(
        '--only <what>',
        'do only one kind of work: events to receivers, jobs, or live streams',
      ).choices(['deliveries', 'jobs', 'live']),
    )
    .action((options: ConfigOptions & { only?: 'deliveries' | 'jobs' | 'live' }) => {
      const roles = {
        deliveries: ['deliveries'],
        jobs: ['work'],
        live: ['live'],
        all: ['work', 'deliveries', 'live'],
      } as const;
      return run(options, roles[options.only ?? 'all']);
    });
}

/** Until it accepts requests or jobs there is nothing to finish, and it just ends: its database may hang, and it would wait for that. */
async function run(
  options: ConfigOptions & { readonly migrate?: boolean },
  roles: readonly ProcessRole[],
): Promise<void> {
  let isAccepting = false;
  let server: RunningServer | undefined;
  const { promise: told, resolve: tell } = Promise.withResolvers<void>();
  onInterrupt(() => {
    tell();
    if (server !== undefined) return;
    const end = () => {
      if (server !== undefined) return;
      process.stderr.write('millpond: told to end before it was ready\n');
      process.exit(exitCodes.done);
    };
    if (isAccepting) setTimeout(end, START_TIMEOUT_MS);
    else end();
  }, SHUTDOWN_FAILED);
  const config = loadConfig(options);
  if (options.migrate) await migrateAll(config);
  server = await startServer(config, {
    roles: new Set(roles),
    onAccepting() {
      isAccepting = true;
    },
  });
  await told;
  try {
    await server.stop();
  } catch (error) {
    process.stderr.write(`millpond: shutdown failed: ${(error as Error).message}\n`);
    process.exit(SHUTDOWN_FAILED);
  }
  process.exit(exitCodes.done);
}

async function serveInBackground(options: ServeOptions): Promise<void> {
  const config = loadConfig(options);
  const file = configFile(options);
  const flags = [
    ...(file ? ['--config', file] : []),
    ...(options.migrate ? ['--migrate'] : []),
    ...(options.work ? [] : ['--no-work']),
  ];
  const { child, output } = startInBackground(['serve', ...flags], options.log);
  const exited = new Promise<never>((_, reject) => {
    child.once('exit', (code) =>
      reject(new Error(`the server exited with code ${code}; the end of ${options.log}:\n${output()}`)),
    );
  });
  await Promise.race([exited, ready(adminUrl(config, '/readyz'))]);
  child.unref();
  const where = config.listen.map(
    (listener) => `${listener.tls ? 'https' : 'http'}://${listener.address}:${listener.port}`,
  );
  process.stdout.write(
    `serving at ${where.join(', ')} (pid ${child.pid}, log ${options.log}); stop it with: kill ${child.pid}\n`,
  );
  process.exit(0);
}

async function ready(url: string): Promise<void> {
  const end = Date.now() + READY_TIMEOUT_MS;
  let said = '';
  while (Date.now() < end) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    said = answer === undefined ? '' : `: ${(await answer.text().catch(() => '')).trim()}`;
    await sleep(100);
  }
  throw new Error(`the server was not ready within ${READY_TIMEOUT_MS / 1000} s${said}`);
}
