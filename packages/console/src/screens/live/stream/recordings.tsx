/** Recordings of a stream, newest first: played here, found as objects, saved as files, deleted. */
import type { RecordingRecord } from '@millpond/client/session';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useClient, useSession } from '../../../app/session-context.tsx';
import { durationText, shortTime, time } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs } from '../../../ui/as-command.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { ObjectLink } from '../../../ui/object-link.tsx';
import { quoted, useLiveCommands } from '../commands.ts';
import styles from '../live.module.css';
import type { StreamSearch } from '../search.ts';
import { useRecordings } from './use-day.ts';

interface Props {
  readonly ns: string;
  readonly stream: string;
  readonly search: StreamSearch;
}

export function Recordings({ ns, stream, search }: Props) {
  const say = useTranslations('live');
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useRecordings(ns, stream);
  const [removed, setRemoved] = useState<RecordingRecord | undefined>();
  const rows = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <section aria-labelledby="recordings">
      <div className="section-head">
        <h2 id="recordings">{say('recordings')}</h2>
      </div>
      {error !== null && data === undefined && (
        <Failure error={error} what={say('recordings.failed')} again={() => void refetch()} />
      )}
      {data !== undefined && rows.length === 0 && <p className="soft">{say('recordings.none')}</p>}
      {rows.length > 0 && (
        <table className="table">
          <thead>
            <tr>
              <th scope="col" className={styles.begunColumn}>
                {say('recordings.begun')}
              </th>
              <th scope="col" className={`numeric ${styles.lastsColumn}`}>
                {say('recordings.lasts')}
              </th>
              <th scope="col">{say('recordings.kind')}</th>
              <th scope="col" className={styles.actsColumn}>
                <span className="visually-hidden">{say('recordings.acts')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((recording) => (
              <Row
                key={recording.file}
                {...{ ns, stream, search, recording }}
                remove={() => setRemoved(recording)}
              />
            ))}
          </tbody>
        </table>
      )}
      {hasNextPage && (
        <Button kind="link" waits={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {say('more')}
        </Button>
      )}
      {removed !== undefined && (
        <Remove {...{ ns, stream }} recording={removed} close={() => setRemoved(undefined)} />
      )}
    </section>
  );
}

function Row({
  ns,
  stream,
  search,
  recording,
  remove,
}: Props & { readonly recording: RecordingRecord; readonly remove: () => void }) {
  const say = useTranslations('live');
  const { client, serverNow } = useSession();
  const { bucket, file, start, duration, type } = recording;
  const at = time(start * 1000);
  return (
    <tr aria-selected={search.play === file}>
      <td className="tabular" title={at}>
        {shortTime(start * 1000, serverNow())}
      </td>
      <td className="numeric">{durationText(duration * 1000)}</td>
      <td className="soft">{say(`recordings.kind.${type}`)}</td>
      <td className="actions">
        <Link
          to="/live/$ns/streams/$stream"
          params={{ ns, stream }}
          search={({ account }) => ({ account, ...search, play: file })}
          className="link"
          resetScroll={false}
          aria-label={say('recordings.playAt', { at })}
        >
          {say('recordings.play')}
        </Link>
        <ObjectLink bucket={bucket} name={file} className="link">
          {say('recordings.object')}
        </ObjectLink>
        <a
          className="copy"
          href={client.objectUrl(bucket, file)}
          download={file.split('/').at(-1)}
          aria-label={say('recordings.saveAt', { at })}
        >
          <Download className="icon" aria-hidden />
        </a>
        <button
          type="button"
          className="copy"
          aria-label={say('recordings.removeAt', { at })}
          onClick={remove}
        >
          <Trash2 className="icon" aria-hidden />
        </button>
      </td>
    </tr>
  );
}

function Remove({
  ns,
  stream,
  recording,
  close,
}: Omit<Props, 'search'> & { readonly recording: RecordingRecord; readonly close: () => void }) {
  const say = useTranslations('live');
  const client = useClient();
  const queries = useQueryClient();
  const commands = useLiveCommands();
  const { file, start } = recording;
  return (
    <Confirm
      title={say('recordings.removeTitle', { at: time(start * 1000) })}
      act={say('remove')}
      isOpen
      close={close}
      onConfirm={async () => {
        await client.live.streams(ns).removeRecordings(stream, [file]);
        await queries.invalidateQueries({ queryKey: ['live'] });
      }}
    >
      <p>{say('recordings.removeWords')}</p>
      <CommandTabs
        commands={commands({
          path: `/namespaces/${ns}/streams/${stream}/recordhistories`,
          method: 'DELETE',
          json: { files: [file] },
          sdk: `await client.live.streams(${quoted(ns)}).removeRecordings(${quoted(stream)}, [${quoted(file)}]);`,
        })}
      />
    </Confirm>
  );
}
