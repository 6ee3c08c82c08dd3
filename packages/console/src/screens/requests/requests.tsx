/** What became of a request, by its id: who made it, what was judged, each step with its time, and what it caused. */
import { MillpondError } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import type { FormEvent } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs, shellWord } from '../../ui/as-command.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Caused } from './caused.tsx';
import { Facts } from './facts.tsx';
import styles from './requests.module.css';
import { Steps } from './steps.tsx';

const TRIES = 3;
const NO_SUCH = 612;
const route = getRouteApi('/shell/requests/$reqid');

function isUnknown(error: unknown): boolean {
  return error instanceof MillpondError && error.status === NO_SUCH;
}

function Ask({ reqid = '' }: { readonly reqid?: string }) {
  const say = useTranslations('requests');
  const navigate = useNavigate();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = ((new FormData(event.currentTarget).get('reqid') ?? '') as string).trim();
    if (given !== '')
      void navigate({
        to: '/requests/$reqid',
        params: { reqid: given },
        search: ({ account }) => ({ account }),
      });
  };
  return (
    <search>
      <form className={styles.query} onSubmit={submit} key={reqid}>
        <label className="input large">
          <Search className="icon" aria-hidden />
          <span className="visually-hidden">{say('reqid')}</span>
          <input
            name="reqid"
            className="mono"
            defaultValue={reqid}
            placeholder={say('paste')}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
        <button type="submit" className="button primary large">
          {say('inspect')}
        </button>
      </form>
    </search>
  );
}

function Bare() {
  const say = useTranslations('requests');
  return (
    <Screen title={say('title')}>
      <div className={styles.requestPage}>
        <Ask />
        <Empty title={say('empty.title')} words={say('empty.words')}>
          <code>{'curl -i … | grep -i x-reqid'}</code>
        </Empty>
      </div>
    </Screen>
  );
}

function Shown() {
  const say = useTranslations('requests');
  const { client, account } = useSession();
  const curl = useCurl();
  const { reqid } = route.useParams();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['requests', account, reqid],
    queryFn: ({ signal }) => client.requests.get(reqid, { signal }),
    // It is written a moment after the answer.
    retry: (tries, refusal) => tries < TRIES && isUnknown(refusal),
    retryDelay: 700,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Screen title={say('title')}>
      <div className={styles.requestPage}>
        <Ask reqid={reqid} />
        {isFetching && data === undefined && <p className="quiet">{say('looking')}</p>}
        {error !== null && (
          <Failure
            error={error}
            what={isUnknown(error) ? say('failed') : undefined}
            again={() => void refetch()}
          />
        )}
        {data !== undefined && (
          <>
            <Facts trace={data} />
            <Steps trace={data} />
            <Caused trace={data} />
          </>
        )}
        <CommandTabs
          commands={{
            curl: curl({ role: 'api', target: `/v1/requests/${encodeURIComponent(reqid)}` }),
            cli: `millpond request show ${shellWord(reqid)}`,
            sdk: `await client.requests.get(${JSON.stringify(reqid)});`,
          }}
        />
      </div>
    </Screen>
  );
}

export const AskScreen = createLazyRoute('/shell/requests')({ component: Bare });
export const RequestScreen = createLazyRoute('/shell/requests/$reqid')({ component: Shown });
