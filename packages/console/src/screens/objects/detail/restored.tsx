/** Whether a frozen object can be read, when it can, and for how long. */
import type { ObjectRecord } from '@millpond/client/session';
import { Snowflake } from 'lucide-react';
import { time } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { Countdown } from '../../../ui/countdown.tsx';
import { Sentence } from '../../../ui/sentence.tsx';
import styles from './detail.module.css';

const FIRST_FROZEN = 2;

export function Restored({ object }: { readonly object: ObjectRecord }) {
  const say = useTranslations('objects');
  const { type, restoreStatus, restoreReady, restoreEnds } = object;
  if (type < FIRST_FROZEN) return null;
  if (restoreStatus === undefined)
    return (
      <p className={`note ${styles.restored}`}>
        <Snowflake className="icon" aria-hidden />
        <span className="grow">{say(type === 3 ? 'frozenDeep' : 'frozen')}</span>
      </p>
    );
  const isReady = restoreStatus === 2;
  const until = (isReady ? restoreEnds : restoreReady) ?? 0;
  return (
    <p className={`note ${styles.restored} ${isReady ? 'ok' : 'accent'}`}>
      <Snowflake className="icon" aria-hidden />
      <span className="grow">
        <Sentence
          text={say(isReady ? 'restored' : 'restoring', { ends: time(until * 1000) })}
          parts={{ time: until > 0 ? <Countdown key="time" until={until * 1000} /> : '…' }}
        />
      </span>
    </p>
  );
}
