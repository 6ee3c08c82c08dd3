/**
 * The machines' own network, with the very addresses of the page: it is behind a router in a namespace of its own, so that they meet no others. To the
 * outside it leads through a user's process, which needs no rule on this machine; 10.0.2.2 is this machine's loopback.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ip = (...args: readonly string[]) => run('ip', args);

/** Options of setpriv: what it starts ends with this process, however that ends. */
export const UNTIL_WE_END = ['--pdeathsig', 'KILL'];

export interface Network {
  /** The namespace of a machine. */
  of(machine: string): string;
  /** Nothing that is sent to it is answered any more, not even refused. */
  cut(machine: string): Promise<void>;
  /** As it was at first: nothing of what a machine set up in it is left, such as the floating address or a firewall. */
  renew(machine: string): Promise<void>;
  remove(): Promise<void>;
}

export async function createNetwork(addresses: ReadonlyMap<string, string>): Promise<Network> {
  const id = process.pid.toString(36);
  const router = `mps${id}`;
  const of = (machine: string) => `mps${id}-${machine}`;
  let outside: ChildProcess | undefined;
  const remove = async () => {
    outside?.kill();
    for (const space of [...[...addresses.keys()].map(of), router])
      await ip('netns', 'del', space).catch(() => undefined);
  };
  const inRouter = (...command: readonly string[]) => run('ip', ['netns', 'exec', router, ...command]);
  const unplug = async (machine: string) => {
    await inRouter('ip', 'link', 'del', `to-${machine}`).catch(() => undefined);
    await ip('netns', 'del', of(machine)).catch(() => undefined);
  };
  const plug = async (machine: string) => {
    const space = of(machine);
    await ip('netns', 'add', space);
    await inRouter(
      'ip',
      'link',
      'add',
      `to-${machine}`,
      'type',
      'veth',
      'peer',
      'name',
      'eth0',
      'netns',
      space,
    );
    await inRouter('ip', 'link', 'set', `to-${machine}`, 'master', 'lan', 'up');
    for (const device of ['lo', 'eth0']) await ip('-n', space, 'link', 'set', device, 'up');
    await ip('-n', space, 'addr', 'add', `${addresses.get(machine) ?? ''}/24`, 'dev', 'eth0');
    await ip('-n', space, 'route', 'replace', 'default', 'via', '10.0.0.1');
  };
  try {
    await ip('netns', 'add', router);
    outside = await leadOutside(router);
    await inRouter('ip', 'link', 'add', 'lan', 'type', 'bridge');
    await inRouter('ip', 'addr', 'add', '10.0.0.1/24', 'dev', 'lan');
    await inRouter('ip', 'link', 'set', 'lan', 'up');
    await inRouter('sysctl', '-q', '-w', 'net.ipv4.ip_forward=1');
    await inRouter(
      'iptables',
      '-t',
      'nat',
      '-A',
      'POSTROUTING',
      '-s',
      '10.0.0.0/24',
      '-o',
      'tap0',
      '-j',
      'MASQUERADE',
    );
    for (const machine of addresses.keys()) await plug(machine);
    return {
      of,
      cut: async (machine) => void (await inRouter('ip', 'link', 'set', `to-${machine}`, 'down')),
      async renew(machine) {
        await unplug(machine);
        await plug(machine);
      },
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function leadOutside(router: string): Promise<ChildProcess> {
  const child = spawn(
    'setpriv',
    [
      ...UNTIL_WE_END,
      'slirp4netns',
      '--configure',
      '--mtu=1500',
      '--ready-fd=3',
      '--netns-type=path',
      `/run/netns/${router}`,
      'tap0',
    ],
    { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] },
  );
  const ready = child.stdio[3];
  if (!ready) throw new Error('slirp4netns has no way to say that it is ready');
  await Promise.race([
    once(ready, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('slirp4netns ended'))),
  ]);
  return child;
}
