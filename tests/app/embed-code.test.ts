import { expect, test } from 'vitest';
import { embedCode, embedFrame, FIRST_CHOICE } from '~/app/lib/embed-code';

const URL = 'https://altavoz.example/embed/7';

test.each([
  ['episode', {}, { src: URL, width: '100%', height: 180 }],
  ['episode', { size: 'compact' }, { src: URL, width: '100%', height: 120 }],
  ['product', { width: 'fixed' }, { src: URL, width: '600', height: 450 }],
  ['product', { size: 'compact', theme: 'dark' }, { src: `${URL}?theme=dark`, width: '100%', height: 300 }],
] as const)('the frame of an %s with %j', (type, over, expected) => {
  expect(embedFrame(URL, type, { ...FIRST_CHOICE, ...over })).toEqual(expected);
});

test('a title cannot leave its attribute', () => {
  const code = embedCode(embedFrame(URL, 'episode', FIRST_CHOICE), "\"><script>alert(1)</script> & 'más' 🎧");

  expect(code).toBe(
    `<iframe src="${URL}" width="100%" height="180" title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; &#39;más&#39; 🎧" loading="lazy" style="border:0;max-width:100%"></iframe>`,
  );
});
