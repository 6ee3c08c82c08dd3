/** Who made the request, and how it ended. */
import type { RequestTrace } from '@millpond/client/session';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../app/session-context.tsx';
import { milliseconds, time } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Copy } from '../../ui/copy.tsx';
import { StatusMark } from '../../ui/mark.tsx';
import styles from './requests.module.css';

export function Facts({ trace }: { readonly trace: RequestTrace }) {
  const say = useTranslations('requests');
  const { operator } = useSession();
  const { reqid, at, method, path, role, status, ms, address, uid, accessKey, session, fault, hint } = trace;
  const state = status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'ok';
  return (
    <section className={styles.facts} aria-labelledby="request">
      <h2 id="request" className="row">
        <StatusMark state={state} label={String(status)} />
        <code>{method}</code>
        <code className="truncate">{path}</code>
        <code className={state === 'ok' ? 'ok' : state}>{status}</code>
        <span className="quiet tabular">{milliseconds(ms)}</span>
      </h2>
      {fault !== undefined && (
        <p className={`note ${state}`}>
          {/* Where the answer itself says it, the name says nothing. */}
          {fault !== 'answer' && <code>{fault}</code>} {hint}
        </p>
      )}
      <dl className="key-values">
        <dt>{say('reqid')}</dt>
        <dd>
          <code>{reqid}</code>
          <Copy text={reqid} />
        </dd>
        <dt>{say('at')}</dt>
        <dd className="tabular">{time(at)}</dd>
        <dt>{say('role')}</dt>
        <dd className="mono">{role ?? say('role.none')}</dd>
        <dt>{say('who')}</dt>
        <dd>
          <Account uid={uid} />
          {accessKey !== undefined && (
            <Link
              to="/keys/$key"
              params={{ key: accessKey }}
              search={{ account: operator ? uid : undefined }}
              className="mono truncate"
            >
              {accessKey}
            </Link>
          )}
          {session !== undefined && <span className="quiet">{say('who.session')}</span>}
        </dd>
        <dt>{say('from')}</dt>
        <dd className="mono">{address}</dd>
      </dl>
    </section>
  );
}

function Account({ uid }: { readonly uid: number | undefined }) {
  const say = useTranslations('requests');
  const { operator } = useSession();
  if (uid === undefined) return <span className="quiet">{say('who.unknown')}</span>;
  if (!operator) return <code>{uid}</code>;
  return (
    <Link to="/" search={{ account: uid }} className="mono">
      {uid}
    </Link>
  );
}
