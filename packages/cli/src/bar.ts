/** A bar of how much of something is done, for terminals. */
const BAR = 24;

export function barText(done: number, total: number): string {
  const share = total === 0 ? 0 : Math.min(1, done / total);
  const full = Math.floor(share * BAR);
  return `${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${String(Math.floor(share * 100)).padStart(3)} %`;
}
