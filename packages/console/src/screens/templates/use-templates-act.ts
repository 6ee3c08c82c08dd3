/** An action on templates or triggers: what fails stays in its dialog. */
import { type Action, useAction } from '../../ui/use-action.ts';

export function useTemplatesAct(): Action<() => Promise<unknown>, unknown> {
  return useAction({
    act: (act: () => Promise<unknown>) => act(),
    renews: [['templates']],
    failure: 'inline',
  });
}
