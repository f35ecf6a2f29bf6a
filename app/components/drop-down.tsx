import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from '~/app/lib/router';
import classes from './drop-down.module.css';

type Props = {
  /** The button's class. By default, it looks like the buttons of forms. */
  className?: string;
  /** The main action of the page. */
  isMain?: boolean;
  /** Read by screen readers instead of the button's text. */
  label?: string;
  button: ReactNode;
  /** The side of the button with which the panel is aligned. */
  align?: 'start' | 'end';
  children: ReactNode;
};

/**
 * A button that opens a panel below it. It works without JavaScript; with it, Escape, a click elsewhere and a
 * navigation close the panel.
 */
export function DropDown({ className = classes.button, isMain, label, button, align = 'start', children }: Props) {
  const element = useRef<HTMLDetailsElement>(null);
  const { key } = useLocation();
  const shownFor = useRef(key);
  useEffect(() => {
    // the effect also runs on hydration, when the user may have opened the panel
    if (element.current && shownFor.current !== key) element.current.open = false;
    shownFor.current = key;
  }, [key]);
  useEffect(() => {
    const stop = closeBy(element.current);
    return stop;
  }, []);
  return (
    <details ref={element} className={classes.dropDown} data-align={align}>
      <summary className={className} data-main={isMain || undefined} aria-label={label}>
        {button}
      </summary>
      <div className={classes.panel}>{children}</div>
    </details>
  );
}

export const dropDownItem = classes.item;

/** @returns a function that stops listening */
function closeBy(details: HTMLDetailsElement | null): () => void {
  const click = ({ target }: MouseEvent) => {
    if (details?.open && !details.contains(target as Node)) details.open = false;
  };
  const press = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !details?.open) return;
    const isInside = details.contains(document.activeElement);
    details.open = false;
    if (isInside) details.querySelector('summary')?.focus();
  };
  document.addEventListener('click', click);
  document.addEventListener('keydown', press);
  return () => {
    document.removeEventListener('click', click);
    document.removeEventListener('keydown', press);
  };
}
