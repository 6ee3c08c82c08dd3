/** How far an engine has come, from the lines that `ffmpeg -progress` writes. Bounded, whatever comes. */
const MOST_LINE = 256;

/** Calls back with the microseconds of the result that are written, whenever that has grown. */
export function followProgress(onAdvance: (microseconds: number) => void): (chunk: Buffer) => void {
  let rest = '';
  let furthest = -1;
  return (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = (lines.pop() ?? '').slice(-MOST_LINE);
    for (const line of lines) {
      // The first lines may say N/A or a negative time.
      const microseconds = Number(/^out_time_us=(\d{1,15})$/.exec(line)?.[1] ?? Number.NaN);
      if (!(microseconds > furthest)) continue;
      furthest = microseconds;
      onAdvance(microseconds);
    }
  };
}
