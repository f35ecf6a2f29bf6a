import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { code } from '../support/sources';

const styleSheets = fs
  .readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.css'))
  .map((file) => path.join('app', file));

/** Only code that can set such an attribute: components, and the statuses of the rooms. */
const valueSources = code
  .filter(({ file }) => /^(?:app|server\/domain)\//.test(file))
  .map(({ text }) => text)
  .join('\n');

// CSS has no types, so a renamed phase or status would lose its style unnoticed
test('every data attribute value in a style sheet exists in the code', () => {
  const unknown = styleSheets.flatMap((file) => {
    // Mantine sets the values of its own attributes
    const selectors = fs.readFileSync(file, 'utf8').matchAll(/\[data-(?!mantine-)[\w-]+(\^?)="([^"]+)"\]/g);
    return [...selectors]
      .filter(([, prefix, value]) => !new RegExp(`['"]${value}${prefix ? '' : `['"]`}`).test(valueSources))
      .map(([selector]) => `${file}: ${selector}`);
  });

  expect(styleSheets.length).toBeGreaterThan(0);
  expect(unknown).toEqual([]);
});

// red means destruction, and never competes with the primary action
test('red buttons are outlined', () => {
  const buttons = code.flatMap(({ file, text }) =>
    [...text.matchAll(/<Button\b[^>]*\bcolor="red"[^>]*>/g)].map(([tag]) => ({ file, tag })),
  );

  expect(buttons.length).toBeGreaterThan(0);
  expect(buttons.filter(({ tag }) => !tag.includes('variant="outline"'))).toEqual([]);
});
