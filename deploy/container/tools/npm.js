/** The packages of npm in an image: those that are installed, and those whose code is in the console's pages. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { npmLicences, npmPurl } from './component.js';

/**
 * @typedef {import('./component.js').Found} Found
 * @typedef {{ name: string, version: string, license?: string, dependencies?: object, optionalDependencies?: object }} Installed
 */

const MODULES = 'node_modules/';
const SERVER = `${MODULES}@millpond/server`;
const BUNDLED = 'THIRD-PARTY-LICENSES.txt';

/** @param {string} folder @returns {Found[]} */
export function npmPackages(folder) {
  const lock = JSON.parse(readFileSync(path.join(folder, MODULES, '.package-lock.json'), 'utf8'));
  const isThere = (/** @type {string} */ place) =>
    statSync(path.join(folder, place), { throwIfNoEntry: false }) !== undefined;
  /** @type {Map<string, Installed>} */
  const installed = new Map();
  for (const [place, found] of Object.entries(lock.packages))
    if (isThere(place)) installed.set(place, { ...found, name: nameOf(place) });
  const bundled = bundledPackages(folder);
  return [
    ...[...installed].map(([place, each]) => ({
      component: componentOf(each, place),
      needs: [
        ...Object.keys({ ...each.dependencies, ...each.optionalDependencies }).flatMap(
          (name) => placeOf(installed, place, name) ?? [],
        ),
        ...(place === SERVER ? bundled.map(({ component }) => component['bom-ref']) : []),
      ],
    })),
    ...bundled,
  ];
}

/** What the build of the pages wrote of them (packages/console/build/licences.ts). @param {string} folder @returns {Found[]} */
function bundledPackages(folder) {
  const text = readFileSync(path.join(folder, SERVER, 'console', BUNDLED), 'utf8');
  return [...text.matchAll(/^=== (\S+) (\S+) \((.*)\)$/gm)].map(([, name = '', version = '', license]) => ({
    component: {
      ...componentOf({ name, version, license }, `${SERVER}/console/${name}`),
      properties: [{ name: 'millpond:bundledIn', value: `@millpond/server/console` }],
    },
    needs: [],
  }));
}

/** @param {Installed} described @param {string} reference */
function componentOf({ name, version, license }, reference) {
  return {
    type: 'library',
    'bom-ref': reference,
    name,
    version,
    licenses: npmLicences(license),
    purl: npmPurl(name, version),
  };
}

/** @param {string} place */
function nameOf(place) {
  return place.slice(place.lastIndexOf(MODULES) + MODULES.length);
}

/** As Node looks for it: beside, then above. @param {Map<string, Installed>} installed @param {string} from @param {string} name */
function placeOf(installed, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf(`/${MODULES}`)))) {
    const place = path.posix.join(at, MODULES, name);
    if (installed.has(place)) return place;
    if (at === '') return undefined;
  }
}
