// Progress lines on stderr, each with the seconds since the command began. Standard output stays free for results.

const begun = performance.now();

export function elapsedSeconds(): number {
  return (performance.now() - begun) / 1000;
}

export function say(text: string): void {
  process.stderr.write(`[${elapsedSeconds().toFixed(1).padStart(6)} s] ${text}\n`);
}
