/** The command line of a release. */
import { parseArgs } from 'node:util';

export const USAGE = `npm run release -- --registry HOST/PATH [--out FOLDER]
npm run release -- --dry-run [--twice] [--images registry|debootstrap|none] [--registry HOST/PATH] [--out FOLDER]
npm run release -- --set-version VERSION`;

export interface ReleaseOptions {
  readonly isDryRun: boolean;
  /** Made once more, and compared. */
  readonly isTwice: boolean;
  readonly images: 'registry' | 'debootstrap' | 'none';
  /** Where images and chart are to be published, for the commands that are printed. */
  readonly registry: string;
  readonly out: string | undefined;
}

export class UsageError extends Error {}

const IMAGES = ['registry', 'debootstrap', 'none'] as const;
const REGISTRY = /^[a-z0-9.-]+(?::\d+)?(?:\/[a-z0-9._-]+)*$/;
/** Registry of a dry run, which names none. */
const EXAMPLE_REGISTRY = 'registry.example.com/millpond';

/** With `setVersion`, nothing else is done. */
export function readOptions(args: readonly string[]): ReleaseOptions | { readonly setVersion: string } {
  const values = parsed(args);
  const { 'set-version': setVersion, 'dry-run': isDryRun, twice: isTwice, out } = values;
  if (setVersion !== undefined) {
    if (Object.keys(values).length > 1) throw new UsageError('--set-version stands alone');
    return { setVersion };
  }
  const images = IMAGES.find((each) => each === (values.images ?? 'registry'));
  if (images === undefined) throw new UsageError('--images must be registry, debootstrap or none');
  const { registry } = values;
  if (registry !== undefined && !REGISTRY.test(registry))
    throw new UsageError('--registry must be a host and a path, such as registry.example.com/millpond');
  if (isDryRun !== true) {
    if (isTwice) throw new UsageError('--twice is for a dry run');
    // debootstrap: they hold what this machine trusts and how it finds names.
    if (images !== 'registry')
      throw new UsageError(`images of --images ${images} are not to be published: it is for a dry run`);
    if (registry === undefined) throw new UsageError('a release needs --registry');
  }
  return {
    isDryRun: isDryRun ?? false,
    isTwice: isTwice ?? false,
    images,
    registry: registry ?? EXAMPLE_REGISTRY,
    out,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        'dry-run': { type: 'boolean' },
        twice: { type: 'boolean' },
        images: { type: 'string' },
        registry: { type: 'string' },
        out: { type: 'string' },
        'set-version': { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
