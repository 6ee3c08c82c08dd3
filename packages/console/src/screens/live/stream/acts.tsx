/** What can be done to a stream: a snapshot, a recording, a new key; stopping, disabling and deleting it. */
import type { StreamRecord } from '@millpond/client/session';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Camera, CircleDot, EllipsisVertical, Square } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../../../app/session-context.tsx';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs } from '../../../ui/as-command.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useMessages } from '../../../ui/messages.tsx';
import { streamCommand, useLiveCommands } from '../commands.ts';

const ASKED = ['stop', 'key', 'disable', 'remove'] as const;
type Asked = (typeof ASKED)[number];

export function StreamActions({ stream }: { readonly stream: Omit<StreamRecord, 'key'> }) {
  const say = useTranslations('live');
  const { nsId: ns, streamId, status, disabled } = stream;
  const streams = useClient().live.streams(ns);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const tell = useMessages();
  const commands = useLiveCommands();
  const [asked, setAsked] = useState<Asked | undefined>();
  const [isRecording, setRecording] = useState(false);
  const renewed = () => queries.invalidateQueries({ queryKey: ['live'] });
  const onError = (error: Error) => tell({ words: error.message, state: 'bad' });
  const snap = useMutation({
    mutationFn: () => streams.takeSnapshot(streamId),
    onSuccess: () => tell({ words: say('act.snapped') }),
    onError,
    onSettled: renewed,
  });
  const record = useMutation({
    mutationFn: () => (isRecording ? streams.stopRecording(streamId) : streams.startRecording(streamId)),
    onSuccess() {
      tell({ words: say(isRecording ? 'act.recorded' : 'act.records') });
      setRecording(!isRecording);
    },
    onError,
    onSettled: renewed,
  });
  const enable = useMutation({ mutationFn: () => streams.enable(streamId), onError, onSettled: renewed });
  const done: Record<Asked, () => Promise<unknown>> = {
    stop: () => streams.stop(streamId),
    async key() {
      await streams.changeKey(streamId);
      await queries.invalidateQueries({ queryKey: ['live-urls'] });
    },
    disable: () => streams.disable(streamId),
    async remove() {
      await streams.remove(streamId);
      await navigate({ to: '/live/$ns', params: { ns }, search: ({ account }) => ({ account }) });
    },
  };
  return (
    <>
      {status && (
        <>
          <Button
            icon={<Camera className="icon" aria-hidden />}
            waits={snap.isPending}
            onClick={() => snap.mutate()}
          >
            {say('act.snap')}
          </Button>
          <Button
            icon={<CircleDot className={`icon ${isRecording ? 'bad' : ''}`} aria-hidden />}
            waits={record.isPending}
            onClick={() => record.mutate()}
          >
            {say(isRecording ? 'act.recordEnd' : 'act.record')}
          </Button>
          <Button
            kind="danger"
            className="desktop-only"
            icon={<Square className="icon" aria-hidden />}
            onClick={() => setAsked('stop')}
          >
            {say('act.stop')}
          </Button>
        </>
      )}
      {disabled && (
        <Button kind="primary" waits={enable.isPending} onClick={() => enable.mutate()}>
          {say('enable')}
        </Button>
      )}
      <Menu
        label={say('act.more')}
        icon={<EllipsisVertical className="icon" aria-hidden />}
        items={[
          { words: say('act.key'), do: () => setAsked('key') },
          ...(status ? [{ words: say('act.stop'), danger: true, do: () => setAsked('stop') }] : []),
          ...(disabled ? [] : [{ words: say('act.disable'), danger: true, do: () => setAsked('disable') }]),
          { words: say('act.remove'), danger: true, do: () => setAsked('remove') },
        ]}
      />
      {ASKED.map((act) => (
        <Confirm
          key={act}
          title={say(`confirm.${act}`, { stream: streamId })}
          act={say(`do.${act}`)}
          typed={act === 'remove' ? streamId : undefined}
          isOpen={asked === act}
          close={() => setAsked(undefined)}
          onConfirm={async () => {
            await done[act]();
            tell({ words: say(`done.${act}`) });
            await renewed();
          }}
        >
          <p>{say(`confirmWords.${act}`)}</p>
          <CommandTabs commands={commands(streamCommand(ns, streamId)[act])} />
        </Confirm>
      ))}
    </>
  );
}
