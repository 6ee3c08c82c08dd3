/** The lists of what the images consist of, beside what is in them. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { imageNames, ROOT } from './containerfile.ts';
import { inImage } from './containers.ts';

interface Component {
  readonly type: string;
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly (
    | { readonly license: { readonly id?: string; readonly name?: string } }
    | { readonly expression: string }
  )[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

interface Bom {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const { version: VERSION } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
};
const lock = JSON.parse(await readFile(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { version?: string }>;
};
const names = await imageNames();
const OURS = [names.millpond, names.media];
const isNpm = ({ purl }: Component) => purl.startsWith('pkg:npm/');
const isDebian = ({ purl }: Component) => purl.startsWith('pkg:deb/debian/');

describe.each(Object.values(names))('%s', (image) => {
  let bom: Bom;
  beforeAll(async () => {
    bom = JSON.parse(await inImage(image, 'cat /usr/share/doc/sbom.cdx.json')) as Bom;
  });

  test('has the form of CycloneDX 1.6', () => {
    expect(bom).toEqual({
      $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      serialNumber: expect.stringMatching(
        /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      version: 1,
      metadata: {
        component: {
          type: 'container',
          'bom-ref': expect.any(String),
          name: image.split(':')[0],
          version: VERSION,
        },
      },
      components: expect.any(Array),
      dependencies: expect.any(Array),
    });
    for (const component of bom.components) {
      expect(component).toMatchObject({
        type: expect.stringMatching(/^(?:library|platform)$/),
        name: expect.stringMatching(/./),
        version: expect.stringMatching(/./),
        purl: expect.stringMatching(/^pkg:(?:npm|deb|generic)\/[\w.~%/-]+@[\w.~%-]+(?:\?[\w.=&-]+)?$/),
      });
      expect([component.name, component.licenses.length > 0]).toEqual([component.name, true]);
      // Either one expression, or licences that each have an identifier or a name.
      for (const licence of component.licenses)
        if ('expression' in licence) expect(component.licenses).toHaveLength(1);
        else expect(Object.keys(licence.license)).toHaveLength(1);
    }
    const references = bom.components.map((component) => component['bom-ref']);
    expect(new Set(references).size).toBe(references.length);
    const [root, ...others] = bom.dependencies;
    expect(root?.dependsOn.length).toBeGreaterThan(0);
    expect(others.map(({ ref }) => ref)).toEqual(references);
    const known = new Set(references);
    expect(bom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((each) => !known.has(each))).toEqual(
      [],
    );
  });

  test('names what dpkg has installed, with licences where Debian says them', async () => {
    const installed = await inImage(image, `dpkg-query -W -f '\${Package} \${Version}\\n'`);
    const debian = bom.components.filter(isDebian);
    expect(debian.map(({ name, version }) => `${name} ${version}`).toSorted()).toEqual(
      installed.trim().split('\n').toSorted(),
    );
    const bare = debian.filter(({ licenses }) => JSON.stringify(licenses).includes('NOASSERTION'));
    // Free text that refers to no common licence: a few of X11 and the like.
    expect(bare.length / debian.length).toBeLessThan(0.3);
    const { licenses } = debian.find(({ name }) => name === 'dpkg') ?? {};
    expect(licenses).toContainEqual({ license: { name: 'GPL-2+' } });
  });
});

describe.each(OURS)('%s', (image) => {
  let bom: Bom;
  beforeAll(async () => {
    bom = JSON.parse(await inImage(image, 'cat /usr/share/doc/sbom.cdx.json')) as Bom;
  });
  const isBundled = ({ properties }: Component) => properties !== undefined;

  test('has every package of npm in the version of the project’s lock, and every package that is there', async () => {
    const versions = new Map<string, Set<string>>();
    for (const [place, { version }] of Object.entries(lock.packages)) {
      const name = place.split('node_modules/').at(-1) ?? '';
      if (version !== undefined) versions.set(name, (versions.get(name) ?? new Set()).add(version));
    }
    const npm = bom.components.filter(isNpm);
    const others = npm.filter(({ name }) => !/^(?:@millpond\/|millpond$)/.test(name));
    expect(others.length).toBeGreaterThan(80);
    expect(others.filter(({ name, version }) => !versions.get(name)?.has(version))).toEqual([]);
    expect(npm.filter(({ licenses }) => JSON.stringify(licenses).includes('NOASSERTION'))).toEqual([]);
    const found = await inImage(
      image,
      `cd /opt/millpond && find node_modules -path '*node_modules/*/package.json' | grep -E 'node_modules/(@[^/]+/)?[^/]+/package.json$' | xargs dirname`,
    );
    expect(
      npm
        .filter((each) => !isBundled(each))
        .map((each) => each['bom-ref'])
        .toSorted(),
    ).toEqual(found.trim().split('\n').toSorted());
  });

  test('has what the pages are made of, Node, and what needs what', () => {
    const bundled = bom.components.filter(isBundled).map(({ name }) => name);
    for (const name of [
      'react',
      'react-dom',
      'hls.js',
      'uplot',
      'lucide-react',
      '@fontsource-variable/inter',
    ])
      expect(bundled).toContain(name);
    const purls = bom.components.map(({ purl }) => purl);
    expect(purls).toContain(`pkg:npm/%40millpond/server@${VERSION}`);
    expect(purls.filter((purl) => purl.startsWith('pkg:deb/debian/libstdc%2B%2B6@'))).toHaveLength(1);
    expect(purls.filter((purl) => purl.startsWith('pkg:generic/node@'))).toHaveLength(1);
    const needs = (reference: string) => bom.dependencies.find(({ ref }) => ref === reference)?.dependsOn;
    expect(needs('node_modules/@millpond/server')).toEqual(
      expect.arrayContaining(['node_modules/find-my-way', 'node_modules/@millpond/server/console/react']),
    );
    expect(needs('debian/bubblewrap')).toContain('debian/libc6');
    expect(purls.some((purl) => purl.startsWith('pkg:deb/debian/ffmpeg@'))).toBe(image === names.media);
  });
});
