/** Signing in with the account's password, or by one of the installation's providers. */
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, useRouter } from '@tanstack/react-router';
import { Contrast, Eye, EyeOff } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { queries, SESSION } from '../../app/queries.ts';
import { currentLanguage, currentTheme, prefer } from '../../lib/preferences.ts';
import { SignInError, signIn, signInOptions } from '../../lib/session.ts';
import { type Say, useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { Logo } from '../../ui/logo.tsx';
import { Pond } from './pond.tsx';
import styles from './sign-in.module.css';

const route = getRouteApi('/sign-in');

function SignIn() {
  const say = useTranslations('sign-in');
  const { to, failed, ended } = route.useSearch();
  const { data: options } = useQuery({ queryKey: ['sign-in'], queryFn: signInOptions });
  const isChinese = currentLanguage() === 'zh-CN';
  return (
    <main className={styles.signIn}>
      <section className={styles.formSide}>
        <div className={styles.formBody}>
          <div className={styles.brand}>
            <Logo size={26} />
            <span>Millpond</span>
          </div>
          <h1>{say('title')}</h1>
          <p className="soft">{say('place', { host: location.host, region: options?.region ?? '…' })}</p>
          {ended && (
            <p className="note" role="status">
              {say('ended')}
            </p>
          )}
          {failed !== undefined && (
            <p className="note bad" role="alert">
              {say(`failed.${failed}`)}
            </p>
          )}
          <PasswordForm to={to} />
          {options?.oidc.map(({ name, label }, at) => (
            <div key={name}>
              {at === 0 && (
                <div className={styles.or}>
                  <span>{say('or')}</span>
                </div>
              )}
              <a
                className="button large wide"
                href={`/session/oidc/${encodeURIComponent(name)}?to=${encodeURIComponent(to ?? '/')}`}
              >
                {say('continueWith', { provider: label })}
              </a>
            </div>
          ))}
          <p className={`hint ${styles.programsHint}`}>{say('programs')}</p>
        </div>
        <footer>
          <span>Millpond {options?.version}</span>
          <span className="quiet">{say('nothingElse')}</span>
          <span className="end" />
          <Button
            kind="link"
            lang={isChinese ? 'en' : 'zh-CN'}
            onClick={() => prefer({ language: isChinese ? 'en' : 'zh-CN' })}
          >
            {isChinese ? 'English' : '中文'}
          </Button>
          <button
            type="button"
            className="copy"
            aria-label={say('theme')}
            onClick={() => prefer({ theme: currentTheme() === 'dark' ? 'light' : 'dark' })}
          >
            <Contrast className="icon" aria-hidden />
          </button>
        </footer>
      </section>
      <section className={styles.picture} aria-hidden>
        <Pond />
      </section>
    </main>
  );
}

function PasswordForm({ to }: { readonly to: string | undefined }) {
  const say = useTranslations('sign-in');
  const router = useRouter();
  const [isShown, setShown] = useState(false);
  const [state, setState] = useState<{ waits: boolean; refused?: SignInError | undefined }>({
    waits: false,
  });
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => (form.get(name) ?? '') as string;
    setState({ waits: true });
    try {
      const session = await signIn(text('email'), text('password'));
      queries.clear();
      queries.setQueryData(SESSION, session);
      router.history.push(to ?? '/');
    } catch (error) {
      const refused = error instanceof SignInError ? error : new SignInError(0, say('unreached'), undefined);
      setState({ waits: false, refused });
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label className="field">
        <span>{say('email')}</span>
        <span className="input large">
          <input name="email" type="email" autoComplete="username" required />
        </span>
      </label>
      <label className="field">
        <span>{say('password')}</span>
        <span className="input large">
          <input
            name="password"
            type={isShown ? 'text' : 'password'}
            autoComplete="current-password"
            required
          />
          <button
            type="button"
            className="copy"
            aria-label={say('show')}
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? <EyeOff className="icon" aria-hidden /> : <Eye className="icon" aria-hidden />}
          </button>
        </span>
      </label>
      {state.refused !== undefined && (
        <p className="note bad" role="alert">
          {wordsOf(state.refused, say)}
          {state.refused.reqid !== undefined && <code className="end">{state.refused.reqid}</code>}
        </p>
      )}
      <button
        type="submit"
        className="button primary large wide"
        disabled={state.waits}
        aria-busy={state.waits}
      >
        {say('submit')}
        <span className="shortcut">↵</span>
      </button>
    </form>
  );
}

function wordsOf({ status, message }: SignInError, say: Say<'sign-in'>): string {
  if (status === 401 || status === 400) return say('wrong');
  return status === 417 ? say('tooOften') : message;
}

export const SignInScreen = createLazyRoute('/sign-in')({ component: SignIn });
