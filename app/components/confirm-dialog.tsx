import { TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from './button';
import classes from './dialog.module.css';

/** The native modal dialog. It traps focus, closes on Escape and restores focus. */
export function Dialog({
  open,
  title,
  onClose,
  children,
  wide,
  atTop,
}: {
  open: boolean;
  title: string;
  onClose: () => void;
  children: ReactNode;
  wide?: boolean;
  /** Its place stays when its content grows. */
  atTop?: boolean;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    if (open) element.current?.showModal();
    else element.current?.close();
  }, [open]);
  return (
    <dialog
      ref={element}
      className={classes.dialog}
      data-wide={wide || undefined}
      data-top={atTop || undefined}
      aria-labelledby={titleId}
      onClose={onClose}
    >
      {open && (
        <>
          <h2 id={titleId} className={classes.title}>
            {title}
          </h2>
          {children}
        </>
      )}
    </dialog>
  );
}

type ConfirmProps = {
  open: boolean;
  title: string;
  /** States what will be lost. */
  children: ReactNode;
  /** The name that the user must type to confirm. */
  name: string;
  nameLabel: string;
  action: string;
  cancel: string;
  onCancel: () => void;
  /** ID of the form that the confirm button submits. */
  form: string;
};

/** Confirms a permanent deletion: the user must type the name. */
export function ConfirmDialog({
  open,
  title,
  children,
  name,
  nameLabel,
  action,
  cancel,
  onCancel,
  form,
}: ConfirmProps) {
  const [input, setInput] = useState('');
  useEffect(() => {
    if (!open) setInput('');
  }, [open]);
  const same = (text: string) => text.trim().toLocaleLowerCase().normalize();
  return (
    <Dialog open={open} title={title} onClose={onCancel}>
      <div className={classes.text}>{children}</div>
      <TextInput
        name="confirmation"
        form={form}
        label={nameLabel}
        description={name}
        value={input}
        onChange={(event) => setInput(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <div className={classes.actions}>
        <Button type="button" variant="subtle" color="gray" onClick={onCancel}>
          {cancel}
        </Button>
        <Button type="submit" form={form} color="red" variant="outline" disabled={same(input) !== same(name)}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}

type WithoutScriptProps = { open: string; action: string; children: ReactNode };

/** The confirmation without JavaScript, inside the form that it submits: the first click states what will be lost. */
export function ConfirmWithoutScript({ open, action, children }: WithoutScriptProps) {
  return (
    <noscript>
      <details className={classes.plain}>
        <summary>{open}</summary>
        <div className={classes.text}>{children}</div>
        <Button type="submit" color="red" variant="outline">
          {action}
        </Button>
      </details>
    </noscript>
  );
}
