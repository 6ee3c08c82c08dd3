/** The packages of Debian in an image, with the licences that their copyright files name. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { NO_ASSERTION } from './component.js';

/** @typedef {import('./component.js').Found} Found */

const INSTALLED = 'install ok installed';
/** The first line of a copyright file that programs can read (DEP 5). */
const READABLE = /^Format:.*copyright-format/im;

/** @param {string} root @returns {Found[]} */
export function debianPackages(root) {
  const status = readFileSync(path.join(root, 'var/lib/dpkg/status'), 'utf8');
  const records = status.split('\n\n').filter((record) => fieldOf(record, 'Status') === INSTALLED);
  const names = new Map(
    records.flatMap((record) => {
      const name = fieldOf(record, 'Package');
      const provided = namesIn(fieldOf(record, 'Provides')).map(
        (each) => /** @type {const} */ ([each, name]),
      );
      return [...provided, [name, name]];
    }),
  );
  const codename = /^VERSION_CODENAME="?(.*?)"?$/m.exec(
    readFileSync(path.join(root, 'etc/os-release'), 'utf8'),
  );
  return records.map((record) => {
    const [name, version] = [fieldOf(record, 'Package'), fieldOf(record, 'Version')];
    const qualifiers = `arch=${fieldOf(record, 'Architecture')}&distro=${codename?.[1]}`;
    const needed = namesIn(`${fieldOf(record, 'Pre-Depends')},${fieldOf(record, 'Depends')}`);
    return {
      component: {
        type: 'library',
        'bom-ref': referenceOf(name),
        name,
        version,
        licenses: licencesOf(root, name),
        purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?${qualifiers}`,
      },
      needs: needed
        .flatMap((each) => names.get(each) ?? [])
        .filter((each) => each !== name)
        .map(referenceOf),
    };
  });
}

const referenceOf = (/** @type {string} */ name) => `debian/${name}`;

/** The short names of the file's paragraphs, as Debian has them; where it is free text, the common licences that it refers to. @param {string} root @param {string} name */
function licencesOf(root, name) {
  const text = readFileSync(path.join(root, 'usr/share/doc', name, 'copyright'), 'utf8');
  const named = READABLE.test(text)
    ? [...text.matchAll(/^License:[ \t]*(\S.*)$/gm)]
    : [...text.matchAll(/\/common-licenses\/([A-Za-z0-9.+-]*[A-Za-z0-9+])/g)];
  const licences = [...new Set(named.map(([, each = '']) => each.trim()))].toSorted((a, b) =>
    a < b ? -1 : 1,
  );
  return licences.length === 0 ? NO_ASSERTION : licences.map((each) => ({ license: { name: each } }));
}

/** Names in a list such as `libc6 (>= 2.34), awk | mawk`; whichever of several is installed. @param {string} list */
function namesIn(list) {
  return [...new Set(list.split(/[,|]/).map((each) => each.trim().replace(/[ (:].*$/s, '')))].filter(
    (each) => each !== '',
  );
}

/** @param {string} record @param {string} field */
function fieldOf(record, field) {
  return new RegExp(`^${field}: (.*)$`, 'm').exec(record)?.[1] ?? '';
}
