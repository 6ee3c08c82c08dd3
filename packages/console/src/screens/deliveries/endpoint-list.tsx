/** The receivers, with how they do. */
import type { EndpointRecord } from '@millpond/client/session';
import { Link } from '@tanstack/react-router';
import { durationText, number } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Failure } from '../../ui/failure.tsx';
import { StatusMark } from '../../ui/mark.tsx';
import styles from './deliveries.module.css';
import { healthOf } from './health.ts';
import { useEndpoints } from './queries.ts';
import type { DeliveriesSearch } from './search.ts';
import { Secrets } from './secrets.tsx';
import { ticksOf } from './ticks-of.ts';

export function EndpointList({ search }: { readonly search: DeliveriesSearch }) {
  const say = useTranslations('deliveries');
  const { data = [], error, refetch } = useEndpoints();
  return (
    <section className={`pane ${styles.endpointPane}`} aria-labelledby="endpoints">
      <div className="pane-head">
        <h2 id="endpoints">{say('endpoints')}</h2>
        <span className="quiet tabular">{number(data.length)}</span>
      </div>
      {error !== null && (
        <Failure error={error} what={say('endpoints.failed')} again={() => void refetch()} />
      )}
      <ul className="scroll">
        <li>
          <Link
            to="/deliveries"
            search={(was) => ({ account: was.account })}
            className={search.endpoint === undefined ? styles.active : ''}
            activeProps={{}}
          >
            <span className="row">
              <b className="truncate">{say('endpoints.all')}</b>
            </span>
          </Link>
        </li>
        {data.map((endpoint) => (
          <li key={endpoint.endpoint}>
            <Line endpoint={endpoint} isOpen={endpoint.endpoint === search.endpoint} />
          </li>
        ))}
      </ul>
      <Secrets />
    </section>
  );
}

function Line({ endpoint, isOpen }: { readonly endpoint: EndpointRecord; readonly isOpen: boolean }) {
  const say = useTranslations('deliveries');
  const { mark, word } = healthOf(endpoint);
  const { waiting, oldest } = endpoint;
  return (
    <Link
      to="/endpoints/$endpoint"
      params={{ endpoint: endpoint.endpoint }}
      search={(was) => ({ account: was.account })}
      className={isOpen ? styles.active : ''}
      activeProps={{}}
    >
      <span className="row">
        <StatusMark state={mark} />
        <b className="truncate">{endpoint.name}</b>
        <span className={`end text-small nowrap ${mark === 'bad' || mark === 'warn' ? mark : 'quiet'}`}>
          {say(`health.${word}`)}
        </span>
      </span>
      <span className={`row ${styles.secondLine}`}>
        <Ticks recent={endpoint.recent} />
        {waiting > 0 && (
          <span className="text-small soft end truncate tabular">
            {say('wait', { count: waiting, number: number(waiting) })}
            {oldest !== undefined && `, ${durationText(Date.now() - Date.parse(oldest))}`}
          </span>
        )}
      </span>
      {endpoint.url !== undefined && (
        <span className={`text-small quiet truncate ${styles.thirdLine}`}>{endpoint.url}</span>
      )}
    </Link>
  );
}

/** The attempts of the last hour, a tick for every five minutes. */
function Ticks({ recent }: { readonly recent: EndpointRecord['recent'] }) {
  return (
    <span className={styles.ticks} aria-hidden>
      {ticksOf(recent, Date.now()).map((state, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tick is its place
        <i key={at} className={state} />
      ))}
    </span>
  );
}
