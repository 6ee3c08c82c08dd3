/** Which rule is open for editing: part of the address, so that a refresh and a link open it again. */
import { useNavigate, useSearch } from '@tanstack/react-router';

/** Of a rule that does not exist yet. No rule has this name. */
export const NEW = '+';

export interface Edited {
  readonly edit?: string;
}

export function readEdited({ edit }: Record<string, unknown>): Edited {
  return typeof edit === 'string' && edit.length <= 1024 ? { edit } : {};
}

export function useEdited(): [edit: string | undefined, open: (edit?: string) => void] {
  const { edit } = useSearch({ strict: false }) as Edited;
  const navigate = useNavigate();
  const open = (next?: string) =>
    void navigate({ to: '.', search: (was) => ({ ...was, edit: next }) as never });
  return [edit, open];
}
