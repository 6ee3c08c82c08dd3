/** What happened to a stream in a day: publishers that came and went, recordings that were stored; and how their receiver does. */
import type { NamespaceRecord } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../../app/session-context.tsx';
import { clock, durationText, number, shortTime, time } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { StatusMark } from '../../../ui/mark.tsx';
import styles from '../live.module.css';
import { eventsOf, type StreamEvent } from './lanes.ts';
import type { DayFacts } from './use-day.ts';

const MOST = 100;

export function Events({
  namespace,
  facts,
}: {
  readonly namespace: NamespaceRecord | undefined;
  readonly facts: DayFacts;
}) {
  const say = useTranslations('live');
  const events = eventsOf(facts.publishers, facts.recordings).slice(0, MOST);
  return (
    <section aria-labelledby="events">
      <div className="section-head">
        <h2 id="events">{say('events')}</h2>
        {namespace !== undefined && <Receiver namespace={namespace} />}
      </div>
      {events.length === 0 && <p className="soft">{say('events.none')}</p>}
      <ul className={styles.eventList}>
        {events.map((event) => (
          <li key={`${event.kind} ${event.at}`}>
            <Line event={event} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Line({ event }: { readonly event: StreamEvent }) {
  const say = useTranslations('live');
  const { serverNow } = useSession();
  const { kind, at } = event;
  return (
    <>
      <StatusMark state={kind === 'gone' ? 'off' : kind === 'connected' ? 'ok' : 'busy'} />
      <time className="tabular quiet" title={time(at * 1000)}>
        {shortTime(at * 1000, serverNow())}
      </time>
      <span className="weight-medium nowrap">{say(`event.${kind}`)}</span>
      <span className="truncate soft text-small">
        {event.kind === 'connected' && say('event.from', { address: event.address })}
        {event.kind === 'gone' &&
          say('event.after', { span: durationText(event.seconds * 1000), address: event.address })}
        {event.kind === 'recorded' &&
          say('day.range', {
            from: clock(event.recording.start * 1000),
            to: clock(event.recording.end * 1000),
          })}
      </span>
    </>
  );
}

/** Who is told of all this, and whether they hear it. */
function Receiver({ namespace }: { readonly namespace: NamespaceRecord }) {
  const say = useTranslations('live');
  const { client, account } = useSession();
  const { id, callback } = namespace;
  const { data } = useQuery({
    queryKey: ['live', account, 'receiver', id],
    async queryFn({ signal }) {
      for await (const endpoint of client.deliveries.endpoints({ signal }))
        if (endpoint.configured && endpoint.name === `live ${id}`) return endpoint;
      return null;
    },
    enabled: callback !== '',
    refetchInterval: 10_000,
  });
  if (callback === '')
    return (
      <Link
        to="/live/$ns"
        params={{ ns: id }}
        search={(was) => ({ account: was.account, pane: 'settings' as const })}
        className="text-small quiet"
      >
        {say('events.noReceiver')}
      </Link>
    );
  if (data === undefined || data === null) return null;
  const { waiting, failingSince, suspended, endpoint } = data;
  const isAway = failingSince !== undefined || suspended !== undefined;
  return (
    <>
      {waiting > 0 && (
        <span className={`text-small ${isAway ? 'bad' : 'quiet'}`}>
          {say(isAway ? 'events.away' : 'events.waiting', { count: waiting, number: number(waiting) })}
        </span>
      )}
      <Link
        to="/endpoints/$endpoint"
        params={{ endpoint }}
        search={(was) => ({ account: was.account })}
        className="link end"
      >
        {say('events.receiver')}
      </Link>
    </>
  );
}
