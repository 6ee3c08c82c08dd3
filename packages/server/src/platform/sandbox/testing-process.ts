/** A separate process that opens the sandbox: to be killed, or to run as another user. Arguments: root, program, … */

import { probeLimits } from './limits.ts';
import { openSandbox } from './sandbox.ts';

const [root = '', program = '', ...args] = process.argv.slice(2);
const sandbox = await openSandbox({ root });
process.stdout.write('open\n');
const result = await sandbox.withJob((jobDir) =>
  sandbox.run({ program, args, jobDir, limits: { ...probeLimits, wallMs: 60_000 } }),
);
await sandbox.close();
process.stdout.write(`${JSON.stringify({ ...result, stdout: result.stdout.toString('utf8') })}\n`);
