/** `email` has an icon, too, but is a link of its own. */
export type ShareSite = 'WhatsApp' | 'Telegram' | 'Bluesky' | 'Facebook' | 'X' | 'LinkedIn' | 'email';
type Shared = { url: string; message: string };

/** Sites that share a link without an app of ours or a script of theirs. They learn nothing before a click. */
export function shareSites({ url, message }: Shared): { name: Exclude<ShareSite, 'email'>; href: string }[] {
  const [u, m] = [encodeURIComponent(url), encodeURIComponent(message.toWellFormed())];
  const both = `${m}%20${u}`;
  return [
    { name: 'WhatsApp', href: `https://wa.me/?text=${both}` },
    { name: 'Telegram', href: `https://t.me/share/url?url=${u}&text=${m}` },
    { name: 'Bluesky', href: `https://bsky.app/intent/compose?text=${both}` },
    { name: 'Facebook', href: `https://www.facebook.com/sharer/sharer.php?u=${u}` },
    { name: 'X', href: `https://x.com/intent/post?text=${m}&url=${u}` },
    { name: 'LinkedIn', href: `https://www.linkedin.com/sharing/share-offsite/?url=${u}` },
  ];
}

export function emailLink({ url, message }: Shared): string {
  const [u, m] = [encodeURIComponent(url), encodeURIComponent(message.toWellFormed())];
  return `mailto:?subject=${m}&body=${m}%20${u}`;
}
