/**
 * The bases of the images made of Debian's packages and the packaged Node, under the names that the Containerfile gives them: for machines that
 * reach no registry, such as those of CI. Needs root.
 */
import { execFile } from 'node:child_process';
import { access, copyFile, cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { baseNames, ROOT } from './containerfile.ts';

const run = promisify(execFile);
const shell = (script: string, ...values: readonly string[]) =>
  run('bash', ['-euo', 'pipefail', '-c', script, 'bash', ...values], { maxBuffer: 64 * 2 ** 20 });

const FOLDER = path.join(ROOT, '.build/image-bases');
const PATH = 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';

export async function makeBases(say: (line: string) => void): Promise<void> {
  const debian = path.join(FOLDER, 'debian');
  const node = path.join(FOLDER, 'node');
  if (!(await access(path.join(debian, 'complete')).then(...asFound))) {
    say('making the base of Debian’s packages');
    await rm(FOLDER, { recursive: true, force: true });
    await mkdir(FOLDER, { recursive: true });
    await makeDebian(debian);
    await makeNode(debian, node);
    await shell('touch "$1/complete"', debian);
  }
  const names = await baseNames();
  await importBase(debian, names.debian);
  await importBase(node, names.node, `ENV NODE_EXTRA_CA_CERTS=${AUTHORITIES}`);
}

const asFound = [() => true, () => false] as const;

/** Like the slim image: no documents but licences, no manuals, no translations. */
async function makeDebian(folder: string): Promise<void> {
  await shell(
    `debootstrap --variant=minbase --include=ca-certificates bookworm "$1" "\${2:-http://deb.debian.org/debian}"
     rm -rf "$1"/var/cache/apt/archives/*.deb "$1"/var/cache/apt/*.bin "$1"/var/lib/apt/lists/*
     find "$1/usr/share/doc" -type f ! -name copyright -delete
     rm -rf "$1"/usr/share/man/* "$1"/usr/share/locale/* "$1"/usr/share/info/*`,
    folder,
    process.env.MILLPOND_DEBIAN_MIRROR ?? '',
  );
  // How this machine reaches the world, which a registry's image would get from its engine. It stays in what is built on it: not for publishing.
  for (const file of ['/etc/resolv.conf', AUTHORITIES]) await copyFile(file, path.join(folder, file));
}

async function makeNode(debian: string, folder: string): Promise<void> {
  await shell('cp -a "$1" "$2"', debian, folder);
  const { node: name } = await baseNames();
  if (!name.includes(`:${process.versions.node}-`))
    throw new Error(`this Node is ${process.versions.node}, and ${name} has another: run it by npm`);
  await copyFile(process.execPath, path.join(folder, 'usr/local/bin/node'));
  await copyLicence(folder);
  const { stdout } = await shell('dirname "$(dirname "$(readlink -f "$(command -v npm)")")"');
  const modules = path.join(folder, 'usr/local/lib/node_modules');
  await cp(stdout.trim(), path.join(modules, 'npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, path.join(folder, 'usr/local/bin', name));
  await shell(
    'chroot "$1" sh -c "apt-get update -qq && apt-get install -y -qq --no-install-recommends libatomic1 libstdc++6"',
    folder,
  );
}

/** Where the image of docker.io has it. The package of npm that brought this Node here left it behind. */
async function copyLicence(folder: string): Promise<void> {
  const name = `node-${process.platform}-${process.arch}@${process.versions.node}`;
  await shell(
    `cd "$(mktemp -d)"
     tar -xzf "$(npm pack --silent "$1")" package/LICENSE && install -m 644 package/LICENSE "$2/usr/local/LICENSE"
     rm -rf "$PWD"`,
    name,
    folder,
  );
}

/** Once: every import is another image, with the time of its own in its history. */
async function importBase(folder: string, name: string, ...changes: readonly string[]): Promise<void> {
  const imported = `${folder}.id`;
  const { stdout: now } = await shell('podman image inspect --format {{.Id}} "$1" || true', name);
  if (now.trim() !== '' && now.trim() === (await readFile(imported, 'utf8').catch(() => ''))) return;
  const flags = [PATH, ...changes].flatMap((change) => ['--change', change]);
  await shell(
    'folder="$1"; name="$2"; shift 2; tar -C "$folder" -c . | podman import "$@" - "$name"',
    folder,
    name,
    ...flags,
  );
  const { stdout: made } = await shell('podman image inspect --format {{.Id}} "$1"', name);
  await writeFile(imported, made.trim());
}
