/** Says that the server can't be reached, and until when the figures on the screen are. */
import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useTranslations } from '../lib/words.ts';

export function Offline() {
  const say = useTranslations('common');
  const isOnline = useSyncExternalStore(watch, () => navigator.onLine);
  if (isOnline) return null;
  return (
    <div className="offline" role="status">
      <WifiOff className="icon" aria-hidden />
      {say('offline')}
    </div>
  );
}

function watch(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}
