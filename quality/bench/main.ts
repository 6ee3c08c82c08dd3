/**
 * `npm run bench -- <name>`: measures the server against the bare engine and prints the result. With `--against
 * <checkout>`, against the server of that checkout.
 */
import { againstUsage, isAgainst, parseAgainst } from './against/options.ts';
import { runAgainst } from './against/run.ts';
import { runBench } from './bench.ts';
import { InterruptedError } from './cleanup.ts';
import { parseOptions, UsageError, usage } from './options.ts';
import { pathOf } from './request-cost.ts';

const args = process.argv.slice(2);
try {
  if (isAgainst(args)) {
    const { text, failed } = await runAgainst(parseAgainst(args));
    process.stdout.write(`${text}\n`);
    process.exitCode = failed ? 1 : 0;
  } else {
    const options = parseOptions(args);
    const text = await runBench(options);
    process.stdout.write(`${text}\n`);
    process.stderr.write(`${pathOf(options)}\n`);
  }
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n${usage}\n${againstUsage}\n`);
    process.exit(2);
  }
  if (error instanceof InterruptedError) process.exit(130);
  process.stderr.write(`bench: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
}
