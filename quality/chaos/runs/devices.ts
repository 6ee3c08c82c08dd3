/**
 * sipp registers cameras at 200 per second, with keepalives and catalogs in two messages. Then the customer's receiver
 * is down for 30 s while half of them vanish. Afterwards every event must have arrived, in order, and the last one must
 * be true.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, freePort, type SippCamera, signedFetch, startSipp } from '@millpond/testing';
import { checkDevices, type ReportedState } from '../checks/devices.ts';
import { Findings } from '../report.ts';
import { type RunContext, withRunEnvironment } from '../run-environment.ts';

const CAMERAS = 2000;
const RATE = 200;
const HEARTBEAT_S = 5;
const DOWN_MS = 30_000;
const EVENT_TIMEOUT_MS = 120_000;
const CREATORS = 16;
const CHECK_INTERVAL_MS = 200;
const SAY_EVERY = 50;
const PASSWORD = 'chaos-camera';

export function runDevices(context: RunContext): Promise<[Findings, object]> {
  return withRunEnvironment(context, async ({ deployment }) => {
    const { options, say } = context;
    const receiver = await startReceiver();
    const sipp: Awaited<ReturnType<typeof startSipp>>[] = [];
    const findings = new Findings();
    try {
      const port = await freePort();
      const account = await deployment.createAccount('devices@example.com');
      const { url } = await deployment.start({
        settings: {
          MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32',
          MILLPOND_SIP_LISTEN: `sip://127.0.0.1:${port}`,
          MILLPOND_SIP_HEARTBEAT: `${HEARTBEAT_S}s`,
        },
      });
      const cameras = camerasOf(options.count ?? CAMERAS);
      await create(url, account, `${receiver.url}/events`, cameras);
      say(`${cameras.length} devices created`);
      const server = { address: '127.0.0.1', port, serverId: '34020000002000000001', realm: '3402000000' };
      const halves = [
        cameras.filter((_, at) => at % 2 === 0),
        cameras.filter((_, at) => at % 2 === 1),
      ] as const;
      const begun = Date.now();
      const heartbeatMs = (HEARTBEAT_S * 1000) / 2;
      for (const half of halves)
        sipp.push(await startSipp({ server, cameras: half, rate: RATE / 2, heartbeatMs }));
      await told(context, receiver.taken, 2 * cameras.length);
      const onlineMs = Date.now() - begun;
      say(`${receiver.taken.length} events reported in ${onlineMs} ms`);
      for (const each of sipp)
        for (let failed = await each.failures(); failed > 0; failed--)
          findings.add('failed', 'a request of sipp');

      receiver.isDown = true;
      await sipp[0]?.vanish();
      say('half of them vanished, and the receiver is down');
      await sleep(DOWN_MS, undefined, { signal: context.signal });
      receiver.isDown = false;
      const back = Date.now();
      await told(context, receiver.taken, 3 * cameras.length);
      const recoveredMs = Date.now() - back;
      // Events that should not have been sent would arrive now.
      await sleep(HEARTBEAT_S * 1000, undefined, { signal: context.signal });
      const repeated = checkDevices(receiver.taken, expectedOf(halves), findings);
      return [
        findings,
        { acknowledged: 3 * cameras.length, cameras: cameras.length, repeated, onlineMs, recoveredMs },
      ];
    } finally {
      for (const each of sipp) await each.vanish();
      await receiver.close();
    }
  });
}

function camerasOf(count: number): SippCamera[] {
  const id = (type: string, number: number) => `3402000000${type}${String(number).padStart(7, '0')}`;
  return Array.from({ length: count }, (_, at) => ({
    gbid: id('132', at + 1),
    password: PASSWORD,
    channels: [id('131', 2 * at + 1), id('131', 2 * at + 2)],
  }));
}

/** For each camera: itself and the channel that is on. */
function expectedOf([vanished, stayed]: readonly [readonly SippCamera[], readonly SippCamera[]]) {
  const of = (cameras: readonly SippCamera[], states: string[]) =>
    cameras.flatMap(({ gbid, channels: [on] }) =>
      [`${gbid}/`, `${gbid}/${on}`].map((key) => [key, states] as const),
    );
  return new Map([...of(vanished, ['online', 'offline']), ...of(stayed, ['online'])]);
}

async function create(
  url: string,
  account: Account,
  callback: string,
  cameras: readonly SippCamera[],
): Promise<void> {
  const post = async (path: string, body: object) => {
    const answer = await signedFetch(url, account, path, {
      body: JSON.stringify(body),
      contentType: 'application/json',
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { id: string };
  };
  const { id } = await post('/v1/namespaces', { name: 'cameras', accessType: 'gb28181', callback });
  const left = [...cameras];
  const work = async () => {
    for (let camera = left.pop(); camera !== undefined; camera = left.pop())
      await post(`/v1/namespaces/${id}/devices`, { gbId: camera.gbid, password: camera.password });
  };
  await Promise.all(Array.from({ length: CREATORS }, work));
}

/** Waits for this many different events; the check finds what is missing then. */
async function told(
  { signal, say }: RunContext,
  taken: readonly ReportedState[],
  count: number,
): Promise<void> {
  const end = Date.now() + EVENT_TIMEOUT_MS;
  for (let looks = 1; Date.now() < end; looks++) {
    const different = new Set(taken.map(({ id }) => id)).size;
    if (different >= count) return;
    if (looks % SAY_EVERY === 0) say(`${different} of ${count} events reported`);
    await sleep(CHECK_INTERVAL_MS, undefined, { signal });
  }
}

async function startReceiver() {
  const taken: ReportedState[] = [];
  const server = createServer((request, response) => {
    if (receiver.isDown) return void request.socket.destroy();
    buffer(request).then(
      (body) => {
        taken.push({
          ...(JSON.parse(body.toString()) as ReportedState),
          id: String(request.headers['webhook-id']),
        });
        response.writeHead(200).end();
      },
      () => response.destroy(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    isDown: false,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return receiver;
}
