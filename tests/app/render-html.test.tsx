import { type ReactNode, Suspense } from 'react';
import { expect, test } from 'vitest';
import { loaderDataScript, renderHtml } from '~/app/lib/render-html.server';

/** The tree below the root of every page. */
const pageOf = (content: ReactNode) => (
  <html lang="es">
    <body>
      <Suspense fallback={null}>{content}</Suspense>
    </body>
  </html>
);

async function render(content: ReactNode, page = pageOf) {
  const errors: unknown[] = [];
  const rendered = await renderHtml(page(content), { nonce: 'n', onError: (error) => errors.push(error) });
  return { ...rendered, html: rendered.html.toString(), errors };
}

test('a long page keeps every letter', async () => {
  const lines = Array.from({ length: 400 }, (_, i) => 'x'.repeat(i % 7) + 'ñandú'.repeat(3));

  const { html, hasFailed } = await render(lines.map((line, i) => <p key={i}>{line}</p>));

  expect(html).toBe(
    `<!DOCTYPE html><html lang="es"><body><!--$-->${lines.map((line) => `<p>${line}</p>`).join('')}<!--/$--></body></html>`,
  );
  expect(hasFailed).toBe(false);
});

test('an error in a component is reported, and the page has failed', async () => {
  const error = new Error('broken');
  const Broken = () => {
    throw error;
  };

  expect(await render(<Broken />)).toMatchObject({ hasFailed: true, errors: [error] });
});

test('an error above every boundary is reported once, and there is no page', async () => {
  const error = new Error('broken');
  const errors: unknown[] = [];
  const Broken = () => {
    throw error;
  };

  const page = renderHtml(<Broken />, { nonce: 'n', onError: (other) => errors.push(other) });

  await expect(page).rejects.toBe(error);
  expect(errors).toEqual([error]);
});

test.each([
  ['below a boundary', pageOf],
  [
    'above every boundary',
    (content: ReactNode) => (
      <html lang="es">
        <body>{content}</body>
      </html>
    ),
  ],
])('a component that has to wait %s is complete in the page', async (_, page) => {
  let text: string | null = null;
  const loading = Promise.resolve().then(() => {
    text = 'late';
  });
  const Late = () => {
    if (text === null) throw loading;
    return <p>{text}</p>;
  };

  const { html, hasFailed } = await render(<Late />, page);

  expect(html).toContain('<p>late</p>');
  expect(hasFailed).toBe(false);
});

test('loader data cannot end its script', async () => {
  const encoded = new Blob(['["</script><!--", "ñ"]']).stream();

  const script = await loaderDataScript(encoded, 'n');

  expect(script).toMatch(/^<script nonce="n">[^<]*<\/script>$/);
  expect(script).toContain('ñ');
});
