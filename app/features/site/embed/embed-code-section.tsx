import { useState } from 'react';
import { CopyButton } from '~/app/components/copy-button';
import {
  type EmbedChoice,
  type EmbedType,
  embedCode,
  embedFrame,
  FIRST_CHOICE,
  SIZES,
  THEMES,
  WIDTHS,
} from '~/app/lib/embed-code';
import { useTranslation } from '~/app/lib/translation';
import classes from './embed-code-section.module.css';

type Props = { type: EmbedType; url: string; name: string };

/** The HTML that embeds the player in another site, with a choice of sizes and a preview that plays. */
export function EmbedCodeSection({ type, url, name }: Props) {
  const { t } = useTranslation('embed');
  const [choice, setChoice] = useState(FIRST_CHOICE);
  const frame = embedFrame(url, type, choice);
  const code = embedCode(frame, t('code.frame', { name }));
  return (
    <details className={classes.section} id="embed">
      <summary>{t(`code.title.${type}`)}</summary>
      <p>{t('code.lead')}</p>
      <p>{t('code.moment')}</p>
      <Choices choice={choice} onChange={setChoice} />
      <textarea
        className={classes.code}
        readOnly
        rows={4}
        spellCheck={false}
        aria-label={t('code.label')}
        value={code}
        onFocus={(event) => event.currentTarget.select()}
      />
      <div>
        <CopyButton text={code} label={t('code.copy')} done={t('code.copied')} />
      </div>
      {/* a closed section loads no player; the path alone keeps the frame on the current host, whatever its name */}
      <iframe
        className={classes.preview}
        title={t('code.preview')}
        src={frame.src.slice(new URL(url).origin.length)}
        width={frame.width}
        height={frame.height}
        loading="lazy"
      />
    </details>
  );
}

const CHOICES = { size: SIZES, width: WIDTHS, theme: THEMES };

/** Choices of size, width and theme. Without JavaScript, the code uses the first choice of each. */
function Choices({ choice, onChange }: { choice: EmbedChoice; onChange: (choice: EmbedChoice) => void }) {
  const { t } = useTranslation('embed');
  return (
    <div className={classes.choices} data-needs-script>
      {(Object.keys(CHOICES) as (keyof EmbedChoice)[]).map((name) => (
        <fieldset key={name}>
          <legend>{t(`code.${name}`)}</legend>
          {CHOICES[name].map((value) => (
            <label key={value}>
              <input
                type="radio"
                name={`embed-${name}`}
                checked={choice[name] === value}
                onChange={() => onChange({ ...choice, [name]: value })}
              />
              {t(`code.${name}.${value}`)}
            </label>
          ))}
        </fieldset>
      ))}
    </div>
  );
}
