/** How long until a moment, by the server's clock. */
import { useEffect, useState } from 'react';
import { useSession } from '../app/session-context.tsx';
import { durationText } from '../lib/format.ts';

export function Countdown({ until }: { readonly until: number }) {
  const { serverNow } = useSession();
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1000);
    return () => clearInterval(timer);
  }, [serverNow]);
  return <time className="tabular">{durationText(until - now)}</time>;
}
