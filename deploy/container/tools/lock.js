/**
 * Lays out the folder into which an image's packages are installed: a package.json that names our packed packages, and a lock with the versions
 * and hashes that the project's own lock has for all that they need. Runs while the image is built:
 * node lock.js <package-lock.json> <folder of the packed packages> <folder>
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * @typedef {{ name?: string, version?: string, link?: boolean, resolved?: string, devDependencies?: object,
 *   dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} Locked
 */

const OURS = ['protocol', 'client', 'server', 'cli'].map((name) => `packages/${name}`);
/** They are in the package of the server, which brings them in a folder of that name. */
const BUNDLE = 'packages/server';
const MODULES = 'node_modules/';

const [lockFile = '', packed = '', folder = ''] = process.argv.slice(2);
/** @type {Record<string, Locked>} */
const all = JSON.parse(readFileSync(lockFile, 'utf8')).packages;

/** Places of those that the server brings. */
function bundled() {
  const linked = Object.keys(all[BUNDLE]?.dependencies ?? {}).map((name) => all[`${MODULES}${name}`]);
  return linked.flatMap((each) => (each?.resolved && !OURS.includes(each.resolved) ? [each.resolved] : []));
}

/** Where what is at a place of the project's lock is installed. @param {string} place */
function installedAt(place) {
  const brought = bundled().find((each) => place === each || place.startsWith(`${each}/`));
  if (brought !== undefined)
    return `${installedAt(BUNDLE)}/${MODULES}${all[brought]?.name}${place.slice(brought.length)}`;
  const own = OURS.find((each) => place === each || place.startsWith(`${each}/`));
  return own === undefined ? place : `${MODULES}${all[own]?.name}${place.slice(own.length)}`;
}

/** As Node looks for it: beside, then above. @param {string} from @param {string} name */
function placeOf(from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf(`/${MODULES}`)))) {
    const place = path.posix.join(at, MODULES, name);
    if (all[place] !== undefined || at === '') return all[place] === undefined ? undefined : place;
  }
}

/** Everything that ours need, directly or not. */
function closure() {
  /** @type {Set<string>} */
  const found = new Set();
  const waiting = [...OURS, ...bundled()];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { dependencies, optionalDependencies } = all[place] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const next = placeOf(place, name);
      if (next === undefined || all[next]?.link || found.has(next)) continue;
      found.add(next);
      waiting.push(next);
    }
  }
  return [...found].toSorted();
}

/** @param {Locked} ours */
function tarballOf({ name = '', version }) {
  return `file:${path.join(packed, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)}`;
}

/** As it is packed: with nothing for development. @param {string} place */
function publishedOf(place) {
  const own = /** @type {Locked} */ (all[place]);
  const brought = place === BUNDLE ? bundled().map((each) => /** @type {Locked} */ (all[each])) : [];
  return {
    ...own,
    dependencies: Object.assign({}, ...brought.map(({ dependencies }) => dependencies), own.dependencies),
    ...(brought.length === 0 ? {} : { bundleDependencies: brought.map(({ name }) => name) }),
    devDependencies: undefined,
    resolved: tarballOf(own),
  };
}

const dependencies = Object.fromEntries(
  OURS.map(publishedOf).map(({ name = '', resolved }) => [name, resolved]),
);
const described = { name: 'image', version: '0.0.0', private: true, dependencies };
const packages = Object.fromEntries([
  ['', described],
  ...OURS.map((place) => [installedAt(place), publishedOf(place)]),
  ...bundled().map((place) => [
    installedAt(place),
    { ...all[place], devDependencies: undefined, inBundle: true },
  ]),
  ...closure().map((place) => [installedAt(place), all[place]]),
]);
mkdirSync(folder, { recursive: true });
for (const [file, content] of /** @type {const} */ ([
  ['package.json', described],
  [
    'package-lock.json',
    { ...described, lockfileVersion: 3, requires: true, dependencies: undefined, packages },
  ],
]))
  writeFileSync(path.join(folder, file), `${JSON.stringify(content, null, 1)}\n`);
