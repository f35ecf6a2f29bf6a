// For drizzle-kit only: everything else imports the file of the domain it means.
export * from './accounts';
export * from './creators';
export * from './episodes';
export * from './listening';
export * from './media';
export * from './notifications';
export * from './operations';
export * from './products';
