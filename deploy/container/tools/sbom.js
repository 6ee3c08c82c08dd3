/**
 * Writes what an image consists of to standard output, as CycloneDX 1.6: Node, the packages of npm and those of Debian, each with its version,
 * its licences and what it needs. The same image gives the same bytes. Runs while the image is built, beside it:
 * node sbom.js <name of the image> <folder of its files>
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { debianPackages } from './debian.js';
import { npmPackages } from './npm.js';

/** @typedef {import('./component.js').Found} Found */

const [name = '', root = '/'] = process.argv.slice(2);
/** Version of all images: that of our packages, which the stage that builds has in any case. */
const { version } = JSON.parse(readFileSync('/opt/millpond/node_modules/millpond/package.json', 'utf8'));
const IMAGE = `image/${name}`;
const packages = path.join(root, 'opt/millpond');
/** That of the stage that builds, which is copied into the image. */
const NODE = process.versions.node;

/** @returns {Found[]} */
function programs() {
  if (!existsSync(packages)) return [];
  return [
    {
      component: {
        type: 'platform',
        'bom-ref': 'node',
        name: 'node',
        version: NODE,
        // Its own; those of what it contains are in /usr/share/doc/node/LICENSE.
        licenses: [{ license: { id: 'MIT' } }],
        purl: `pkg:generic/node@${NODE}`,
      },
      needs: ['debian/libatomic1', 'debian/libstdc++6'],
    },
    ...npmPackages(packages),
  ];
}

/** @param {string} text */
function serialOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  // A UUID of version 8: made of the content by rules of one's own.
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return `urn:uuid:${[...parts, hex.slice(20, 32)].join('-')}`;
}

const found = [...programs(), ...debianPackages(root)];
const needed = new Set(found.flatMap(({ needs }) => needs));
const content = {
  metadata: {
    component: { type: 'container', 'bom-ref': IMAGE, name, version },
  },
  components: found.map(({ component }) => component),
  dependencies: [
    // What is there for itself.
    {
      ref: IMAGE,
      dependsOn: found.map(({ component }) => component['bom-ref']).filter((each) => !needed.has(each)),
    },
    ...found.map(({ component, needs }) => ({
      ref: component['bom-ref'],
      dependsOn: [...new Set(needs)].toSorted(),
    })),
  ],
};
const bom = {
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  serialNumber: serialOf(JSON.stringify(content)),
  version: 1,
  ...content,
};
process.stdout.write(`${JSON.stringify(bom, null, 1)}\n`);
