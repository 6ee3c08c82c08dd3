/** A menu of acts behind a button. */
import { Menu as Base } from '@base-ui/react/menu';
import type { ReactNode } from 'react';

export interface MenuItem {
  readonly words: string;
  readonly icon?: ReactNode;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly do: () => void;
}

export function Menu({
  label,
  icon,
  items,
  className = 'button icon-only',
}: {
  readonly label: string;
  readonly icon: ReactNode;
  readonly items: readonly MenuItem[];
  readonly className?: string | undefined;
}) {
  return (
    <Base.Root>
      <Base.Trigger className={className} aria-label={label}>
        {icon}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end" className="floating">
          <Base.Popup className="popover menu">
            {items.map(({ words, icon: own, danger, disabled = false, do: act }) => (
              <Base.Item
                key={words}
                className={`menu-item ${danger ? 'bad' : ''}`}
                disabled={disabled}
                onClick={act}
              >
                {own}
                {words}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
