/** What something waits for, as a sentence, and until when if that is known. */
import type { WaitingFor } from '@millpond/client/session';
import { useTranslations } from '../lib/words.ts';
import { Countdown } from './countdown.tsx';

export function WaitsFor({ waitingFor }: { readonly waitingFor: WaitingFor }) {
  const say = useTranslations('common');
  const { reason, text, ahead, aheadOwn = 0, until } = waitingFor;
  return (
    <>
      {/* What workers lack is in the words of the server. */}
      {say(`waits.${reason}`, { text })}
      {ahead !== undefined &&
        (ahead === 0 ? say('waits.next') : say('waits.ahead', { count: ahead, own: aheadOwn }))}
      {until !== undefined && <Countdown until={Date.parse(until)} />}
    </>
  );
}
