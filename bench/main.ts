/** `npm run bench -- <name>`: measures the server beside the bare engine and prints what came out. */
import { runBench } from './bench.ts';
import { parseOptions, UsageFault, usage } from './options.ts';
import { pathOf } from './paths.ts';

try {
  const options = parseOptions(process.argv.slice(2));
  const text = await runBench(options);
  process.stdout.write(`${text}\n`);
  process.stderr.write(`${pathOf(options)}\n`);
} catch (error) {
  if (error instanceof UsageFault) {
    process.stderr.write(`${error.message}\n${usage}\n`);
    process.exit(2);
  }
  process.stderr.write(`bench: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
}
