const isWindows = process.platform === 'win32';

/** The permission bits of a file that only its owner can use. Windows has no such bits; there, the access rights of the user's folder apply. */
export const OWNERS_FILE = isWindows ? 0o666 : 0o600;
/** The permission bits of a folder that only its owner can use. */
export const OWNERS_FOLDER = isWindows ? 0o666 : 0o700;
