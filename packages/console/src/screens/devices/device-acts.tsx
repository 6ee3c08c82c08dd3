/** What can be done to a device: its video, its channels, its name and password, and deleting it. */
import type { DeviceRecord } from '@millpond/client/session';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { EllipsisVertical, Play, Square } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Menu } from '../../ui/menu.tsx';
import { quoted, useLiveCommands } from '../live/commands.ts';
import { EditDevice } from './edit-device.tsx';
import { useVideo } from './use-video.ts';

export function DeviceActions({ device }: { readonly device: DeviceRecord }) {
  const say = useTranslations('devices');
  const { nsId, gbId, name, media, state } = device;
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const commands = useLiveCommands();
  const { start, stop, fetchCatalog } = useVideo(nsId, gbId);
  const [asked, setAsked] = useState<'edit' | 'remove' | undefined>();
  const close = () => setAsked(undefined);
  return (
    <>
      {media.wanted === 0 ? (
        <Button
          kind="primary"
          icon={<Play className="icon" aria-hidden />}
          waits={start.isPending}
          onClick={() => void start.run()}
        >
          {say('start')}
        </Button>
      ) : (
        <Button
          icon={<Square className="icon" aria-hidden />}
          waits={stop.isPending}
          onClick={() => void stop.run()}
        >
          {say('stop')}
        </Button>
      )}
      <Menu
        label={say('moreActs')}
        icon={<EllipsisVertical className="icon" aria-hidden />}
        items={[
          { words: say('catalog'), disabled: state !== 'online', do: () => void fetchCatalog.run() },
          { words: say('edit'), do: () => setAsked('edit') },
          { words: say('remove'), danger: true, do: () => setAsked('remove') },
        ]}
      />
      {asked === 'edit' && <EditDevice device={device} close={close} />}
      <Confirm
        title={say('removeTitle', { name: name || gbId })}
        act={say('removeAct')}
        isOpen={asked === 'remove'}
        close={close}
        onConfirm={async () => {
          await client.live.devices(nsId).remove(gbId);
          await navigate({ to: '/devices', search: ({ account }) => ({ account, ns: nsId }) });
          await queries.invalidateQueries({ queryKey: ['devices'] });
        }}
      >
        <p>{say('removeWords')}</p>
        <CommandTabs
          commands={commands({
            path: `/namespaces/${nsId}/devices/${gbId}`,
            method: 'DELETE',
            sdk: `await client.live.devices(${quoted(nsId)}).remove(${quoted(gbId)});`,
          })}
        />
      </Confirm>
    </>
  );
}
