import type { FormValues } from '~/app/lib/check-form';
import { sectionAction } from '~/app/lib/section-action.server';

const idIn = ({ id = '' }: FormValues) => ({ id: Number(id) || 0 });
const creatorIn = ({ creatorId }: FormValues) => (creatorId ? { creatorId } : {});

/** The buttons of the lists, for one show and for all. @returns the name of the message that confirms it */
export const recommendationActions = sectionAction({
  accept: async ({ api }, values) => {
    await api.recommendations.accept(idIn(values));
    return 'recommendation_accepted';
  },
  decline: async ({ api }, values) => {
    await api.recommendations.decline(idIn(values));
    return 'recommendation_declined';
  },
  withdraw: async ({ api }, values) => {
    await api.recommendations.withdraw(idIn(values));
    return 'recommendation_withdrawn';
  },
  end: async ({ api }, values) => {
    await api.recommendations.end(idIn(values));
    return 'show_recommendation_ended';
  },
  block: async ({ api }, values) => {
    await api.recommendations.block(creatorIn(values) as never);
    return 'requests_blocked';
  },
  unblock: async ({ api }, values) => {
    await api.recommendations.unblock(creatorIn(values) as never);
    return 'requests_unblocked';
  },
});
