import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { KindName } from '~/server/domain/products/kinds';

/** Leads from an episode's transcript and chapters to what a language model suggests. */
export function SuggestionsLink({ episode }: { episode: { id: number; productId: number; kind: KindName } }) {
  const { t } = useTranslation('suggestions');
  return (
    <p>
      <Link to={usePaths().suggestions(episode)}>{t('open')}</Link>
    </p>
  );
}
