import { Tabs } from '~/app/components/tabs';
import { usePaths } from '~/app/lib/paths';
import { Link, useLocation } from '~/app/lib/router';
import { useMay } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { KINDS, type KindName } from '~/server/domain/products/kinds';
import { isInstalled } from '~/server/policy/capabilities';

type Product = { id: number; kind: KindName; isFree: boolean; subscribersCount: number | null };

/** The parts of a show that the member's role may open. */
export function ShowTabs({ product }: { product: Product }) {
  const { t } = useTranslation('product');
  const may = useMay();
  const paths = usePaths();
  // the path may also begin with `account/`
  const current = /\/\d+\/([^/]+)/.exec(useLocation().pathname)?.[1] ?? 'episodes';
  const { buyers } = KINDS[product.kind];
  const isManager = may('product.manage');
  // a show that became free still has the people who paid for it
  const hasBuyers = !product.isFree || (product.subscribersCount ?? 0) > 0;
  const tabs = [
    { part: 'episodes', name: 'episodes', to: paths.product(product), isShown: true },
    {
      part: buyers,
      name: product.isFree ? 'followers' : buyers,
      to: paths.buyers(product),
      isShown: hasBuyers && may('product.readBuyers'),
    },
    {
      part: 'metric',
      name: 'statistics',
      to: paths.statistics(product),
      isShown: isInstalled('statistics') && may('creator.readStatistics'),
    },
    { part: 'promotions', name: 'promos', to: paths.promotions(product), isShown: may('episode.read') },
    { part: 'audio-insertion', name: 'insertions', to: paths.insertions(product), isShown: may('campaign.read') },
    {
      part: 'recommendation',
      name: 'recommendations',
      to: paths.showRecommendations(product),
      isShown: may('recommendation.manage'),
    },
    { part: 'distribution', name: 'distribution', to: paths.distribution(product), isShown: isManager },
    { part: 'settings', name: 'settings', to: paths.settings(product), isShown: isManager },
  ];
  return (
    <Tabs label={t('tabs.label')}>
      {tabs
        .filter(({ isShown }) => isShown)
        .map(({ part, name, to }) => (
          <Link key={part} to={to} prefetch="intent" aria-current={part === current ? 'page' : undefined}>
            {t(`tabs.${name}`)}
          </Link>
        ))}
    </Tabs>
  );
}
