/** The form of the actions on several episodes, which the boxes of the rows belong to. */
export const BATCH_FORM = 'episode-batch';

/** Read by app/lib/episode-batches.server.ts. */
export const selectionName = (id: number) => `select.${id}`;
