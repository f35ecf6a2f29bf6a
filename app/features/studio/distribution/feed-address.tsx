import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { CopyButton } from '~/app/components/copy-button';
import { Section } from '~/app/components/page-header';
import type { FormFailure } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { KindName } from '~/server/domain/products/kinds';
import classes from './distribution.module.css';

type Product = { id: number; kind: KindName; ownerEmail: string | null; isOwnerEmailVerified: boolean | null };
type Props = { product: Product; feedUrl: string; failure?: FormFailure };

/** The details that every directory asks for: the feed's address, and access to its owner's email. */
export function FeedAddress({ product, feedUrl, failure }: Props) {
  const { t } = useTranslation('distribution');
  return (
    <Section title={t('feed.title')}>
      <p className={classes.text}>{t('feed.lead')}</p>
      <div className={classes.row}>
        <code>{feedUrl}</code>
        <CopyButton text={feedUrl} label={t('feed.copy')} done={t('feed.copied')} />
      </div>
      <div className={classes.owner} id="owner">
        <p className={classes.ownerLabel}>{t('owner.label')}</p>
        {failure?.values.intent === 'owner' && (
          <Alert color="red" variant="light" role="alert">
            {failure.message ?? Object.values(failure.fields).flat().join(' ')}
          </Alert>
        )}
        <OwnerState product={product} />
      </div>
    </Section>
  );
}

function OwnerState({ product }: { product: Product }) {
  const { t } = useTranslation('distribution');
  const paths = usePaths();
  const email = product.ownerEmail ?? '';
  const state = email === '' ? 'none' : product.isOwnerEmailVerified ? 'verified' : 'waiting';
  return (
    <>
      <p className={classes.text} style={{ overflowWrap: 'anywhere' }}>
        {t(`owner.${state}`, { email })}
      </p>
      <Form method="post" action="#owner" className={classes.row}>
        {state === 'waiting' && (
          <Button type="submit" name="intent" value="owner" size="compact-md">
            {t('owner.resend')}
          </Button>
        )}
        <Button
          component={Link}
          to={`${paths.settings(product, 'feed')}#ownerEmail`}
          variant="default"
          size="compact-md"
        >
          {t(state === 'none' ? 'owner.add' : 'owner.change')}
        </Button>
      </Form>
    </>
  );
}
