import { findDelivery, listDeliveries } from '~/server/domain/webhooks/deliveries';
import { findSampleEvent, listEndpoints } from '~/server/domain/webhooks/endpoints';
import { rotateSecret } from '~/server/domain/webhooks/rotate-secret';
import { changeEndpoint, createEndpoint, removeEndpoint } from '~/server/domain/webhooks/save-endpoint';
import * as schema from '~/server/domain/webhooks/schema';
import { redeliver, sendTestEvent } from '~/server/domain/webhooks/send-by-hand';
import { switchEndpoint } from '~/server/domain/webhooks/switch-endpoint';
import { creatorProcedure, limitedForCreator, router } from '../init';

const owner = creatorProcedure.meta({ openTo: 'creator.manageWebhooks' });
const limited = limitedForCreator('changeWebhooks').meta({ openTo: 'creator.manageWebhooks' });

export const webhooksRouter = router({
  list: owner.query(({ ctx }) => listEndpoints(ctx)),
  sample: owner.input(schema.findSample).query(({ ctx, input }) => findSampleEvent(ctx, input)),
  deliveries: owner.input(schema.listDeliveries).query(({ ctx, input }) => listDeliveries(ctx, input)),
  delivery: owner.input(schema.findDelivery).query(({ ctx, input }) => findDelivery(ctx, input)),
  create: limited.input(schema.saveEndpoint).mutation(({ ctx, input }) => createEndpoint(ctx, input)),
  change: limited.input(schema.changeEndpoint).mutation(({ ctx, input }) => changeEndpoint(ctx, input)),
  remove: limited.input(schema.findEndpoint).mutation(({ ctx, input }) => removeEndpoint(ctx, input)),
  rotateSecret: limited.input(schema.findEndpoint).mutation(({ ctx, input }) => rotateSecret(ctx, input)),
  switch: limited.input(schema.switchEndpoint).mutation(({ ctx, input }) => switchEndpoint(ctx, input)),
  test: limited.input(schema.sendTest).mutation(({ ctx, input }) => sendTestEvent(ctx, input)),
  redeliver: limited.input(schema.findDelivery).mutation(({ ctx, input }) => redeliver(ctx, input)),
});
