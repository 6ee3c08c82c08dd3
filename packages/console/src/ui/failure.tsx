/** What failed, in the server's own words, what to do, and the request id under which the server knows it. */
import { MillpondError } from '@millpond/client/session';
import { Link } from '@tanstack/react-router';
import { useTranslations } from '../lib/words.ts';
import { Button } from './button.tsx';
import { Copy } from './copy.tsx';
import { StatusMark } from './mark.tsx';

export function Failure({
  error,
  what,
  again,
}: {
  readonly error: unknown;
  /** What was not done, in the reader's words. */
  readonly what?: string | undefined;
  readonly again?: (() => void) | undefined;
}) {
  const say = useTranslations('common');
  const { status, words, hint, reqid } = factsOf(error);
  return (
    <div className="note bad failure" role="alert">
      <StatusMark state="bad" />
      <div className="grow">
        <b className="weight-medium">{what ?? say(status === 0 ? 'failure.unreached' : 'failure.title')}</b>
        <p>
          {status > 0 && <code>{status}</code>} {words}
        </p>
        {hint !== undefined && hint !== words && <p className="soft">{hint}</p>}
        {reqid !== '' && (
          <p className="row text-small quiet">
            {say('failure.request')}{' '}
            <Link
              to="/requests/$reqid"
              params={{ reqid }}
              search={({ account }) => ({ account })}
              className="mono"
            >
              {reqid}
            </Link>{' '}
            <Copy text={reqid} />
          </p>
        )}
      </div>
      {again !== undefined && <Button onClick={again}>{say('failure.again')}</Button>}
    </div>
  );
}

interface Facts {
  readonly status: number;
  readonly words: string;
  readonly hint?: string | undefined;
  readonly reqid: string;
}

function factsOf(error: unknown): Facts {
  if (error instanceof MillpondError)
    return { status: error.status, words: error.message, hint: error.hint, reqid: error.reqid };
  return { status: 0, words: error instanceof Error ? error.message : String(error), reqid: '' };
}
