import { createElement, Fragment } from 'react';
import { splitAtLinks } from '~/server/html';

/** A creator's plain text, in which web addresses are links. */
export function LinkedText({ children }: { children: string }) {
  const parts = splitAtLinks(children).map(({ text, href }) =>
    href ? createElement('a', { href, rel: 'nofollow noopener' }, text) : text,
  );
  return createElement(Fragment, null, ...parts);
}
