/** What the token permits, the token itself once the server has made it, and the policy as code. */
import type { PolicyFields } from '@millpond/protocol';
import { useClient } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useAction } from '../../ui/use-action.ts';
import { CodesView } from './codes-view.tsx';
import { DEFAULT_LIFE } from './draft.ts';
import { PolicySummary } from './permits.tsx';
import type { Draft } from './search.ts';
import styles from './tokens.module.css';

export function TokenPane({
  draft,
  policy,
  deadline,
  now,
  fault,
}: {
  readonly draft: Draft;
  readonly policy: PolicyFields & { readonly scope: string };
  readonly deadline: number;
  readonly now: number;
  /** Why the policy can't be signed. */
  readonly fault: string | undefined;
}) {
  const say = useTranslations('tokens');
  const client = useClient();
  const wanted = JSON.stringify([policy, draft.life]);
  const make = useAction({
    async act(asked: string) {
      const made = await client.signing.uploadToken({ ...policy, deadline });
      return { ...made, asked, deadline };
    },
    failure: 'inline',
    isSecret: true,
  });
  // A token of an earlier draft would say something else than the words beside it.
  const made = make.output?.asked === wanted ? make.output : undefined;
  return (
    <section className={`pane ${styles.policyText}`} aria-label={say('words')}>
      <div className="pane-head">
        <h2>{say('words')}</h2>
      </div>
      <div className={`scroll ${styles.paneBody}`}>
        {fault === undefined ? (
          <PolicySummary policy={policy} deadline={deadline} now={now} />
        ) : (
          <div className="note bad" role="status">
            {fault}
          </div>
        )}
        <div className="section-head">
          <h2>{say('token')}</h2>
          <span className="end row">
            {made !== undefined && <Copy text={made.token} label={say('copyToken')} />}
            <Button
              kind="primary"
              disabled={fault !== undefined}
              waits={make.isPending}
              onClick={() => void make.run(wanted)}
            >
              {say(made === undefined ? 'make' : 'makeAgain')}
            </Button>
          </span>
        </div>
        {make.error !== null && <Failure error={make.error} what={say('notMade')} />}
        {made !== undefined && (
          <>
            <p className={`quiet text-small ${styles.made}`}>
              {say('madeWith', { key: made.accessKey.slice(0, 8) })}{' '}
              <Countdown until={made.deadline * 1000} />
            </p>
            <TokenText token={made.token} />
          </>
        )}
        <CodesView policy={policy} life={draft.life ?? DEFAULT_LIFE} />
      </div>
    </section>
  );
}

/** Its three parts by colour, and in words. */
export function TokenText({ token }: { readonly token: string }) {
  const say = useTranslations('tokens');
  const [accessKey = '', signature = '', policy = ''] = token.split(':');
  return (
    <div className={styles.tokenText}>
      <div className="code">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so a keyboard must reach it */}
        <pre className="wrap" tabIndex={0}>
          <span className={styles.accessKey}>{accessKey}</span>:
          <span className={styles.signature}>{signature}</span>:
          <span className={styles.policy}>{policy}</span>
        </pre>
      </div>
      <div className={`${styles.legend} text-small`}>
        <span className={styles.accessKey}>{say('part.accessKey')}</span>
        <span className={styles.signature}>{say('part.signature')}</span>
        <span className={styles.policy}>{say('part.policy')}</span>
      </div>
    </div>
  );
}
