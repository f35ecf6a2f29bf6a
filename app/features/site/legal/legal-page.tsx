import { type LinkGroup, SiteShell } from '~/app/features/site/site/site-shell';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { Translate, Values } from '~/locales/translate';
import { formatDate } from '~/server/base/formats';
import type { OperatorSettings } from '~/server/env/operator';
import { ACCOUNT_LIMITS } from '~/server/limits/accounts';
import { CONTACT_LIMITS } from '~/server/limits/support';

/** The sections of each document, in order. */
const DOCUMENTS = {
  privacy: {
    sections: [
      'operator',
      'account',
      'listening',
      'cookies',
      'providers',
      'retention',
      'rights',
      'children',
      'changes',
    ],
    text: (t: Translate, part: string, values?: Values) => t(`privacy.${part}`, values),
  },
  terms: {
    sections: ['parties', 'account', 'content', 'rules', 'money', 'service', 'leaving', 'law'],
    text: (t: Translate, part: string, values?: Values) => t(`terms.${part}`, values),
  },
};

/** The date of the texts' last change. */
const UPDATED = new Date('2026-11-30T00:00:00Z');

type Props = { document: keyof typeof DOCUMENTS; operator: OperatorSettings; links: LinkGroup[] };

/** The privacy policy or the terms, with the operator's name and contact details. */
export function LegalPage({ document, operator, links }: Props) {
  const { t, locale } = useTranslation('legal');
  const { t: tCommon } = useTranslation();
  const paths = usePaths();
  const { sections, text } = DOCUMENTS[document];
  const date = formatDate(UPDATED, locale);
  const values = {
    operator: [operator.name, operator.address].filter(Boolean).join(', '),
    email: operator.email,
    age: ACCOUNT_LIMITS.ageMin,
    adult: ACCOUNT_LIMITS.ageAdult,
    months: CONTACT_LIMITS.keptMonths,
  };
  return (
    <SiteShell links={links}>
      <article className="wrap legal-page">
        <h1>{text(t, 'title')}</h1>
        <p className="lead">{text(t, 'lead')}</p>
        <p className="muted">{t('updated', { date })}</p>
        <nav aria-label={t('contents')}>
          <ul>
            {sections.map((section) => (
              <li key={section}>
                <a href={`#${section}`}>{text(t, `${section}.title`)}</a>
              </li>
            ))}
          </ul>
        </nav>
        {sections.map((section) => (
          <section key={section} id={section} className="prose">
            <h2>{text(t, `${section}.title`)}</h2>
            <Blocks text={text(t, `${section}.text`, values)} />
          </section>
        ))}
        <p className="form-foot">
          <Link to={paths.contact}>{tCommon('footer.contact')}</Link>
        </p>
      </article>
    </SiteShell>
  );
}

/** Paragraphs, and lists whose lines begin with a hyphen, separated by empty lines. */
function Blocks({ text }: { text: string }) {
  return text.split('\n\n').map((block) =>
    block.startsWith('- ') ? (
      <ul key={block}>
        {block.split('\n').map((line) => (
          <li key={line}>{line.slice(2)}</li>
        ))}
      </ul>
    ) : (
      <p key={block}>{block}</p>
    ),
  );
}
