/** The attempts of the last hour, a tick for every five minutes. */
import type { EndpointRecord } from '@millpond/client/session';
import styles from './deliveries.module.css';

const TICKS = 12;
const SPAN_MS = 300_000;

export function Ticks({ recent }: { readonly recent: EndpointRecord['recent'] }) {
  return (
    <span className={styles.ticks} aria-hidden>
      {ticksOf(recent, Date.now()).map((state, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tick is its place
        <i key={at} className={state} />
      ))}
    </span>
  );
}

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
