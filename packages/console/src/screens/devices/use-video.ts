/** Asking for the video of a device or of its channels, and ending that. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { useMessages } from '../../ui/messages.tsx';

export function useVideo(ns: string, gbId: string, channels: readonly string[] = []) {
  const say = useTranslations('devices');
  const devices = useClient().live.devices(ns);
  const queries = useQueryClient();
  const tell = useMessages();
  const onError = (error: Error) => tell({ words: error.message, state: 'bad' });
  const onSettled = () =>
    Promise.all(['devices', 'live'].map((area) => queries.invalidateQueries({ queryKey: [area] })));
  return {
    start: useMutation({
      mutationFn: () => devices.start(gbId, { channels }),
      onSuccess: () => tell({ words: say('asked') }),
      onError,
      onSettled,
    }),
    stop: useMutation({ mutationFn: () => devices.stop(gbId, { channels }), onError, onSettled }),
    fetchCatalog: useMutation({
      mutationFn: () => devices.fetchCatalog(gbId),
      onSuccess: () => tell({ words: say('catalogAsked') }),
      onError,
      onSettled,
    }),
  };
}
