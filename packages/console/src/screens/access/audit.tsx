/** What was done with credentials and from the console: who, what, to what, from where. */
import type { AuditEntry } from '@millpond/client/session';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useId } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs, shellWord } from '../../ui/as-command.tsx';
import type { RecordColumn } from '../../ui/records/record-column.ts';
import { RecordTable } from '../../ui/records/record-table.tsx';
import { Screen } from '../../ui/screen.tsx';
import styles from './access.module.css';
import type { AuditSearch } from './audit-search.ts';
import { AccessTabs } from './tabs.tsx';

const PAGE = 100;
const FIELDS = ['action', 'actor', 'target', 'reqid'] as const;
const route = getRouteApi('/shell/audit');

function Audit() {
  const say = useTranslations('access');
  const curl = useCurl();
  const { client, account } = useSession();
  const search = route.useSearch();
  const filter = Object.fromEntries(FIELDS.map((name) => [name, search[name]])) as AuditSearch;
  const entries = useInfiniteQuery({
    queryKey: ['access', account, 'audit', filter],
    queryFn: ({ pageParam, signal }) =>
      client.accounts.auditPage({ ...filter, marker: pageParam, limit: PAGE, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ marker }) => marker,
  });
  const columns = useColumns();
  const query = FIELDS.reduce(
    (text, name) =>
      filter[name] === undefined ? text : `${text}&${name}=${encodeURIComponent(filter[name])}`,
    `?limit=${PAGE}`,
  );
  const given = FIELDS.flatMap((name) =>
    filter[name] === undefined ? [] : [`--${name} ${shellWord(filter[name])}`],
  );
  return (
    <Screen title={say('audit')} className={styles.screen}>
      <AccessTabs />
      <div className={styles.sections}>
        <Filter key={JSON.stringify(filter)} filter={filter} />
        <RecordTable
          label={say('audit')}
          columns={columns}
          rows={entries.data?.pages.flatMap(({ items }) => items)}
          rowKey={({ at, reqid, action, target }) => `${at} ${reqid} ${action} ${target}`}
          query={entries}
          failure={say('audit.failed')}
          empty={<p className="soft">{say('audit.none')}</p>}
          more={say('audit.more')}
        />
        <section className="section">
          <CommandTabs
            commands={{
              curl: curl({ role: 'api', target: `/v1/audit${query}`, signed: true }),
              cli: ['millpond audit', ...given].join(' '),
              sdk: `for await (const entry of client.accounts.audit(${JSON.stringify(filter)})) console.log(entry);`,
            }}
          />
        </section>
      </div>
    </Screen>
  );
}

function Filter({ filter }: { readonly filter: AuditSearch }) {
  const say = useTranslations('access');
  const navigate = useNavigate();
  const id = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const next = Object.fromEntries(
      FIELDS.map((name) => [name, ((form.get(name) ?? '') as string).trim() || undefined]),
    );
    void navigate({ to: '/audit', search: ({ account }) => ({ account, ...next }) });
  };
  return (
    <form className={styles.filters} onSubmit={submit}>
      {FIELDS.map((name) => (
        <label key={name} className="field" htmlFor={`${id}-${name}`}>
          <span>{say(name === 'reqid' ? 'request' : name)}</span>
          <input id={`${id}-${name}`} name={name} className="input" defaultValue={filter[name] ?? ''} />
        </label>
      ))}
      <button type="submit" className="button">
        {say('audit.search')}
      </button>
    </form>
  );
}

function useColumns(): readonly RecordColumn<AuditEntry>[] {
  const say = useTranslations('access');
  return [
    { id: 'at', header: say('time'), kind: 'time', tone: 'quiet', width: 176 },
    {
      id: 'action',
      header: say('action'),
      width: 208,
      cell: ({ action, result }) => (
        <>
          <code>{action}</code> {result !== 'ok' && <span className="bad text-small">{result}</span>}
        </>
      ),
    },
    { id: 'actor', header: say('actor') },
    { id: 'target', header: say('target'), kind: 'code' },
    { id: 'address', header: say('address'), kind: 'code', tone: 'quiet', width: 144 },
    {
      id: 'request',
      header: say('request'),
      width: 176,
      cell: ({ reqid }) => (
        <Link
          to="/requests/$reqid"
          params={{ reqid }}
          search={({ account }) => ({ account })}
          className="mono"
        >
          {reqid}
        </Link>
      ),
    },
  ];
}

export const AuditScreen = createLazyRoute('/shell/audit')({ component: Audit });
