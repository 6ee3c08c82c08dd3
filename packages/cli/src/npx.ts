/**
 * A signal to npx ends npx and the shell that it started us with, and never reaches us. So a process started by npm
 * watches its parent, and treats the parent's end as the missing signal.
 */
const INTERVAL_MS = 250;

let isGone = false;

export function endWithNpx(): void {
  if (process.env.npm_command === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    isGone = true;
    process.kill(process.pid, 'SIGTERM');
  }, INTERVAL_MS);
  timer.unref();
}

/** For a background run, which outlives the command, and npx, that started it. */
export function environmentWithoutNpm(): NodeJS.ProcessEnv {
  return { ...process.env, npm_command: undefined };
}

export function hasNpxEnded(): boolean {
  return isGone;
}
