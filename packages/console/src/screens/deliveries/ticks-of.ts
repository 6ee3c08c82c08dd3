/** What the attempts of the last hour were, a word for every five minutes. */
import type { EndpointRecord } from '@millpond/client/session';

const TICKS = 12;
const SPAN_MS = 300_000;

export function ticksOf(recent: EndpointRecord['recent'], now: number): string[] {
  const ticks = Array.from({ length: TICKS }, () => ({ ok: 0, failed: 0 }));
  for (const { minute, ok, failed } of recent) {
    const tick = ticks[TICKS - 1 - Math.floor((now - Date.parse(minute)) / SPAN_MS)];
    if (tick === undefined) continue;
    tick.ok += ok;
    tick.failed += failed;
  }
  return ticks.map(({ ok, failed }) => (failed === 0 ? (ok === 0 ? '' : 'ok') : ok === 0 ? 'bad' : 'warn'));
}
