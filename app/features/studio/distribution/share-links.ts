/** Sites that share a link without an app of ours or a script of theirs. */
export function shareLinks({ url, message }: { url: string; message: string }): { name: string; href: string }[] {
  const [u, m] = [encodeURIComponent(url), encodeURIComponent(message)];
  const both = encodeURIComponent(`${message} ${url}`);
  return [
    { name: 'WhatsApp', href: `https://wa.me/?text=${both}` },
    { name: 'Telegram', href: `https://t.me/share/url?url=${u}&text=${m}` },
    { name: 'Bluesky', href: `https://bsky.app/intent/compose?text=${both}` },
    { name: 'Facebook', href: `https://www.facebook.com/sharer/sharer.php?u=${u}` },
    { name: 'X', href: `https://x.com/intent/post?text=${m}&url=${u}` },
    { name: 'LinkedIn', href: `https://www.linkedin.com/sharing/share-offsite/?url=${u}` },
  ];
}

export const emailLink = ({ url, message }: { url: string; message: string }) =>
  `mailto:?subject=${encodeURIComponent(message)}&body=${encodeURIComponent(`${message} ${url}`)}`;
