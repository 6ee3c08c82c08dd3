/** The checks that `millpond doctor` runs on the engines of live streams and on the port for devices. */
import { errorReason } from '@millpond/base';
import type { Config } from './config/config.ts';
import type { Diagnosis } from './diagnosis.ts';
import { type Listening, whoListens } from './listening.ts';
import { OUTDATED_ENGINE, openEngine } from './live/streams/index.ts';
import { RTMP_ENGINE_HINT, SIP_PORT_HINT } from './platform/hints.ts';
import { isRtmpInstalled, RTMP_PACKAGES } from './rtmp-engine.ts';

const RESPONSE_TIMEOUT_MS = 5000;
const RTMP_PORT = 1935;

export async function diagnoseLive(config: Config): Promise<Diagnosis[]> {
  if (config.liveEngines.length === 0) return [await withoutEngines()];
  const engines = config.liveEngines.map((engine) => diagnoseEngine(engine, config.liveHookSecret));
  return Promise.all([...engines, diagnosePublishers(config)]);
}

async function withoutEngines(): Promise<Diagnosis> {
  const remedy = (await isRtmpInstalled())
    ? 'nginx with its RTMP module is installed here: docs/live.md says how to run it as an engine'
    : `apt-get install ${RTMP_PACKAGES.join(' ')}; docs/live.md says how to run it as an engine`;
  return {
    check: 'live streams',
    state: 'skipped',
    said: 'live is off: MILLPOND_LIVE_ENGINES names no engine',
    remedy,
  };
}

async function diagnoseEngine(
  { id, kind, url }: Config['liveEngines'][number],
  secret: string | undefined,
): Promise<Diagnosis> {
  const check = `live engine ${id}`;
  const { client } = openEngine(id, kind, url, secret);
  try {
    const { publishers } = await client.state();
    if (!(await client.isOutdated()))
      return { check, state: 'good', said: `answers, ${publishers.length} publishing` };
    const [said = '', remedy = ''] = OUTDATED_ENGINE.split(': ');
    return { check, state: 'bad', said, remedy };
  } catch (error) {
    const said = `does not answer at ${url}: ${errorReason(error)}`;
    return { check, state: 'bad', said, remedy: RTMP_ENGINE_HINT };
  }
}

/** The address that publishers are given. */
async function diagnosePublishers({ liveRtmpUrl }: Config): Promise<Diagnosis> {
  const check = 'address of publishers';
  const { hostname, port } = new URL(liveRtmpUrl);
  const address = hostname.replace(/^\[|\]$/g, '');
  const found = await whoListens(address, port === '' ? RTMP_PORT : Number(port), RESPONSE_TIMEOUT_MS);
  if (found === 'nobody') {
    const remedy =
      'start the engine, or correct MILLPOND_LIVE_RTMP_URL, which the URLs of streams begin with';
    return { check, state: 'bad', said: `nothing listens at ${liveRtmpUrl}`, remedy };
  }
  return { check, ...reached(found, liveRtmpUrl) };
}

export async function diagnoseDevices({ sipListen }: Config): Promise<Diagnosis> {
  const check = 'port of devices';
  if (sipListen === undefined)
    return { check, state: 'skipped', said: 'devices are off: MILLPOND_SIP_LISTEN is not set' };
  const { address, port } = sipListen;
  const place = `${address}:${port}`;
  const found = await whoListens(address, port, RESPONSE_TIMEOUT_MS);
  if (found === 'nobody') {
    const said = `nothing listens at ${place} on this machine yet`;
    return { check, state: 'skipped', said, remedy: SIP_PORT_HINT };
  }
  return { check, ...reached(found, place) };
}

/** A public address may be correct and still be unreachable from here. */
function reached(found: Exclude<Listening, 'nobody'>, place: string): Omit<Diagnosis, 'check'> {
  return found === 'somebody'
    ? { state: 'good', said: `something listens at ${place}` }
    : { state: 'skipped', said: `${place} can't be reached from this machine, which may be intended` };
}
