/**
 * What the packages consist of, as CycloneDX 1.6: themselves, all that the lock file installs for them, and what is part of the console's pages.
 * What is only for development is not in it.
 */

interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

const PUBLISHED = ['packages/protocol', 'packages/client', 'packages/server', 'packages/cli'];
/** Built into pages that are in the server's package: what they import. */
const CONSOLE = 'packages/console';
const MODULES = 'node_modules/';

export function bomOf(lock: Lock, version: string): object {
  const places = closureOf(lock);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        name: 'millpond',
        version,
        licenses: [{ license: { id: 'Apache-2.0' } }],
      },
    },
    components: [...PUBLISHED, ...places].map((place) => componentOf(place, lock.packages[place] ?? {})),
  };
}

/** Places in the lock file, sorted. What another system needs is among them: a list for all of them, not for this machine. */
function closureOf({ packages }: Lock): readonly string[] {
  const found = new Set<string>();
  const waiting = [...PUBLISHED, CONSOLE];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { dependencies = {}, optionalDependencies = {} } = packages[place] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const next = placeOf(packages, place, name);
      if (next === undefined || found.has(next)) continue;
      found.add(next);
      waiting.push(
        packages[next]?.resolved !== undefined && packages[next].link ? packages[next].resolved : next,
      );
    }
  }
  return [...found].filter((place) => packages[place]?.link !== true).toSorted();
}

/** As Node looks for it: beside, then above. */
function placeOf(packages: Lock['packages'], from: string, name: string): string | undefined {
  for (let folder: string | undefined = from; folder !== undefined; folder = above(folder)) {
    const place = `${folder === '' ? '' : `${folder}/`}${MODULES}${name}`;
    if (packages[place] !== undefined) return place;
  }
  return undefined;
}

function above(folder: string): string | undefined {
  if (folder === '') return undefined;
  const at = folder.lastIndexOf(`/${MODULES}`);
  return at < 0 ? '' : folder.slice(0, at);
}

function componentOf(
  place: string,
  { name: ownName, version = '', license, integrity }: LockedPackage,
): object {
  const name = ownName ?? place.slice(place.lastIndexOf(MODULES) + MODULES.length);
  const licence = license === undefined ? {} : { licenses: [licenceOf(license)] };
  const hash = /^sha512-(.+)$/.exec(integrity ?? '')?.[1];
  return {
    type: 'library',
    name,
    version,
    ...licence,
    ...(hash === undefined
      ? {}
      : { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] }),
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  };
}

function licenceOf(licence: string): object {
  return /^[A-Za-z0-9.+-]+$/.test(licence) ? { license: { id: licence } } : { expression: licence };
}
