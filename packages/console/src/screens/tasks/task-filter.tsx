/** Which tasks are listed: by state, pipeline and bucket. The address says it. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronDown, X } from 'lucide-react';
import { useSession } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { Segments } from '../../ui/segments.tsx';
import { STATES, type TaskState, type TasksSearch } from './search.ts';
import styles from './tasks.module.css';

type State = TaskState | 'all';

export function TaskFilterBar({ filter }: { readonly filter: TasksSearch }) {
  const say = useTranslations('tasks');
  const { client, account } = useSession();
  const navigate = useNavigate();
  const pipelines = useQuery({
    queryKey: ['pipelines', account],
    queryFn: ({ signal }) => client.processing.pipelines({ signal }),
  });
  const buckets = useQuery({
    queryKey: ['buckets', account, 'names'],
    queryFn: ({ signal }) => client.buckets.names({ signal }),
    staleTime: 60_000,
  });
  const choose = (change: TasksSearch) =>
    void navigate({
      to: '/tasks',
      search: (was) => ({ account: was.account, ...filter, ...change }),
      replace: true,
    });
  const states: readonly State[] = ['all', ...STATES];
  return (
    <div className={styles.filter}>
      <Segments
        label={say('filter.state')}
        value={filter.state ?? 'all'}
        options={states.map((value) => ({ value, words: say(`state.${value}`) }))}
        onChange={(value) => choose({ state: value === 'all' ? undefined : value })}
      />
      <Choice
        label={say('filter.pipeline')}
        all={say('filter.anyPipeline')}
        value={filter.pipeline}
        values={['0.default', ...(pipelines.data ?? []).map(({ name }) => name)]}
        onChange={(pipeline) => choose({ pipeline })}
      />
      <Choice
        label={say('filter.bucket')}
        all={say('filter.anyBucket')}
        value={filter.bucket}
        values={buckets.data ?? []}
        onChange={(bucket) => choose({ bucket, key: undefined })}
      />
      {filter.key !== undefined && (
        <span className="tag">
          <span className="mono truncate">{filter.key}</span>
          <Button
            kind="ghost"
            icon={<X className="icon" aria-hidden />}
            aria-label={say('filter.dropKey')}
            onClick={() => choose({ key: undefined })}
          />
        </span>
      )}
    </div>
  );
}

function Choice({
  label,
  all,
  value,
  values,
  onChange,
}: {
  readonly label: string;
  readonly all: string;
  readonly value: string | undefined;
  readonly values: readonly string[];
  readonly onChange: (value: string | undefined) => void;
}) {
  // What the address names is shown even if there is no such thing any more.
  const shown = value === undefined || values.includes(value) ? values : [value, ...values];
  return (
    <span className="select">
      <select
        className="input"
        aria-label={label}
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
      >
        <option value="">{all}</option>
        {shown.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <ChevronDown className="icon" aria-hidden />
    </span>
  );
}
