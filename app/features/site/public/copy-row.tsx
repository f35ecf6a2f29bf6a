import { useState } from 'react';
import { useTranslation } from '~/app/lib/translation';

const SHOWN_FOR = 4000;

/** An address with a button that copies it. Without JavaScript, visitors can select the address. */
export function CopyRow({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation('public');
  const [copied, setCopied] = useState(false);

  async function copy() {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_FOR);
  }

  return (
    <div className="copy-row">
      <input
        className="input"
        type="url"
        readOnly
        value={text}
        aria-label={label}
        onFocus={(event) => event.currentTarget.select()}
      />
      <button type="button" className="button needs-js" onClick={copy}>
        <span aria-live="polite">{t(copied ? 'listenInApp.copied' : 'listenInApp.copy')}</span>
      </button>
    </div>
  );
}
