/** Its message is for operators, without a stack. */
export class BackupError extends Error {
  override name = 'BackupError';
}
