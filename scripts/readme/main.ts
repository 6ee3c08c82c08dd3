/**
 * Runs the commands of the README's first page, exactly as printed, in a shell, in a clean clone of the checkout, and
 * shows that the downloaded file equals the uploaded one, that a task succeeds, and that an access token is issued.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { blocksOf } from '../guides/blocks.ts';

const MAX_COMMANDS = 6;
const root = path.join(import.meta.dirname, '../..');
const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

const [first, second] = blocksOf(readme);
if (first === undefined || second === undefined) throw new Error('README.md has too few commands');
const { commands } = first;
if (commands.length > MAX_COMMANDS) throw new Error(`the first page has ${commands.length} commands`);

const MARK = '\u0001over HTTPS\n';
const script = [...commands, `printf '\\001over HTTPS\\n'`, ...second.commands].join('\n');
const folder = mkdtempSync(path.join(tmpdir(), 'readme-'));
// The sandbox's programs run as another user, who must be able to reach them.
chmodSync(folder, 0o755);
const checkout = path.join(folder, 'millpond');
// Its own engines next to the caller's; the commands themselves stay as printed. No tool of this checkout is available.
const environment = {
  PATH: (process.env.PATH ?? '')
    .split(':')
    .filter((entry) => !entry.includes('node_modules'))
    .join(':'),
  HOME: process.env.HOME,
  MILLPOND_ENGINES_PG_PORT: '26432',
  MILLPOND_ENGINES_CEPH_MON_PORT: '26300',
  MILLPOND_ENGINES_S3_PORT: '26480',
  MILLPOND_ENGINES_RTMP_PORT: '26935',
  MILLPOND_ENGINES_RTMP_HTTP_PORT: '26800',
  MILLPOND_ENGINES_OSD_SIZE: '3G',
};

execFileSync('git', ['clone', '--quiet', root, checkout]);
const shell = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
  cwd: checkout,
  env: environment,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
const pid = /\(pid (\d+)/.exec(shell.stdout)?.[1];
if (pid !== undefined) spawnSync('kill', [pid]);
spawnSync('npm', ['run', '--silent', 'engines', '--', 'destroy'], {
  cwd: checkout,
  env: environment,
  stdio: 'inherit',
});
const committed = readFileSync(path.join(checkout, 'README.md'), 'utf8');
rmSync(folder, { recursive: true, force: true });

process.stdout.write(shell.stdout.slice(0, 2000));
if (shell.status !== 0) throw new Error(`the commands of the first page exited with ${shell.status}`);
const [before = '', overTls = ''] = shell.stdout.split(MARK);
if (!before.endsWith(committed)) throw new Error('what was downloaded is not what was uploaded');
if (!overTls.includes('→ readme.md5')) throw new Error(`the task had no result: ${overTls}`);
if (!/"access_token":"[^"]+"/.test(overTls)) throw new Error(`no access token was returned: ${overTls}`);
console.log(`\nthe ${commands.length + second.commands.length} commands of the first page work as printed`);
