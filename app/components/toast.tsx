import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { SECONDS } from '~/server/base/time';
import { TOAST_LIMITS } from '~/server/limits/player';
import { CloseIcon } from './icons';
import classes from './toast.module.css';

/** `close` labels the button that closes it. `closesAfterMs`: null for a message that stays. */
type Toast = {
  id: number;
  message: ReactNode;
  role: 'status' | 'alert';
  close: string;
  closesAfterMs: number | null;
  isOfForm?: boolean;
};

let toasts: Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

const SHOWN_AT_ONCE = 5;
const add = (toast: Omit<Toast, 'id'>): void => set([...toasts, { id: ++lastId, ...toast }]);
const remove = (id: number): void => set(toasts.filter((toast) => toast.id !== id));

/** Shows a success message, which closes after 5,000 ms (spec §9). `close` labels the button that closes it sooner. */
export function showToast(message: string, close: string): void {
  add({ message, role: 'status', close, closesAfterMs: TOAST_LIMITS.closesAfterMs });
}

/** Shows what the last action of a form did, instead of what the one before it did. */
export function showLatestToast(message: string, close: string): void {
  set(toasts.filter((toast) => !toast.isOfForm));
  add({ message, role: 'status', close, closesAfterMs: TOAST_LIMITS.closesAfterMs, isOfForm: true });
}

/** Closes success messages that are no longer true. Errors stay. */
export function closeToasts(): void {
  set(toasts.filter(({ role }) => role !== 'status'));
}

/** Shows an error, which stays until the user closes it. */
export function showErrorToast(message: string, close: string): void {
  add({ message, role: 'alert', close, closesAfterMs: null });
}

/** People need time to read what happened and to reach the button. */
const UNDO_MS = SECONDS(15);

/** A success message with a button that undoes it. `undo` labels the button. */
export function showUndoToast(
  message: string,
  { close, undo, onUndo }: { close: string; undo: string; onUndo: () => void },
): void {
  const id = lastId + 1;
  const act = () => {
    remove(id);
    onUndo();
  };
  const content = (
    <span className={classes.withButton}>
      {message}{' '}
      <button type="button" className={classes.undo} onClick={act}>
        {undo}
      </button>
    </span>
  );
  add({ message: content, role: 'status', close, closesAfterMs: UNDO_MS });
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const NONE: Toast[] = [];

/** The newest messages in a corner of the page. Older ones appear when these close. */
export function Toasts() {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => NONE,
  );
  return (
    <div className={classes.toasts}>
      {shown.slice(-SHOWN_AT_ONCE).map((toast) => (
        <ToastMessage key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

/** Stays while it is pointed at or has the focus. */
function ToastMessage({ toast: { id, message, role, close, closesAfterMs } }: { toast: Toast }) {
  const [isPointedAt, setPointedAt] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const isHeld = isPointedAt || hasFocus;
  useEffect(() => {
    if (closesAfterMs === null || isHeld) return;
    const timer = setTimeout(() => remove(id), closesAfterMs);
    return () => clearTimeout(timer);
  }, [id, closesAfterMs, isHeld]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its role is `status` or `alert`, and it can be held open
    <div
      className={classes.toast}
      role={role}
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
      onFocus={() => setFocus(true)}
      onBlur={({ currentTarget, relatedTarget }) => setFocus(currentTarget.contains(relatedTarget))}
    >
      <div className={classes.text}>{message}</div>
      <button type="button" className={classes.close} aria-label={close} onClick={() => remove(id)}>
        <CloseIcon />
      </button>
    </div>
  );
}
