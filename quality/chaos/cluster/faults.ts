/** What happens to a machine of the cluster, and how it comes back. */
import type { Machine } from './machine.ts';
import type { Network } from './network.ts';

export interface FailoverFault {
  /** Who is hit. */
  readonly victim: 'primary' | 'synchronous';
  /** Whether another machine has to take over. */
  readonly moves: boolean;
  readonly needsNetworks?: true;
  readonly strike: (machine: Machine, network: Network) => Promise<void>;
  readonly mend: (machine: Machine, network: Network) => Promise<void>;
}

const nothing = () => Promise.resolve();

async function killDatabase(machine: Machine): Promise<void> {
  await machine.patroni.kill();
  await machine.signalPostgres('SIGKILL');
}

async function hang(machine: Machine): Promise<void> {
  machine.patroni.signal('SIGSTOP');
  machine.etcd.signal('SIGSTOP');
  await machine.signalPostgres('SIGSTOP');
}

async function goOn(machine: Machine): Promise<void> {
  await machine.signalPostgres('SIGCONT');
  machine.etcd.signal('SIGCONT');
  machine.patroni.signal('SIGCONT');
}

const restartPatroni = async (machine: Machine) => machine.patroni.start();

export const faults = {
  kill: { victim: 'primary', moves: true, strike: killDatabase, mend: restartPatroni },
  machine: {
    victim: 'primary',
    moves: true,
    async strike(machine) {
      await Promise.all([killDatabase(machine), machine.etcd.kill()]);
    },
    async mend(machine) {
      machine.etcd.start();
      machine.patroni.start();
    },
  },
  pause: { victim: 'primary', moves: true, strike: hang, mend: goOn },
  partition: {
    victim: 'primary',
    moves: true,
    needsNetworks: true,
    strike: (machine, network) => network.cut(machine.number),
    mend: (machine, network) => network.join(machine.number),
  },
  crash: {
    victim: 'primary',
    moves: false,
    strike: (machine) => machine.signalPostgres('SIGKILL'),
    mend: nothing,
  },
  switchover: { victim: 'primary', moves: true, strike: (machine) => machine.switchOver(), mend: nothing },
  standby: { victim: 'synchronous', moves: false, strike: killDatabase, mend: restartPatroni },
  'standby-pause': { victim: 'synchronous', moves: false, strike: hang, mend: goOn },
} as const satisfies Record<string, FailoverFault>;

export type FaultName = keyof typeof faults;
