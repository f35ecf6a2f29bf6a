import { useState } from 'react';
import { useTranslation } from '~/app/lib/translation';

const SHOWN_FOR = 4000;

/** `isMain`: copying is the main action of the page. */
type Props = { text: string; label: string; isCode?: boolean; isMain?: boolean };

/** An address or a code with a button that copies it. Without JavaScript, visitors can select it. */
export function CopyRow({ text, label, isCode = false, isMain = false }: Props) {
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
        type={isCode ? 'text' : 'url'}
        readOnly
        value={text}
        aria-label={label}
        onFocus={(event) => event.currentTarget.select()}
      />
      <button type="button" className={isMain ? 'button needs-js' : 'button plain needs-js'} onClick={copy}>
        <span aria-live="polite">{t(copied ? 'listenInApp.copied' : 'listenInApp.copy')}</span>
      </button>
    </div>
  );
}
