import { useTranslation } from '~/app/lib/translation';
import classes from './product.module.css';
import { FORM_SECTIONS } from './product-form';

/** Links to the sections of the long form. */
export function SectionLinks() {
  const { t } = useTranslation('product');
  return (
    <nav className={classes.sections} aria-label={t('section.label')}>
      {FORM_SECTIONS.map((name) => (
        <a key={name} href={`#${name}`}>
          {t(`section.${name}`)}
        </a>
      ))}
      <a href="#feed">{t('feed.title')}</a>
      <a href="#danger">{t('section.danger')}</a>
    </nav>
  );
}
