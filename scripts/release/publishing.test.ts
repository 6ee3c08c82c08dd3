import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { publishing } from './publishing.ts';

const packages = (version: string) =>
  ['', '-client', '-protocol', '-server'].map((name) => `packages/millpond${name}-${version}.tgz`);
const linesOf = (version: string, folder = '/srv/out/millpond') =>
  publishing({
    root: '/srv/millpond',
    commit: 'abc123',
    folder,
    version,
    registry: 'ghcr.io/somebody',
    files: [
      'NOTES.md',
      `chart/millpond-${version}.tgz`,
      ...packages(version),
      'packages/sbom.cdx.json',
      `images/millpond-${version}.tar`,
      `images/millpond-${version}.cdx.json`,
      `images/millpond-nginx-rtmp-${version}.tar`,
    ],
  });

test('every package, image and the chart has its command, the checksums are signed, the commit is tagged', () => {
  expect(linesOf('0.2.0')).toEqual([
    'cd /srv/out/millpond',
    'sha256sum --check --strict SHA256SUMS',
    'gpg --armor --detach-sign SHA256SUMS',
    "git -C /srv/millpond tag --sign v0.2.0 --message 'Millpond 0.2.0' abc123",
    'git -C /srv/millpond push origin v0.2.0',
    'npm publish ./packages/millpond-protocol-0.2.0.tgz --access public',
    'npm publish ./packages/millpond-client-0.2.0.tgz --access public',
    'npm publish ./packages/millpond-server-0.2.0.tgz --access public',
    'npm publish ./packages/millpond-0.2.0.tgz --access public',
    'podman load --input images/millpond-0.2.0.tar',
    'podman push --format v2s2 localhost/millpond:0.2.0 docker://ghcr.io/somebody/millpond:0.2.0',
    'podman load --input images/millpond-nginx-rtmp-0.2.0.tar',
    'podman push --format v2s2 localhost/millpond-nginx-rtmp:0.2.0 docker://ghcr.io/somebody/millpond-nginx-rtmp:0.2.0',
    'helm push chart/millpond-0.2.0.tgz oci://ghcr.io/somebody/charts',
  ]);
});

test('a version before the next one does not become the newest', () => {
  expect(
    linesOf('0.2.0-rc.1')
      .filter((line) => line.startsWith('npm'))
      .join('\n'),
  ).toMatch(/^(?:npm publish .* --tag next\n?){4}$/);
});

test('a shell understands them, whatever the folder is called', () => {
  const folder = "/srv/it's here; $(exit 1)";
  const lines = linesOf('0.2.0', folder).join('\n');
  expect(spawnSync('sh', ['-n'], { input: lines })).toMatchObject({ status: 0 });
  const [, , cd] = spawnSync(
    'sh',
    ['-c', `set -- ${linesOf('0.2.0', folder)[0]}; printf '%s\\0' "$#" "$@"`],
    {
      encoding: 'utf8',
    },
  ).stdout.split('\0');
  expect(cd).toBe(folder);
});
