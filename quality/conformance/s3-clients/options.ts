/** The command line. */
import { parseArgs } from 'node:util';

const RELEASES = ['trixie', 'sid'] as const;

export interface Options {
  /** Empty only with help. */
  readonly releases: readonly string[];
  /** Download them again, although they are here. */
  readonly fresh: boolean;
  readonly help: boolean;
}

export class UsageError extends Error {}

export const usage = `npm run s3-clients -- [${RELEASES.join('|')}]… [--fresh]

Runs quality/acceptance/s3/clients with the clients of newer Debian releases (all of them, if none is named), and prints a table of
their versions for docs/s3.md. Their packages are unpacked in .s3-programs; nothing is installed.

  --fresh  download the packages again: sid changes every day

Exit codes: 0 all passed, 1 a test failed, 2 wrong usage.`;

export function parseOptions(args: readonly string[]): Options {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { fresh: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
    const stranger = positionals.find((name) => !RELEASES.some((release) => release === name));
    if (stranger !== undefined) throw new Error(`${stranger} is none of ${RELEASES.join(', ')}`);
    const releases = positionals.length === 0 ? RELEASES : [...new Set(positionals)];
    return { releases, fresh: values.fresh ?? false, help: values.help ?? false };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
