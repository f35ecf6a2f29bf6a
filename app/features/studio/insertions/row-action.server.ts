import type { FormValues } from '~/app/lib/check-form';
import type { Door } from '~/app/lib/doors.server';
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

/** The buttons of a campaign in a list. @returns the name of the message */
export const rowAction = sectionAction({
  up: move('up'),
  down: move('down'),
  on: toggle(true),
  off: toggle(false),
});
