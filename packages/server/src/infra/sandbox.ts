/** The sandbox of this process, shared by all that needs it. A machine without one still serves uploads and downloads. */
import type { Config } from '../config/config.ts';
import { openSandbox, type Sandbox, SandboxUnavailable } from '../platform/sandbox/index.ts';

export interface SharedSandbox {
  /** The sandbox, or why there is none. Opened when first asked for; never rejects. */
  open(): Promise<Sandbox | SandboxUnavailable>;
  /** Why there is none, if that is known by now. */
  readonly unavailable: SandboxUnavailable | undefined;
  close(): Promise<void>;
}

export function openSharedSandbox(config: Config): SharedSandbox {
  let opened: Promise<Sandbox | SandboxUnavailable> | undefined;
  let unavailable: SandboxUnavailable | undefined;
  const openOnce = async () => {
    const found = await open(config);
    if (found instanceof SandboxUnavailable) unavailable = found;
    return found;
  };
  return {
    get unavailable() {
      return unavailable;
    },
    open() {
      opened ??= openOnce();
      return opened;
    },
    async close() {
      const sandbox = await opened;
      if (sandbox !== undefined && !(sandbox instanceof SandboxUnavailable)) await sandbox.close();
    },
  };
}

async function open(config: Config): Promise<Sandbox | SandboxUnavailable> {
  try {
    return await openSandbox({
      root: config.sandboxRoot,
      user: { uid: config.sandboxUid, gid: config.sandboxGid },
    });
  } catch (error) {
    if (error instanceof SandboxUnavailable) return error;
    const problem = error instanceof Error ? error.message : String(error);
    return new SandboxUnavailable([{ problem, remedy: 'see docs/sandbox.md' }]);
  }
}
