/** A wrong setting, which stops the start. The message is one line that names the setting. */
export class SettingError extends Error {}
