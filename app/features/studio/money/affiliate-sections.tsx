import { TextField } from '~/app/components/fields';
import { Section } from '~/app/components/page-header';
import headerClasses from '~/app/components/page-header.module.css';
import { IntentForm } from '~/app/features/listener/account/section-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { AffiliatePage } from '~/server/domain/affiliates/affiliate-page';
import { AFFILIATE_LIMITS } from '~/server/limits/affiliates';
import { AffiliateTable } from './affiliate-table';
import classes from './money.module.css';

type Props = AffiliatePage & {
  /** The numbers of the programme, for its texts. */
  numbers: Record<string, string | number>;
  /** The path of the page with all rules. */
  programme: string;
  failure?: FormFailure;
};

const RULES = ['share', 'cookie', 'pending', 'self', 'people'] as const;

/** The links with their figures; before the creator has joined, the rules and the button. */
export function AffiliateSections({ links, failure, ...view }: Props) {
  const { t } = useTranslation('affiliates');
  return (
    <div className={classes.sections}>
      {!view.takesPayments && <p className={classes.soft}>{t('noPayments')}</p>}
      {links && <Brought {...view} links={links} />}
      {links && <NewLink canAdd={view.canAdd} failure={failure} />}
      <Section title={t('howItWorks')}>
        <ul>
          {RULES.map((rule) => (
            <li key={rule}>{t(`rule.${rule}`, view.numbers)}</li>
          ))}
        </ul>
        <p className={classes.soft}>
          <a href={view.programme}>{t('rules.more')}</a>
        </p>
        {!links && (
          <>
            <p className={classes.soft}>{t('joinText')}</p>
            <IntentForm intent="join" initial={{}} failure={failure} submit={t('join')}>
              {null}
            </IntentForm>
          </>
        )}
      </Section>
    </div>
  );
}

type Shown = Pick<Props, 'total' | 'refused'> & { links: NonNullable<AffiliatePage['links']> };

function Brought({ links, total, refused }: Shown) {
  const { t } = useTranslation('affiliates');
  const paths = usePaths();
  return (
    <Section title={t('links')}>
      <AffiliateTable links={links} total={total} />
      <p className={classes.soft}>{t('figuresHelp', { count: AFFILIATE_LIMITS.visitMonths })}</p>
      {refused > 0 && <p className={classes.soft}>{t('refused', { count: refused })}</p>}
      <Link to={paths.money}>{t('toMoney')}</Link>
    </Section>
  );
}

/** The same object each time: a new one would empty the form whenever the page renders again. */
const EMPTY = { name: '', linkCode: '' };

function NewLink({ canAdd, failure }: Pick<Props, 'canAdd' | 'failure'>) {
  const { t } = useTranslation('affiliates');
  const { codeLength, links, nameLength } = AFFILIATE_LIMITS;
  return (
    <Section title={t('add')}>
      {canAdd ? (
        <div className={headerClasses.form}>
          <IntentForm intent="add" initial={EMPTY} failure={failure} submit={t('submit')} quiet>
            <TextField name="name" label={t('name')} help={t('nameHelp')} maxLength={nameLength} autoComplete="off" />
            <TextField
              name="linkCode"
              label={t('code')}
              help={t('codeHelp', codeLength)}
              maxLength={codeLength.max}
              autoComplete="off"
              spellCheck={false}
            />
          </IntentForm>
        </div>
      ) : (
        <p className={classes.soft}>{t('allUsed', { count: links })}</p>
      )}
    </Section>
  );
}
