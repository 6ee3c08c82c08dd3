/** A separate process that opens a sandbox: to be killed, or to run as another user. Arguments: bubblewrap or none, root, program, … */
import { probeLimits } from './limits.ts';
import { openSandbox } from './sandbox.ts';
import { openUnconfined } from './unconfined.ts';
import { UnconfinedPermit } from './unconfined-permit.ts';

const [confinement = '', root = '', program = '', ...args] = process.argv.slice(2);
const sandbox =
  confinement === 'none' ? await openUnconfined(UnconfinedPermit.make(), root) : await openSandbox({ root });
process.stdout.write('open\n');
const result = await sandbox.withJob((jobDir) =>
  sandbox.run({ program, args, jobDir, limits: { ...probeLimits, wallMs: 60_000 } }),
);
await sandbox.close();
process.stdout.write(`${JSON.stringify({ ...result, stdout: result.stdout.toString('utf8') })}\n`);
