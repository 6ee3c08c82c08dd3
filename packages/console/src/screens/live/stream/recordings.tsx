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
import { Confirm } from '../../../ui/confirm.tsx';
import { ObjectLink } from '../../../ui/object-link.tsx';
import type { RecordColumn } from '../../../ui/records/record-column.ts';
import { RecordTable } from '../../../ui/records/record-table.tsx';
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
  const { client, serverNow } = useSession();
  const recordings = useRecordings(ns, stream);
  const [removed, setRemoved] = useState<RecordingRecord | undefined>();
  const columns: readonly RecordColumn<RecordingRecord>[] = [
    {
      id: 'begun',
      header: say('recordings.begun'),
      kind: 'time',
      className: styles.begunColumn,
      value: ({ start }) => start * 1000,
      format: (start) => shortTime(start, serverNow()),
    },
    {
      id: 'lasts',
      header: say('recordings.lasts'),
      kind: 'number',
      className: styles.lastsColumn,
      value: ({ duration }) => duration * 1000,
      format: durationText,
    },
    {
      id: 'kind',
      header: say('recordings.kind'),
      tone: 'soft',
      onPhone: 'hidden',
      value: ({ type }) => say(`recordings.kind.${type}`),
    },
    {
      id: 'actions',
      header: say('recordings.acts'),
      kind: 'actions',
      className: styles.actsColumn,
      cell: (recording) => {
        const { bucket, file, start } = recording;
        const at = time(start * 1000);
        return (
          <>
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
              onClick={() => setRemoved(recording)}
            >
              <Trash2 className="icon" aria-hidden />
            </button>
          </>
        );
      },
    },
  ];
  return (
    <section aria-labelledby="recordings">
      <div className="section-head">
        <h2 id="recordings">{say('recordings')}</h2>
      </div>
      <RecordTable
        label={say('recordings')}
        columns={columns}
        rows={recordings.data?.pages.flatMap(({ items }) => items)}
        rowKey={({ file }) => file}
        currentKey={search.play}
        query={recordings}
        failure={say('recordings.failed')}
        empty={<p className="soft">{say('recordings.none')}</p>}
      />
      {removed !== undefined && (
        <Remove ns={ns} stream={stream} recording={removed} close={() => setRemoved(undefined)} />
      )}
    </section>
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
