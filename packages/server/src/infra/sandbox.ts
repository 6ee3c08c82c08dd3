/** The sandbox of this process, shared by all that needs it. A machine without one still serves uploads and downloads. */
import {
  type JobFolders,
  jobFolders,
  openJobDirectories,
  openSandbox,
  openUnconfined,
  type Sandbox,
  SandboxUnavailableError,
  type UnconfinedPermit,
} from '@millpond/jail';
import type { Config } from '../config/config.ts';

export interface SharedSandbox {
  /** The sandbox, or why there is none. Opened when first asked for; never rejects. */
  open(): Promise<Sandbox | SandboxUnavailableError>;
  /** For files of commands that run no program: the sandbox's own folders, or others, or why there are none. Never rejects. */
  folders(): Promise<JobFolders | SandboxUnavailableError>;
  /** Why there is none, if that is known by now. */
  readonly unavailable: SandboxUnavailableError | undefined;
  /** Whether programs run without one: see UnconfinedPermit. Undefined while that is not known. */
  readonly isUnconfined: boolean | undefined;
  close(): Promise<void>;
}

/** With a permit, programs run without a sandbox where the machine can't have one; a sandbox that holds is always preferred. */
export function openSharedSandbox(config: Config, permit?: UnconfinedPermit): SharedSandbox {
  let opened: Promise<Sandbox | SandboxUnavailableError> | undefined;
  let unavailable: SandboxUnavailableError | undefined;
  let isUnconfined: boolean | undefined;
  let plain: Promise<PlainFolders | SandboxUnavailableError> | undefined;
  const openOnce = async () => {
    const found = await open(config, permit);
    if (found instanceof SandboxUnavailableError) unavailable = found;
    else isUnconfined = found.confinement === 'none';
    return found;
  };
  const shared = {
    get unavailable() {
      return unavailable;
    },
    get isUnconfined() {
      return isUnconfined;
    },
    open() {
      opened ??= openOnce();
      return opened;
    },
    async folders() {
      const sandbox = await shared.open();
      if (!(sandbox instanceof SandboxUnavailableError)) return sandbox;
      plain ??= openPlainFolders(config.sandboxRoot).catch(whyNone);
      return plain;
    },
    async close() {
      const sandbox = await opened;
      if (sandbox !== undefined && !(sandbox instanceof SandboxUnavailableError)) await sandbox.close();
      const folders = await plain;
      if (!(folders instanceof SandboxUnavailableError)) await folders?.close();
    },
  };
  return shared;
}

type PlainFolders = JobFolders & { close(): Promise<void> };

async function openPlainFolders(root: string): Promise<PlainFolders> {
  const directories = await openJobDirectories(root, undefined);
  return { ...jobFolders(directories), close: () => directories.close() };
}

async function open(
  config: Config,
  permit: UnconfinedPermit | undefined,
): Promise<Sandbox | SandboxUnavailableError> {
  try {
    const user = { uid: config.sandboxUid, gid: config.sandboxGid };
    return await openSandbox({ root: config.sandboxRoot, user }).catch((error: unknown) => {
      if (permit === undefined) throw error;
      return openUnconfined(permit, config.sandboxRoot);
    });
  } catch (error) {
    return whyNone(error);
  }
}

function whyNone(error: unknown): SandboxUnavailableError {
  if (error instanceof SandboxUnavailableError) return error;
  const problem = error instanceof Error ? error.message : String(error);
  return new SandboxUnavailableError([{ problem, remedy: 'see docs/sandbox.md' }]);
}
