/** Which bucket, and which of its keys. */
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useSession } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import type { Draft } from './search.ts';
import styles from './tokens.module.css';

/** What the policy calls it. */
const SCOPE = 'scope';
const WAYS = ['any', 'prefix', 'one'] as const;

export function ScopeFields({
  draft,
  set,
}: {
  readonly draft: Draft;
  readonly set: (change: Partial<Draft>) => void;
}) {
  const say = useTranslations('tokens');
  const { client, account } = useSession();
  const { data = [] } = useQuery({
    queryKey: ['tokens', account, 'buckets'],
    queryFn: ({ signal }) => client.buckets.names({ signal }),
    staleTime: 60_000,
  });
  const { bucket = '', way: chosen = 'any', key = '' } = draft;
  const names = [...new Set([...(bucket === '' ? [''] : []), ...data, bucket])];
  return (
    <>
      <label className="field">
        <span>
          {say('bucket')}
          <code className="optional">{SCOPE}</code>
        </span>
        <span className="select">
          <select className="input" value={bucket} onChange={(event) => set({ bucket: event.target.value })}>
            {names.map((name) => (
              <option key={name} value={name}>
                {name === '' ? say('chooseBucket') : name}
              </option>
            ))}
          </select>
          <ChevronDown className="icon" aria-hidden />
        </span>
      </label>
      <div className={styles.radioGroup} role="radiogroup" aria-label={say('keys')}>
        {WAYS.map((way) => (
          <label key={way} className="radio">
            <input type="radio" name="way" checked={way === chosen} onChange={() => set({ way })} />
            <span>
              <b>{say(`way.${way}`)}</b>
            </span>
          </label>
        ))}
      </div>
      {chosen !== 'any' && (
        <input
          className="input mono"
          value={key}
          onChange={(event) => set({ key: event.target.value })}
          aria-label={say(`way.${chosen}`)}
          placeholder={chosen === 'prefix' ? 'uploads/' : 'uploads/film.mp4'}
          spellCheck={false}
          autoComplete="off"
        />
      )}
    </>
  );
}
