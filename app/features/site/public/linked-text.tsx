import { createElement, Fragment } from 'react';
import type { TextPart } from '~/server/base/html';

/** A creator's plain text with its web addresses as links. The loader splits it (`splitAtLinks`). */
export function LinkedText({ parts }: { parts: TextPart[] }) {
  const nodes = parts.map(({ text, href }) =>
    href ? createElement('a', { href, rel: 'nofollow noopener' }, text) : text,
  );
  return createElement(Fragment, null, ...nodes);
}
