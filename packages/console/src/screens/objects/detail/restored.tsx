/** Whether a frozen object can be read, when it can, and for how long. */
import type { ObjectRecord } from '@millpond/client/session';
import { Snowflake } from 'lucide-react';
import { time } from '../../../lib/format.ts';
import { useWords } from '../../../lib/words.ts';
import { Countdown } from '../../../ui/countdown.tsx';

const FIRST_FROZEN = 2;

export function Restored({ object }: { readonly object: ObjectRecord }) {
  const say = useWords('objects');
  const { type, restoreStatus, restoreReady, restoreEnds } = object;
  if (type < FIRST_FROZEN) return null;
  if (restoreStatus === undefined)
    return (
      <p className="note rest">
        <Snowflake className="i" aria-hidden />
        <span className="grow">{say(type === 3 ? 'frozenDeep' : 'frozen')}</span>
      </p>
    );
  const isReady = restoreStatus === 2;
  const until = (isReady ? restoreEnds : restoreReady) ?? 0;
  return (
    <p className={`note rest ${isReady ? 'ok' : 'acc'}`}>
      <Snowflake className="i" aria-hidden />
      <span className="grow">
        {say(isReady ? 'restored' : 'restoring')}{' '}
        {until > 0 && (
          <b className="med">
            <Countdown until={until * 1000} />
          </b>
        )}
        {'. '}
        {isReady && until > 0 && say('freezes', { time: time(until * 1000) })}
      </span>
    </p>
  );
}
