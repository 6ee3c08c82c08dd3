/** One stream: its picture, who publishes it, its day, recordings, snapshots and events. */
import { createLazyRoute, Link } from '@tanstack/react-router';
import { useSession } from '../../../app/session-context.tsx';
import { durationText } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs } from '../../../ui/as-command.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { StatusMark } from '../../../ui/mark.tsx';
import { Screen } from '../../../ui/screen.tsx';
import { streamCommand, useLiveCommands } from '../commands.ts';
import styles from '../live.module.css';
import { useNamespace, useStream } from '../queries.ts';
import { StreamList } from '../stream-list.tsx';
import { stateOf } from '../stream-state.ts';
import { StreamActions } from './acts.tsx';
import { Day } from './day.tsx';
import { Events } from './events.tsx';
import { Facts } from './facts.tsx';
import { partsOf } from './lanes.ts';
import { Player } from './player.tsx';
import { Recordings } from './recordings.tsx';
import { Snapshots } from './snapshots.tsx';
import { useDay, useRecordings } from './use-day.ts';

export const StreamScreen = createLazyRoute('/shell/live/$ns/streams/$stream')({ component: Stream });

function Stream() {
  const say = useTranslations('live');
  const { ns, stream: streamId } = StreamScreen.useParams();
  const search = StreamScreen.useSearch();
  const { serverNow } = useSession();
  const commands = useLiveCommands();
  const { data: namespace } = useNamespace(ns);
  const { data: stream, error, refetch } = useStream(ns, streamId);
  const { data: day, error: dayError, refetch: dayAgain } = useDay(ns, streamId, search.until);
  const parts = usePlayed(ns, streamId, search, day?.recordings);
  const state = stream && stateOf(stream);
  const { show, urls, snap, record, recordings } = streamCommand(ns, streamId);
  return (
    <Screen
      title={streamId}
      className={`${styles.screen} ${styles.showDetail}`}
      crumbs={
        <>
          <Link to="/live" search={({ account }) => ({ account })} className="soft desktop-only">
            {say('title')}
          </Link>
          <span className="separator desktop-only">/</span>
          <Link
            to="/live/$ns"
            params={{ ns }}
            search={({ account }) => ({ account })}
            className="soft truncate"
          >
            {namespace?.name ?? ns}
          </Link>
          <span className="separator">/</span>
        </>
      }
    >
      <div className="panes">
        <StreamList ns={ns} search={search} open={streamId} />
        <section className={`pane ${styles.streamPane}`} aria-label={streamId}>
          {error !== null && stream === undefined && (
            <Failure error={error} what={say('stream.failed')} again={() => void refetch()} />
          )}
          {stream !== undefined && state !== undefined && (
            <>
              <div className="pane-head">
                <h2 className="truncate">{streamId}</h2>
                <span className="state text-small soft">
                  <StatusMark state={state.mark} />
                  {state.word === 'online'
                    ? say('stream.onlineFor', {
                        span: durationText(serverNow() - stream.lastPushedAt * 1000),
                      })
                    : say(`state.${state.word}`)}
                </span>
                <span className="quiet text-small truncate desktop-only">{stream.desc}</span>
                <span className="end" />
                <StreamActions stream={stream} />
              </div>
              <div className="scroll">
                <div className={styles.top}>
                  <div>
                    <Player stream={stream} parts={parts} />
                    {parts !== undefined && (
                      <p className={styles.back}>
                        <Link
                          to="/live/$ns/streams/$stream"
                          params={{ ns, stream: streamId }}
                          search={({ account }) => ({ account, ...search, play: undefined })}
                          className="link"
                          resetScroll={false}
                        >
                          {say('player.back')}
                        </Link>
                      </p>
                    )}
                  </div>
                  <Facts stream={stream} namespace={namespace} day={day} />
                </div>
                {dayError !== null && day === undefined && (
                  <Failure error={dayError} again={() => void dayAgain()} />
                )}
                {day !== undefined && (
                  <>
                    <Day ns={ns} stream={streamId} facts={day} search={search} />
                    <div className={styles.streamBottom}>
                      <Recordings ns={ns} stream={streamId} search={search} />
                      <Events namespace={namespace} facts={day} />
                    </div>
                    <Snapshots snapshots={day.snapshots} />
                  </>
                )}
                <section className={`${styles.padded} ${styles.same}`}>
                  <h2>{say('asCommand')}</h2>
                  <CommandTabs commands={commands(show, urls, snap, record, recordings)} />
                </section>
              </div>
            </>
          )}
        </section>
      </div>
    </Screen>
  );
}

/** What plays instead of the live picture. */
function usePlayed(
  ns: string,
  stream: string,
  { play, from, to }: { play?: string | undefined; from?: number | undefined; to?: number | undefined },
  ofDay: Parameters<typeof partsOf>[0] | undefined,
) {
  const { data } = useRecordings(ns, stream);
  if (play === undefined) return undefined;
  if (play === 'range')
    return from === undefined || to === undefined || ofDay === undefined
      ? undefined
      : partsOf(ofDay, { from, to });
  const listed = data?.pages.flatMap(({ items }) => items) ?? [];
  const found = [...(ofDay ?? []), ...listed].find(({ file }) => file === play);
  return found && [{ recording: found, begin: 0, end: found.end - found.start }];
}
