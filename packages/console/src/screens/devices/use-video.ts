/** Asking for the video of a device or of its channels, and ending that. */
import { useClient } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { useAction } from '../../ui/use-action.ts';

export function useVideo(ns: string, gbId: string, channels: readonly string[] = []) {
  const say = useTranslations('devices');
  const devices = useClient().live.devices(ns);
  const renews = [['devices'], ['live']];
  return {
    start: useAction({ act: () => devices.start(gbId, { channels }), done: () => say('asked'), renews }),
    stop: useAction({ act: () => devices.stop(gbId, { channels }), renews }),
    fetchCatalog: useAction({
      act: () => devices.fetchCatalog(gbId),
      done: () => say('catalogAsked'),
      renews,
    }),
  };
}
