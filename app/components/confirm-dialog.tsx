import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import classes from './dialog.module.css';

/** The browser's own modal dialog: it keeps the focus, closes on Escape and brings the focus back. */
export function Dialog({
  open,
  title,
  onClose,
  children,
  wide,
}: {
  open: boolean;
  title: string;
  onClose: () => void;
  children: ReactNode;
  wide?: boolean;
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
  /** Says what will be lost. */
  children: ReactNode;
  /** What has to be typed before anything is lost: its name. */
  name: string;
  nameLabel: string;
  action: string;
  cancel: string;
  onCancel: () => void;
  /** The form that acts; it gets the button. */
  form: string;
};

/** Asks before something is lost for good, and wants its name typed. */
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
  const [typed, setTyped] = useState('');
  useEffect(() => {
    if (!open) setTyped('');
  }, [open]);
  const same = (text: string) => text.trim().toLocaleLowerCase().normalize();
  return (
    <Dialog open={open} title={title} onClose={onCancel}>
      <div className={classes.text}>{children}</div>
      <TextInput
        label={nameLabel}
        description={name}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <div className={classes.actions}>
        <Button type="button" variant="subtle" color="gray" onClick={onCancel}>
          {cancel}
        </Button>
        <Button type="submit" form={form} color="red" disabled={same(typed) !== same(name)}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
