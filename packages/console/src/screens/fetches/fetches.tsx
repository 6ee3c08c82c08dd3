/** Files from other servers: one now, or some in the background, and what became of them. */
import type { BackgroundFetch, FetchResult } from '@millpond/client/session';
import { createLazyRoute } from '@tanstack/react-router';
import { useClient } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useAction } from '../../ui/use-action.ts';
import { FetchForm } from './fetch-form.tsx';
import styles from './fetches.module.css';
import { Followed } from './followed.tsx';
import { type FetchesSearch, MOST_SHOWN } from './search.ts';
import { Stored } from './stored.tsx';
import { useFetchCommands } from './use-fetch-commands.ts';

type Outcome = { readonly stored: FetchResult; readonly bucket: string } | { readonly id: string };

function Fetches() {
  const say = useTranslations('fetches');
  const client = useClient();
  const search = FetchesScreen.useSearch() as FetchesSearch;
  const navigate = FetchesScreen.useNavigate();
  const set = (change: Partial<FetchesSearch>) =>
    void navigate({ to: '.', search: (was) => ({ ...was, ...change }) as never, replace: true });
  const follow = (id: string) =>
    set({ ids: [id, ...(search.ids ?? []).filter((other) => other !== id)].slice(0, MOST_SHOWN) });
  const begin = useAction({
    async act(fetch: BackgroundFetch): Promise<Outcome> {
      if (search.way !== 'now') return client.fetches.start(fetch);
      const { url, bucket, key, host } = fetch;
      const stored = await client.fetches.fetch(String(url), bucket, key, host === undefined ? {} : { host });
      return { stored, bucket };
    },
    done: (outcome) => say('stored' in outcome ? 'done' : 'begun'),
    after(outcome) {
      if ('id' in outcome) follow(outcome.id);
    },
    failure: 'inline',
  });
  const commands = useFetchCommands(search);
  return (
    <Screen title={say('title')} className={styles.screen}>
      <div className={styles.fetchPage}>
        <section aria-label={say('new')}>
          <div className="section-head">
            <h2>{say('new')}</h2>
          </div>
          <FetchForm
            search={search}
            set={set}
            waits={begin.isPending}
            begin={(fetch) => void begin.run(fetch)}
          />
          {begin.error !== null && <Failure error={begin.error} what={say('notBegun')} />}
          {begin.output !== undefined && 'stored' in begin.output && (
            <Stored result={begin.output.stored} bucket={begin.output.bucket} />
          )}
        </section>
        <Followed ids={search.ids ?? []} follow={follow} show={(ids) => set({ ids })} />
      </div>
      <aside className={styles.fetchAside} aria-label={say('about')}>
        <h2>{say('about')}</h2>
        <p>{say(search.way === 'now' ? 'words.now' : 'words.background')}</p>
        <p>{say('words.whole')}</p>
        <h2>{say('same')}</h2>
        <CommandTabs commands={commands} />
      </aside>
    </Screen>
  );
}

export const FetchesScreen = createLazyRoute('/shell/fetches')({ component: Fetches });
