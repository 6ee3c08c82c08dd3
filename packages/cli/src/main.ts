/** The `millpond` command. Each subject adds its own commands; a fault ends with one line and a meaningful code. */
import { Command } from 'commander';
import { addAccount } from './commands/account.ts';
import { addAudit } from './commands/audit.ts';
import { addDeliveries } from './commands/deliveries.ts';
import { addDev } from './commands/dev.ts';
import { addDoctor } from './commands/doctor.ts';
import { addDomain } from './commands/domain.ts';
import { addKey } from './commands/key.ts';
import { addListen } from './commands/listen.ts';
import { addLive } from './commands/live.ts';
import { addMigrate } from './commands/migrate.ts';
import { addRoutes } from './commands/routes.ts';
import { addServe } from './commands/serve.ts';
import { addTask } from './commands/task.ts';
import { addToken } from './commands/token.ts';
import { addUndelete } from './commands/undelete.ts';
import { addUpkeep } from './commands/upkeep.ts';
import { addUsage } from './commands/usage.ts';
import { exitCodes, reportAndExit } from './exit.ts';

export async function main(argv: string[]): Promise<void> {
  const program = new Command('millpond')
    .description('Self-hosted object storage, media processing, accounts and event callbacks.')
    .showHelpAfterError('(--help shows how)')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? exitCodes.done : exitCodes.usage));
  addDev(program);
  addServe(program);
  addMigrate(program);
  addDoctor(program);
  addAccount(program);
  addKey(program);
  addDomain(program);
  addUsage(program);
  addAudit(program);
  addTask(program);
  addDeliveries(program);
  addListen(program);
  addLive(program);
  addUpkeep(program);
  addUndelete(program);
  addRoutes(program);
  addToken(program);
  process.stdout.on('error', endOfReader);
  try {
    await program.parseAsync(argv);
  } catch (error) {
    reportAndExit(error);
  }
}

/** Whoever read the output, such as `head`, has had enough: that is no failure of the command. */
function endOfReader(error: NodeJS.ErrnoException): void {
  process.exit(error.code === 'EPIPE' ? exitCodes.done : exitCodes.fatal);
}
