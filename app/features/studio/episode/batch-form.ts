/** The form for actions on several episodes, which includes the checkboxes of the rows. */
export const BATCH_FORM = 'episode-batch';
