/** True if every package the lock file of `folder` requires on every platform is installed in that version. */
export function isInstalled(folder: string): boolean;
