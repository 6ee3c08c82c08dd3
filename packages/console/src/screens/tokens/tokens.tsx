/** Builds upload tokens: the policy as a form, in words, made by the server, tried on the spot, and as code. */
import { createLazyRoute, Link } from '@tanstack/react-router';
import { ScanSearch } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { Screen } from '../../ui/screen.tsx';
import { deadlineOf, missingIn, policyOf, policyProblem, readFields } from './draft.ts';
import { Explain } from './explain.tsx';
import { PolicyForm } from './policy-form.tsx';
import type { Draft } from './search.ts';
import { TokenPane } from './token-pane.tsx';
import styles from './tokens.module.css';
import { TryPane } from './try/try-pane.tsx';

const RENEWED_MS = 10_000;

function Tokens() {
  const say = useTranslations('tokens');
  const search = TokensScreen.useSearch() as Draft;
  const navigate = TokensScreen.useNavigate();
  const draft = useMemo(() => ({ ...search, fields: search.fields && readFields(search.fields) }), [search]);
  const set = (change: Partial<Draft>) =>
    void navigate({ to: '.', search: (was) => ({ ...was, ...change }), replace: true });
  const now = useServerNow();
  const policy = policyOf(draft);
  const deadline = deadlineOf(draft, now);
  const missing = missingIn(draft);
  const fault = missing === undefined ? policyProblem(policy, deadline) : say(missing);
  const isExplaining = draft.explain === true;
  return (
    <Screen
      title={say(isExplaining ? 'explain.title' : 'title')}
      className={styles.screen}
      acts={
        <Link
          className="button ghost"
          aria-label={say(isExplaining ? 'build' : 'explain')}
          to="."
          search={(was) => ({ ...was, explain: isExplaining ? undefined : true }) as never}
        >
          <ScanSearch className="icon" aria-hidden />
          <span className="desktop-only">{say(isExplaining ? 'build' : 'explain')}</span>
        </Link>
      }
    >
      {isExplaining ? (
        <Explain now={now} edit={(next) => set({ ...next, explain: undefined })} />
      ) : (
        <div className={`panes ${styles.tokenBuilder}`}>
          <PolicyForm draft={draft} set={set} />
          <TokenPane draft={draft} policy={policy} deadline={deadline} now={now} fault={fault} />
          <TryPane policy={policy} deadline={deadline} isReady={fault === undefined} />
        </div>
      )}
    </Screen>
  );
}

function useServerNow(): number {
  const { serverNow } = useSession();
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), RENEWED_MS);
    return () => clearInterval(timer);
  }, [serverNow]);
  return now;
}

export const TokensScreen = createLazyRoute('/shell/upload-tokens')({ component: Tokens });
