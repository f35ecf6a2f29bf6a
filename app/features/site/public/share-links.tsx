import { useTranslation } from '~/app/lib/translation';
import { CopyRow } from './copy-row';

export type Shared = { episodeId: number; url: string; name: string };

const SITES: { name: string; address: (url: string, name: string) => string }[] = [
  { name: 'WhatsApp', address: (url, name) => `https://wa.me/?text=${name}%20${url}` },
  { name: 'Telegram', address: (url, name) => `https://t.me/share/url?url=${url}&text=${name}` },
  { name: 'X', address: (url, name) => `https://x.com/intent/post?url=${url}&text=${name}` },
  { name: 'Facebook', address: (url) => `https://www.facebook.com/sharer/sharer.php?u=${url}` },
];

/** Links to other sites. Those sites learn nothing until a visitor clicks a link. */
export function ShareLinks({ url, name }: Pick<Shared, 'url' | 'name'>) {
  const { t } = useTranslation('listening');
  const [address, title] = [encodeURIComponent(url), encodeURIComponent(name.toWellFormed())];
  return (
    <>
      <CopyRow text={url} label={t('share.link')} />
      <p className="app-links">
        {SITES.map((site) => (
          <a key={site.name} href={site.address(address, title)} target="_blank" rel="noopener noreferrer">
            {site.name}
          </a>
        ))}
        <a href={`mailto:?subject=${title}&body=${address}`}>{t('share.email')}</a>
      </p>
    </>
  );
}
