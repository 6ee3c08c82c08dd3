/** The commands that publish a release, for a shell. */
import path from 'node:path';

export interface Publishing {
  /** The checkout, and the commit of it. */
  readonly root: string;
  readonly commit: string;
  readonly folder: string;
  readonly version: string;
  /** Names of everything in the folder. */
  readonly files: readonly string[];
  readonly registry: string;
}

/** Each needs those before it. */
const PACKAGES = ['millpond-protocol', 'millpond-client', 'millpond-server', 'millpond'];

export function publishing({ root, commit, folder, version, files, registry }: Publishing): string[] {
  const git = `git -C ${quoted(root)}`;
  const tag = `v${version}`;
  // npm takes what it publishes for the newest version, also if there is a newer one.
  const early = version.includes('-') ? ' --tag next' : '';
  const images = files.filter((file) => /^images\/.*\.tar$/.test(file));
  return [
    `cd ${quoted(folder)}`,
    'sha256sum --check --strict SHA256SUMS',
    'gpg --armor --detach-sign SHA256SUMS',
    `${git} tag --sign ${tag} --message ${quoted(`Millpond ${version}`)} ${commit}`,
    `${git} push origin ${tag}`,
    ...PACKAGES.map((name) => `npm publish ./packages/${name}-${version}.tgz --access public${early}`),
    ...images.flatMap((file) => {
      const name = `${path.basename(file, `-${version}.tar`)}:${version}`;
      return [
        `podman load --input ${file}`,
        // The other format has no health checks.
        `podman push --format v2s2 localhost/${name} docker://${registry}/${name}`,
      ];
    }),
    `helm push chart/millpond-${version}.tgz oci://${registry}/charts`,
  ];
}

function quoted(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
