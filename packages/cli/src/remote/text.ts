/** Names and figures for people. */

/** Characters that would move a terminal's cursor or hide something are escaped: names come from strangers. */
export function escapeForTerminal(name: string): string {
  return name.replace(
    /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** In the units that options take: `50g` is shown as 50.0 GiB. */
export function bytesText(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}

export function durationText(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–';
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Units of 100 ns since 1970. */
export function timeText(putTime: bigint): string {
  return new Date(Number(putTime / 10_000n)).toISOString();
}
