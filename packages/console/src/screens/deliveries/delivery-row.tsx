/** A delivery in a list. */
import type { DeliveryRecord } from '@millpond/client/session';
import { shortTime } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { type MarkState, StatusMark } from '../../ui/mark.tsx';
import styles from './deliveries.module.css';

export const MARKS: Readonly<Record<DeliveryRecord['state'], MarkState>> = {
  unsent: 'wait',
  waiting: 'busy',
  delivered: 'ok',
  failed: 'bad',
};

const KINDS = ['callback', 'notification', 'live', 'object', 'test'] as const;

export function kindOf(kind: string): (typeof KINDS)[number] | 'other' {
  return KINDS.find((each) => each === kind) ?? 'other';
}

export function DeliveryRow({ delivery }: { readonly delivery: DeliveryRecord }) {
  const say = useTranslations('deliveries');
  const { kind, state, created, subject, sequence } = delivery;
  return (
    <>
      <StatusMark state={MARKS[state]} label={say(`state.${state}`)} />
      <span className="grow">
        <span className="row">
          <span className="weight-medium nowrap">{say(`kind.${kindOf(kind)}`)}</span>
          <span className={`truncate soft ${styles.subject}`}>
            {subject} {sequence !== undefined && <b>#{sequence}</b>}
          </span>
        </span>
        <span className="row text-small quiet tabular">{shortTime(created)}</span>
      </span>
      <span className={`text-small nowrap  ${state === 'failed' ? 'bad' : 'quiet'}`}>
        {say(`state.${state}`)}
      </span>
    </>
  );
}
