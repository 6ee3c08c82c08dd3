/**
 * A signal to npx ends npx and the shell that it started us by, and never comes here. So who is started by npm looks after
 * its parent, and takes its end for the signal that did not come.
 */
const EVERY_MS = 250;

let isGone = false;

export function endWithNpx(): void {
  if (process.env.npm_command === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    isGone = true;
    process.kill(process.pid, 'SIGTERM');
  }, EVERY_MS);
  timer.unref();
}

/** For a run in the background, which outlives the command, and npx, that began it. */
export function environmentWithoutNpm(): NodeJS.ProcessEnv {
  return { ...process.env, npm_command: undefined };
}

export function hasNpxEnded(): boolean {
  return isGone;
}
