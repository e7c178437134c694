/** The Node that the project is pinned to (npm package `node`). */
export const projectNode: string;

/** One thing that has to be installed. */
export interface Installation {
	/** Its name in the progress. */
	readonly label: string;
	isThere(): boolean;
	/** How much of it is there, 0 to 1. */
	share(): number;
	install(): Promise<void>;
}

/** An installation in a folder of its own below `.vscode-test`. */
export interface FolderInstallation extends Installation {
	readonly folder: string;
}

/** The packages of the project itself. */
export const dependencies: Installation;
/** The MCP servers of the sample workspace. */
export const exampleServers: Installation;
/** VS Code that runs in a browser: the package code-server. */
export const vscodeHost: FolderInstallation;
/** A Chromium for Linux machines without a browser, packed. */
export const chromiumPackage: FolderInstallation;

/** True if every package that the lock file of `folder` requires on every platform is installed in that version. */
export function isInstalled(folder: string): boolean;

/** Installs what is missing of these, side by side, and shows how far each is. Rejects with npm's words. */
export function ensure(...installations: readonly Installation[]): Promise<void>;

/** The desktop VS Code of this machine: `code` on the PATH, and a display to show it on; else undefined. */
export function findDesktopCode(env?: NodeJS.ProcessEnv): string | undefined;
