/** The command line of a run of ceph/s3-tests. */
import { parseArgs } from 'node:util';

/** The state of the suite that the lists are about. */
export const COMMIT = '8f0ae7b404a3a2fcf7038bf1e6bf29544fe9b6a3';
export const REPOSITORY = 'https://github.com/ceph/s3-tests';
/** boto3 before 1.36 does not know half of what the suite calls; Debian 13 has 1.37. */
export const RELEASE = 'trixie';

export interface Options {
  /** A checkout of the suite. */
  readonly folder: string;
  readonly store: 's3' | 'disk';
  /** Every test, also those that nobody expects to pass. */
  readonly all: boolean;
  /** An expression of pytest's -k. */
  readonly only: string | undefined;
  readonly python: string | undefined;
  /** Where the whole output of pytest goes. */
  readonly log: string | undefined;
  readonly json: boolean;
}

export type Command =
  | { readonly kind: 'help' | 'setup' }
  | { readonly kind: 'run'; readonly options: Options };

export class UsageError extends Error {}

export const usage = `npm run s3-tests -- <folder> [options]

Runs ceph/s3-tests against a server of its own with three accounts, and compares what passed with the lists in
quality/conformance/s3-tests. The suite is no part of this project; get it beside it:

  git clone ${REPOSITORY} ../s3-tests
  git -C ../s3-tests checkout ${COMMIT.slice(0, 12)}

  --store ceph|disk  where the bytes are kept (ceph)
  --all              every test of objects and buckets, not only those in expected.txt and further.txt; half an hour
  --only WORDS       only tests that match this expression, as pytest's -k
  --python PROGRAM   a Python with boto3 1.36 or newer and pytest; default: what --setup made, else python3
  --log FILE         write the whole output of pytest there
  --json             print one line of JSON
  --setup            make a Python for it from Debian ${RELEASE}'s packages, in .s3-programs; needs no root

Exit codes: 0 all expected tests passed, 1 one of them did not, 2 wrong usage, 3 the suite or its Python is missing.`;

export function parseCommand(args: readonly string[]): Command {
  const { values, positionals } = split(args);
  if (values.help) return { kind: 'help' };
  if (values.setup) return { kind: 'setup' };
  const [folder, ...rest] = positionals;
  if (folder === undefined || rest.length > 0) throw new UsageError('name the folder of the suite');
  const { store = 'ceph', all = false, json = false, only, python, log } = values;
  if (store !== 'ceph' && store !== 'disk') throw new UsageError('--store must be ceph or disk');
  return {
    kind: 'run',
    options: { folder, store: store === 'ceph' ? 's3' : 'disk', all, only, python, log, json },
  };
}

function split(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = { store: text, only: text, python: text, log: text, all: flag, json: flag, setup: flag };
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
