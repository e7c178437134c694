/** The Node that the project pins (npm package `node`). */
export const projectNode: string;

/** Something to install. */
export interface Installation {
	/** Its name in the progress display. */
	readonly label: string;
	isThere(): boolean;
	/** The share that is already installed, 0 to 1. */
	share(): number;
	install(): Promise<void>;
}

/** An installation in its own folder below `.vscode-test`. */
export interface FolderInstallation extends Installation {
	readonly folder: string;
}

/** The project's own packages. */
export const dependencies: Installation;
/** The MCP servers of the sample workspace. */
export const exampleServers: Installation;
/** VS Code in a browser: the package code-server. */
export const vscodeHost: FolderInstallation;
/** A packed Chromium for Linux machines without a browser. */
export const chromiumPackage: FolderInstallation;

/** True if the folder contains every package, in the same version, that its lock file requires on every platform. */
export function isInstalled(folder: string): boolean;

/** Installs all that are missing in parallel, and shows progress. Rejects with npm's output. */
export function ensure(...installations: readonly Installation[]): Promise<void>;

/** The path of desktop VS Code if `code` is on the PATH and a display is available. */
export function findDesktopCode(env?: NodeJS.ProcessEnv): string | undefined;
