/** The attempts of the last hour, a tick for every five minutes. */
import type { EndpointRecord } from '@millpond/client/session';
import styles from './deliveries.module.css';
import { ticksOf } from './ticks-of.ts';

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
