import type { Hono } from 'hono';
import type { Post } from './deliveries';

type Controls = { post: Post; tick(): Promise<number> };

/** For tests from outside the process: webhooks' misbehaviour, and letting due things happen. */
export function mountControls(app: Hono, { post, tick }: Controls): void {
  app.post('/_control/webhooks', async (c) => {
    const said = new URLSearchParams(await c.req.text());
    const number = (name: string) => (said.has(name) ? { [name]: Number(said.get(name)) || 0 } : {});
    await post.misbehave({
      ...number('duplicates'),
      ...number('delaySeconds'),
      ...number('lose'),
      ...(said.has('reorder') && { reorder: said.get('reorder') === 'true' }),
    });
    return c.json(await post.counts());
  });
  app.post('/_control/tick', async (c) => c.json({ happened: await tick(), delivered: await post.deliver() }));
  app.get('/_control/webhooks', async (c) => c.json(await post.counts()));
}
