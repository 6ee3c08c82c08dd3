/**
 * Writes what an image consists of to standard output, as CycloneDX 1.6: Node, the packages of npm and those of Debian, each with its
 * version and, where it says so, its licence. Runs while the image is built: node sbom.js <folder of the packages>
 */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const [folder = '/opt/millpond'] = process.argv.slice(2);

/** @param {string | undefined} licence */
const licencesOf = (licence) => (licence ? { licenses: [licenceOf(licence)] } : {});
/** @param {string} licence */
const licenceOf = (licence) =>
  /^[A-Za-z0-9.+-]+$/.test(licence) ? { license: { id: licence } } : { expression: licence };

function npmComponents() {
  const lock = JSON.parse(readFileSync(path.join(folder, 'node_modules/.package-lock.json'), 'utf8'));
  return Object.entries(lock.packages)
    .filter(([place]) => statSync(path.join(folder, place), { throwIfNoEntry: false }))
    .map(([place, { version, license }]) => {
      const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
      return { type: 'library', name, version, ...licencesOf(license), purl };
    });
}

function debianComponents() {
  const { VERSION_CODENAME } = environmentOf('/etc/os-release');
  return readFileSync('/var/lib/dpkg/status', 'utf8')
    .split('\n\n')
    .map((record) => ({
      name: fieldOf(record, 'Package'),
      version: fieldOf(record, 'Version'),
      arch: fieldOf(record, 'Architecture'),
    }))
    .filter(({ name }) => name !== '')
    .map(({ name, version, arch }) => ({
      type: 'library',
      name,
      version,
      // Its licences are in /usr/share/doc/<name>/copyright.
      purl: `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${arch}&distro=${VERSION_CODENAME}`,
    }));
}

/** @param {string} record @param {string} field */
function fieldOf(record, field) {
  return new RegExp(`^${field}: (.*)$`, 'm').exec(record)?.[1] ?? '';
}

/** @param {string} file */
function environmentOf(file) {
  const lines = readFileSync(file, 'utf8').matchAll(/^(\w+)="?(.*?)"?$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
}

const own = JSON.parse(readFileSync(path.join(folder, 'node_modules/millpond/package.json'), 'utf8'));
const node = process.versions.node;
const bom = {
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: {
    component: { type: 'container', name: 'millpond', version: own.version, ...licencesOf(own.license) },
  },
  components: [
    { type: 'platform', name: 'node', version: node, purl: `pkg:generic/node@${node}` },
    ...npmComponents(),
    ...debianComponents(),
  ],
};
process.stdout.write(`${JSON.stringify(bom, null, 1)}\n`);
