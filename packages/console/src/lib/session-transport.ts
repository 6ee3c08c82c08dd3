/** Requests of a session. When it has ended, the page goes to the sign-in and comes back to where it was. */
import { fetchTransport, type Transport } from '@millpond/client/session';
import { currentSession } from './session.ts';

export function sessionTransport(): Transport {
  const send = fetchTransport();
  let asking: Promise<boolean> | undefined;
  return async (request) => {
    const answer = await send(request);
    if (answer.status === 401 && (await hasEnded())) leave();
    return answer;
  };

  /** Some calls answer 401 of their own: only the session itself tells. Asked once for all requests that were under way. */
  function hasEnded(): Promise<boolean> {
    asking ??= currentSession()
      .then(
        (session) => session === undefined,
        () => false,
      )
      .finally(() => {
        asking = undefined;
      });
    return asking;
  }
}

function leave(): void {
  const { pathname, search } = location;
  if (pathname !== '/sign-in')
    location.assign(`/sign-in?ended=true&to=${encodeURIComponent(pathname + search)}`);
}
