import { useState } from 'react';
import { Button } from './button';

/** Copies a text to the clipboard and confirms it for two seconds. */
export function CopyButton({ text, label, done }: { text: string; label: string; done: string }) {
  const [copied, setCopied] = useState(false);
  async function copy() {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  }
  return (
    <Button
      type="button"
      variant="default"
      size="compact-md"
      data-needs-script
      onClick={() => void copy().catch(() => setCopied(false))}
    >
      <span aria-live="polite">{copied ? done : label}</span>
    </Button>
  );
}
