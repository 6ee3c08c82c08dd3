/** Everything that can break at a site. */
import { engineCommand } from '@millpond/engines';
import { BROKEN_STATES } from './link.ts';
import type { Fault } from './nemesis.ts';
import type { Process, Site } from './site.ts';

/** Longer than the time in which an upload must be committed: what was held up for so long may not take effect. */
const LONG_MS = 9000;
const OSDS = ['0', '1', '2'];

export function faultsOf(site: Site, store: 's3' | 'disk'): Fault[] {
  return [
    ...site.processes.flatMap((each) => [...faultsOfProcess(each), ...faultsOfLinks(each)]),
    ...faultsOfDatabase(site),
    ...faultsOfFront(site),
    ...Object.entries(site.volumes).flatMap(([name, volume]) => ({
      name: `volume of ${name}: full`,
      strike: () => volume.fill(),
      async mend() {
        volume.free();
        // Without room for its log PostgreSQL ends, and somebody starts it again, such as systemd.
        if (name === 'PostgreSQL') await site.database.start();
      },
    })),
    ...(store === 's3' ? [...OSDS.flatMap((osd) => faultsOfCeph('osd', osd)), ...faultsOfCeph('ceph')] : []),
  ];
}

function faultsOfProcess({ name, server }: Process): Fault[] {
  const toggle = () => server.signal('SIGUSR2');
  return [
    { name: `${name}: kill`, strike: () => server.kill(), mend: () => server.startAgain() },
    {
      name: `${name}: hang`,
      strike: () => server.signal('SIGSTOP'),
      mend: () => server.signal('SIGCONT'),
      maxMs: LONG_MS,
    },
    { name: `${name}: clock jump`, strike: toggle, mend: toggle, maxMs: LONG_MS },
  ];
}

function faultsOfLinks({ name, links }: Process): Fault[] {
  return Object.entries(links).flatMap(([to, link]) =>
    BROKEN_STATES.map((state) => ({
      name: `${name} to ${to}: ${state}`,
      strike: () => link.set(state),
      mend: () => link.set('open'),
      longestMs: LONG_MS,
    })),
  );
}

function faultsOfDatabase({ database }: Site): Fault[] {
  return [
    { name: 'PostgreSQL: kill', strike: () => database.kill(), mend: () => database.start() },
    {
      name: 'PostgreSQL: hang',
      strike: () => database.pause(),
      mend: () => database.resume(),
      maxMs: LONG_MS,
    },
  ];
}

function faultsOfFront({ front }: Site): Fault[] {
  return [
    { name: 'nginx: kill', strike: () => front.signal('SIGKILL'), mend: () => front.startAgain() },
    {
      name: 'nginx: hang',
      strike: () => front.signal('SIGSTOP'),
      mend: () => front.signal('SIGCONT'),
      maxMs: LONG_MS,
    },
  ];
}

/** Faults of one storage daemon, or of the whole cluster. */
function faultsOfCeph(...victim: ['osd', string] | ['ceph']): Fault[] {
  const [kind, number] = victim;
  const does = (what: string) => async () => {
    await engineCommand(kind, what, ...(number === undefined ? [] : [number]));
  };
  const healthy = async () => {
    await engineCommand('wait');
  };
  const name = number === undefined ? 'Ceph' : `osd.${number}`;
  return [
    { name: `${name}: kill`, strike: does('kill'), mend: () => does('start')().then(healthy) },
    {
      name: `${name}: hang`,
      strike: does('pause'),
      mend: () => does('resume')().then(healthy),
      maxMs: LONG_MS,
    },
  ];
}
