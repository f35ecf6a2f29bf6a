import { useTranslation } from '~/app/lib/translation';
import type { TextPart } from '~/server/base/html';
import { inLanguage } from './content-language';
import { LinkedText } from './linked-text';

/** Descriptions longer than this, in characters, begin with some lines and show the rest on request. */
const LONG = 420;

/** The show's description. The rest of a long one opens without a script. */
export function AboutShow({ description, language }: { description: TextPart[]; language: string }) {
  const { t } = useTranslation('public');
  const isLong = description.reduce((sum, { text }) => sum + text.length, 0) > LONG;
  return (
    <section className="about-show" aria-labelledby="about">
      <h2 id="about">{t('about')}</h2>
      <p className={isLong ? 'prose about long' : 'prose about'} {...inLanguage(language)}>
        <LinkedText parts={description} />
      </p>
      {isLong && (
        <label className="whole-text">
          <input type="checkbox" /> {t('about.whole')}
        </label>
      )}
    </section>
  );
}
