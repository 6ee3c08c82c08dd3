/**
 * Where the machines of a cluster are. Together on 127.0.0.1, or each in a network of its own behind a cable that can be
 * pulled: then nothing is refused and nothing is answered, which no signal to a process can do.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface Network {
  addressOf(machine: number): string;
  /** What a command is put behind to run there. */
  within(machine: number): readonly string[];
  cut(machine: number): Promise<void>;
  join(machine: number): Promise<void>;
  remove(): Promise<void>;
}

const run = promisify(execFile);
const ip = (...args: string[]) => run('ip', args);

export const sharedNetwork: Network = {
  addressOf: () => '127.0.0.1',
  within: () => [],
  cut: () => Promise.reject(new Error('machines that share a network can’t be cut off')),
  join: () => Promise.resolve(),
  remove: () => Promise.resolve(),
};

/** Names and addresses carry this process's id, so that two runs do not meet. */
export async function createNetworks(machines: readonly number[]): Promise<Network> {
  const id = process.pid % 0xffff;
  const subnet = `10.${200 + (id % 50)}.${(id >> 6) % 250}`;
  const bridge = `mpb${id.toString(16)}`;
  const spaceOf = (machine: number) => `mp${id.toString(16)}-${machine}`;
  const cableOf = (machine: number) => `mpc${id.toString(16)}${machine}`;
  const network: Network = {
    addressOf: (machine) => `${subnet}.${machine + 10}`,
    within: (machine) => ['ip', 'netns', 'exec', spaceOf(machine)],
    cut: async (machine) => void (await ip('link', 'set', cableOf(machine), 'down')),
    join: async (machine) => void (await ip('link', 'set', cableOf(machine), 'up')),
    async remove() {
      // The other end of a cable goes with its network.
      for (const machine of machines) await ip('netns', 'del', spaceOf(machine)).catch(() => undefined);
      await ip('link', 'del', bridge).catch(() => undefined);
    },
  };
  try {
    await ip('link', 'add', bridge, 'type', 'bridge');
    await ip('addr', 'add', `${subnet}.1/24`, 'dev', bridge);
    await ip('link', 'set', bridge, 'up');
    for (const machine of machines) {
      const [space, cable] = [spaceOf(machine), cableOf(machine)];
      await ip('netns', 'add', space);
      await ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
      await ip('link', 'set', cable, 'master', bridge, 'up');
      const inside = ['-n', space];
      await ip(...inside, 'addr', 'add', `${network.addressOf(machine)}/24`, 'dev', 'eth0');
      for (const device of ['lo', 'eth0']) await ip(...inside, 'link', 'set', device, 'up');
    }
    return network;
  } catch (error) {
    await network.remove();
    throw error;
  }
}
