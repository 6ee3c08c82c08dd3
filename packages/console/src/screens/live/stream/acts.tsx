/** What can be done to a stream: a snapshot, a recording, a new key; stopping, disabling and deleting it. */
import type { StreamRecord } from '@millpond/client/session';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Camera, CircleDot, EllipsisVertical, Square } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../../../app/session-context.tsx';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs } from '../../../ui/as-command.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { streamCommand, useLiveCommands } from '../commands.ts';

const ASKED = ['stop', 'key', 'disable', 'remove'] as const;
type Asked = (typeof ASKED)[number];

export function StreamActions({ stream }: { readonly stream: Omit<StreamRecord, 'key'> }) {
  const say = useTranslations('live');
  const { nsId: ns, streamId, status, disabled } = stream;
  const streams = useClient().live.streams(ns);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const commands = useLiveCommands();
  const [asked, setAsked] = useState<Asked | undefined>();
  const [isRecording, setRecording] = useState(false);
  const renews = [['live']];
  const snap = useAction({
    act: () => streams.takeSnapshot(streamId),
    done: () => say('act.snapped'),
    renews,
  });
  const record = useAction({
    act: () => (isRecording ? streams.stopRecording(streamId) : streams.startRecording(streamId)),
    done: () => say(isRecording ? 'act.recorded' : 'act.records'),
    after: () => setRecording(!isRecording),
    renews,
  });
  const enable = useAction({ act: () => streams.enable(streamId), renews });
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
  const confirmed = useAction({
    act: (act: Asked) => done[act](),
    done: (_output, act) => say(`done.${act}`),
    renews,
    failure: 'inline',
  });
  return (
    <>
      {status && (
        <>
          <Button
            icon={<Camera className="icon" aria-hidden />}
            waits={snap.isPending}
            onClick={() => void snap.run()}
          >
            {say('act.snap')}
          </Button>
          <Button
            icon={<CircleDot className={`icon ${isRecording ? 'bad' : ''}`} aria-hidden />}
            waits={record.isPending}
            onClick={() => void record.run()}
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
        <Button kind="primary" waits={enable.isPending} onClick={() => void enable.run()}>
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
          onConfirm={() => confirmed.attempt(act)}
        >
          <p>{say(`confirmWords.${act}`)}</p>
          <CommandTabs commands={commands(streamCommand(ns, streamId)[act])} />
        </Confirm>
      ))}
    </>
  );
}
