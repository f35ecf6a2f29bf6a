import type { KeyboardEvent, ReactNode } from 'react';
import { MoreIcon } from './icons';

/** Further actions of a row, in a menu that opens without a script. Opening another one closes it. */
export function MoreMenu({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  // React 18 has no type for this attribute of <details>
  const group = { name: 'more' };
  return (
    <details className={className ? `more ${className}` : 'more'} onKeyDown={closeAtEscape} {...group}>
      <summary className="icon-button">
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
