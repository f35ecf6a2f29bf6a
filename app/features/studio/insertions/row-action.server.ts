import type { FormValues } from '~/app/lib/check-form';
import type { Door } from '~/app/lib/doors.server';
import { productRef } from '~/app/lib/route-refs';
import { sectionAction } from '~/app/lib/section-action.server';

const idIn = ({ id = '' }: FormValues) => Number(id) || 0;

const move = (direction: 'up' | 'down') => async (door: Door, values: FormValues) => {
  await door.api.campaigns.move({ id: idIn(values), direction });
  return 'campaign_moved';
};

const toggle = (isActive: boolean) => async (door: Door, values: FormValues) => {
  await door.api.campaigns.switch({ id: idIn(values), isActive });
  return isActive ? 'campaign_on' : 'campaign_off';
};

const promise = (isPromised: boolean) => async (door: Door) => {
  await door.api.campaigns.promise({ productId: productRef(door).id, isPromised });
  return isPromised ? 'promise_made' : 'promise_ended';
};

const ROW = { up: move('up'), down: move('down'), on: toggle(true), off: toggle(false) };

/** The buttons of a campaign in a list. @returns the name of the message */
export const rowAction = sectionAction(ROW);

/** The buttons of the page of a show's campaigns. @returns the name of the message */
export const showAction = sectionAction({ ...ROW, promise: promise(true), takeBack: promise(false) });
