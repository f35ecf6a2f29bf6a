/** Operators see its message, without a stack. */
export class BackupError extends Error {
  override name = 'BackupError';
}
