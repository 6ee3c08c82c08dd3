/**
 * Malformed SIP messages, most over UDP, some over TCP, next to a camera that carries on as usual: the server must
 * neither exit nor grow.
 */
import { readFile } from 'node:fs/promises';
import { floodTcp, floodUdp, freePort, fuzzedSip, openCamera, signedFetch } from '@millpond/testing';
import { Findings } from '../report.ts';
import { type RunContext, withRunEnvironment } from '../run-environment.ts';

const MESSAGES = 300_000;
const ROUNDS = 6;
/** One in this many goes over TCP, where each costs a connection. */
const TCP_SHARE = 50;
const OWN_SHARE = 50;
/** A heap that is collected late is not a leak; one that grows in every round is. */
const MAX_GROWTH_MB = 32;
const PASSWORD = 'chaos-camera';

export function runSipFuzz(context: RunContext): Promise<[Findings, object]> {
  return withRunEnvironment(context, async ({ deployment }) => {
    const { options, say } = context;
    const findings = new Findings();
    const port = await freePort();
    const account = await deployment.createAccount('fuzz@example.com');
    const server = await deployment.start({
      settings: {
        MILLPOND_SIP_LISTEN: `sip://127.0.0.1:${port}`,
        // All of it must be read.
        MILLPOND_SIP_REQUESTS_PER_ADDRESS: '999999999+999999999/m',
        // So small that garbage is collected early, and retained memory shows.
        NODE_OPTIONS: '--max-old-space-size=96',
      },
    });
    const sip = { address: '127.0.0.1', port, serverId: '34020000002000000001', realm: '3402000000' };
    const gbid = '34020000001320000001';
    const post = async (path: string, body: object) =>
      (await signedFetch(server.url, account, path, {
        body: JSON.stringify(body),
        contentType: 'application/json',
      }).then((answer) => answer.json())) as { id: string };
    const { id } = await post('/v1/namespaces', { name: 'fuzzed', accessType: 'gb28181' });
    await post(`/v1/namespaces/${id}/devices`, { gbId: gbid, password: PASSWORD });
    const camera = await openCamera(sip, { gbid, password: PASSWORD });
    const count = options.count ?? MESSAGES;
    const perRound = Math.ceil(count / ROUNDS);
    const memory: number[] = [];
    try {
      if ((await camera.register()).status !== 200) throw new Error('the camera was refused');
      for (let round = 0; round < ROUNDS; round++) {
        const random = context.random.fork(`round ${round}`);
        const messages = (some: number) =>
          (function* () {
            for (let n = 0; n < some; n++) yield fuzzedSip(() => random.next(), sip);
          })();
        const overTcp = Math.floor(perRound / TCP_SHARE);
        await floodUdp(sip, messages(perRound - overTcp));
        await floodTcp(sip, messages(overTcp));
        // From the camera itself, whose messages are parsed further than a stranger's.
        for (let n = 0; n < perRound / OWN_SHARE; n++)
          await camera.raw(
            fuzzedSip(() => random.next(), sip, gbid),
            0,
          );
        const { status } = await camera.keepalive();
        if (status !== 200) findings.add('failed', `the camera was answered ${status}`);
        memory.push(await residentMb(server.pid));
        say(`${(round + 1) * perRound} messages, ${memory.at(-1)} MB`);
      }
    } catch (error) {
      if (context.signal.aborted) throw error;
      findings.add('failed', (error as Error).message);
    } finally {
      await camera.close();
    }
    const [, second = 0] = memory;
    const growth = (memory.at(-1) ?? 0) - second;
    if (growth > MAX_GROWTH_MB)
      findings.add('failed', `grew by ${growth} MB after the second of ${ROUNDS} rounds`);
    return [findings, { acknowledged: memory.length * perRound, memoryMb: memory }];
  });
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}
