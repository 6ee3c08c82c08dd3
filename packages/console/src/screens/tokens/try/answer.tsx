/** The answer to the upload, as the uploader got it; a failed callback is told from a refused upload. */
import { MillpondError, type UploadResult } from '@millpond/client/session';
import type { PolicyFields } from '@millpond/protocol';
import { Link } from '@tanstack/react-router';
import { milliseconds } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { Copy } from '../../../ui/copy.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { StatusMark } from '../../../ui/mark.tsx';
import styles from '../tokens.module.css';

const MOST_SHOWN = 4096;

export function Answer({
  policy,
  outcome,
  error,
}: {
  readonly policy: PolicyFields;
  readonly outcome: { readonly result: UploadResult; readonly ms: number } | undefined;
  readonly error: unknown;
}) {
  const say = useTranslations('tokens');
  if (error instanceof MillpondError && error.code === 'callbackFailed')
    return (
      <div className={styles.uploadResponse} role="status">
        <p className="row">
          <StatusMark state="bad" /> <b className="weight-medium">{say('answer')}</b>{' '}
          <span className="tag bad">579</span> <span className="soft">{say('answer.callbackFailed')}</span>
        </p>
        <Body value={error.body ?? error.message} />
        <p className="quiet text-small">{error.hint ?? error.message}</p>
        <p className="text-small">
          {say('answer.resend')}{' '}
          <Link to={'/deliveries' as '/'} search={({ account }) => ({ account })}>
            {say('answer.deliveries')}
          </Link>
        </p>
        <Request reqid={error.reqid} />
      </div>
    );
  if (error !== null && error !== undefined) return <Failure error={error} what={say('answer.refused')} />;
  if (outcome === undefined) return null;
  const { result, ms } = outcome;
  return (
    <div className={styles.uploadResponse} role="status">
      <p className="row">
        <StatusMark state="ok" /> <b className="weight-medium">{say('answer')}</b>{' '}
        <span className="tag ok">200</span>{' '}
        <span className="soft">
          {say(policy.callbackUrl === undefined ? 'answer.stored' : 'answer.byReceiver', {
            ms: milliseconds(ms),
          })}
        </span>
      </p>
      <Body value={result.answer} />
      <Request reqid={result.reqid} />
    </div>
  );
}

function Body({ value }: { readonly value: unknown }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <div className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so a keyboard must reach it */}
      <pre className="wrap" tabIndex={0}>
        {(text ?? '').slice(0, MOST_SHOWN)}
      </pre>
    </div>
  );
}

function Request({ reqid }: { readonly reqid: string }) {
  const common = useTranslations('common');
  return (
    <p className="row text-small quiet">
      {common('failure.request')} <code>{reqid}</code> <Copy text={reqid} />
    </p>
  );
}
