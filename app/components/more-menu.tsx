import type { KeyboardEvent, ReactNode } from 'react';
import { MoreIcon } from './icons';

type Props = {
  label: string;
  className?: string;
  /** Set if a script fills the menu: then it opens once the app is there. */
  onOpen?: () => void;
  children: ReactNode;
};

/** Further actions of a row, in a menu that opens without a script. Opening another one closes it. */
export function MoreMenu({ label, className, onOpen, children }: Props) {
  // React 18 has no type for this attribute of <details>
  const group = { name: 'more' };
  return (
    <details
      className={className ? `more ${className}` : 'more'}
      onKeyDown={closeAtEscape}
      onToggle={onOpen}
      {...group}
    >
      <summary className="icon-button" data-needs-app={onOpen && ''}>
        <MoreIcon />
        <span className="hidden-visually">{label}</span>
      </summary>
      <div className="panel">{children}</div>
    </details>
  );
}

function closeAtEscape({ key, currentTarget }: KeyboardEvent<HTMLDetailsElement>) {
  if (key !== 'Escape' || !currentTarget.open) return;
  currentTarget.open = false;
  currentTarget.querySelector('summary')?.focus();
}
