/**
 * Live streams and devices of `millpond dev`. If nginx with its RTMP module is installed, an engine is started;
 * otherwise live is off, and no live address is handed out. Devices can register in any case: we serve their port
 * ourselves.
 */
import { randomBytes } from 'node:crypto';
import { type Environment, isRtmpInstalled, RTMP_PACKAGES } from '@millpond/server';
import type { RunFolder, StateFolder } from './folders.ts';
import { MEDIA_PORTS, type Ports } from './ports.ts';
import { ENGINE_ID, type EngineFolders } from './rtmp-engine.ts';

export interface LivePlan {
  /** Undefined if none is started: one is configured already, or its program is missing. */
  readonly engine: EngineFolders | undefined;
  /** Settings that the environment may override. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Settings that it may not override: the address of the engine that was started. */
  readonly fixed: Readonly<Record<string, string>>;
  readonly missing: readonly MissingProgram[];
}

const WITHOUT_ENGINE = {
  program: 'nginx with its RTMP module',
  off: 'live streams, and video of devices (they register all the same)',
};
const SWITCHED_OFF = {
  reason: 'MILLPOND_LIVE_ENGINES is empty',
  remedy: 'unset it, and an engine is started; or name a running one',
};

export async function planLive(
  run: RunFolder,
  state: StateFolder,
  ports: Ports,
  environment: Environment,
  isInstalled = isRtmpInstalled,
): Promise<LivePlan> {
  const given = environment.MILLPOND_LIVE_ENGINES;
  const isOwn = given === undefined && (await isInstalled());
  const engine = isOwn ? enginePlace(run, state, ports) : undefined;
  const hasEngine = isOwn || (given ?? '') !== '';
  return {
    engine,
    defaults: environment.MILLPOND_SIP_LISTEN === undefined ? deviceSettings(ports, hasEngine) : {},
    fixed: engine === undefined ? {} : engineSettings(engine, state, ports),
    missing: hasEngine
      ? []
      : [{ ...WITHOUT_ENGINE, ...(given === undefined ? notInstalled() : SWITCHED_OFF) }],
  };
}

function enginePlace(run: RunFolder, state: StateFolder, ports: Ports): EngineFolders {
  const secret = randomBytes(24).toString('hex');
  return { folder: run.rtmp, records: state.records, ports, secret };
}

function engineSettings({ secret }: EngineFolders, state: StateFolder, ports: Ports): Record<string, string> {
  return {
    MILLPOND_LIVE_ENGINES: `${ENGINE_ID}=nginx-rtmp@http://127.0.0.1:${ports.engine}`,
    MILLPOND_LIVE_HOOK_SECRET: secret,
    MILLPOND_LIVE_RECORD_FOLDER: state.records,
    MILLPOND_LIVE_RTMP_URL: `rtmp://127.0.0.1:${ports.rtmp}/live`,
  };
}

function deviceSettings({ sip, media }: Ports, hasEngine: boolean): Record<string, string> {
  const registering = { MILLPOND_SIP_LISTEN: `sip://127.0.0.1:${sip}` };
  return hasEngine
    ? { ...registering, MILLPOND_SIP_MEDIA_PORTS: `${media}-${media + MEDIA_PORTS - 1}` }
    : registering;
}

function notInstalled(): { remedy: string } {
  const remedy =
    process.platform === 'linux'
      ? `apt-get install ${RTMP_PACKAGES.join(' ')}`
      : 'it needs Linux, for example in a virtual machine';
  return { remedy };
}

export interface MissingProgram {
  readonly program: string;
  /** Set if the cause is something other than a missing program. */
  readonly reason?: string;
  /** What does not work without it. */
  readonly off: string;
  readonly remedy: string;
}
