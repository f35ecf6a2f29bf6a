import { notifications } from '@mantine/notifications';
import { SECONDS } from '~/server/base/time';
import classes from './undo-toast.module.css';

/** People need time to read what happened and to reach the button. */
const UNDO_MS = SECONDS(15);

type UndoTexts = { close: string; undo?: string; onUndo?: () => void };

/** A success message with a button that undoes it. `undo` labels the button. */
export function showUndoToast(message: string, { close, undo, onUndo }: UndoTexts): void {
  const id = `undo-${++undoToasts}`;
  const act = () => {
    notifications.hide(id);
    onUndo?.();
  };
  const button = onUndo && (
    <button type="button" className={classes.undo} onClick={act}>
      {undo}
    </button>
  );
  notifications.show({
    id,
    message: (
      <span className={classes.message}>
        {message} {button}
      </span>
    ),
    role: 'status',
    color: 'var(--positive)',
    ...(onUndo && { autoClose: UNDO_MS }),
    closeButtonProps: { 'aria-label': close },
  });
}

let undoToasts = 0;
