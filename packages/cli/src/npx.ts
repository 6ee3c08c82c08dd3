/**
 * A signal to npx ends npx and the shell that it started us by, and never comes here. So who is started by npm looks after
 * its parent, and takes its end for the signal that did not come.
 */
const EVERY_MS = 250;

let isGone = false;

export function endWithNpx(): void {
  // With a channel to whoever started us it is no shell: a run in the background outlives the command that began it.
  if (process.env.npm_command === undefined || process.connected) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    isGone = true;
    process.kill(process.pid, 'SIGTERM');
  }, EVERY_MS);
  timer.unref();
}

export function hasNpxEnded(): boolean {
  return isGone;
}
