/** Short messages at the bottom right: gone after 5 s, with a way to undo; failures stay until they are closed. */
import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from '../lib/words.ts';
import { Button } from './button.tsx';
import { type MarkState, StatusMark } from './mark.tsx';

const SHOWN_MS = 5_000;

export interface Message {
  readonly words: string;
  readonly state?: MarkState;
  readonly act?: { readonly words: string; readonly do: () => void };
}

export function Messages({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider timeout={SHOWN_MS} limit={4}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="messages">
          <Shown />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

/** `tell({ words, act })` */
export function useMessages(): (message: Message) => void {
  const { add } = Toast.useToastManager();
  return ({ words, state = 'ok', act }) =>
    void add({
      title: words,
      type: state,
      timeout: state === 'bad' ? 0 : SHOWN_MS,
      priority: state === 'bad' ? 'high' : 'low',
      ...(act === undefined ? {} : { data: act }),
    });
}

function Shown() {
  const say = useTranslations('common');
  const { toasts, close } = Toast.useToastManager();
  return toasts.map((toast) => {
    const act = toast.data as Message['act'];
    return (
      <Toast.Root key={toast.id} toast={toast} className="toast">
        <StatusMark state={toast.type as MarkState} />
        <Toast.Title className="grow" render={<p />} />
        {act !== undefined && (
          <Button
            kind="link"
            onClick={() => {
              act.do();
              close(toast.id);
            }}
          >
            {act.words}
          </Button>
        )}
        <Toast.Close className="copy" aria-label={say('close')}>
          <X className="icon" aria-hidden />
        </Toast.Close>
      </Toast.Root>
    );
  });
}
