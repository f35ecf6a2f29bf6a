// For drizzle-kit only; all other code imports the file of its domain.
export * from './access';
export * from './accounts';
export * from './audience';
export * from './creators';
export * from './discovery';
export * from './episode-parts';
export * from './episodes';
export * from './feeds';
export * from './listening';
export * from './logins';
export * from './media';
export * from './notifications';
export * from './operations';
export * from './plans';
export * from './products';
export * from './support';
export * from './team';
