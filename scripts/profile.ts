import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The folders of one VS Code profile. */
export interface Profile {
	readonly root: string;
	readonly userData: string;
	readonly extensions: string;
}

/** Avoids distractions in a new window: no welcome page, telemetry, questions or tips over the chat. */
const CALM_SETTINGS = {
	'workbench.startupEditor': 'none',
	// Otherwise, any program that opens a port causes a notification over the chat's input.
	'remote.autoForwardPorts': false,
	'workbench.tips.enabled': false,
	'workbench.welcomePage.walkthroughs.openOnInstall': false,
	// Otherwise, VS Code asks whether to open the repository that contains the folder.
	'git.openRepositoryInParentFolders': 'never',
	// In a browser, VS Code saves by itself after a second; on a desktop, it does not.
	'files.autoSave': 'off',
	'telemetry.telemetryLevel': 'off',
	'extensions.autoUpdate': false,
	'extensions.autoCheckUpdates': false,
	'extensions.ignoreRecommendations': true,
	'update.mode': 'none',
};

/** Creates a profile with quiet settings, overridden by `settings`, in `root` or a temporary folder. */
export function createProfile(settings: Readonly<Record<string, unknown>> = {}, root?: string): Profile {
	const folder = root ?? mkdtempSync(path.join(tmpdir(), 'vscode-profile-'));
	const profile = {
		root: folder,
		userData: path.join(folder, 'data'),
		extensions: path.join(folder, 'extensions'),
	};
	mkdirSync(path.join(profile.userData, 'User'), { recursive: true });
	mkdirSync(profile.extensions, { recursive: true });
	writeSettings(profile, settings);
	return profile;
}

/** Replaces a profile's settings by the quiet ones, overridden by `settings`. */
export function writeSettings(profile: Profile, settings: Readonly<Record<string, unknown>>): void {
	writeFileSync(
		path.join(profile.userData, 'User/settings.json'),
		JSON.stringify({ ...CALM_SETTINGS, ...settings }, null, '\t'),
	);
}

/** Deletes a profile. Retries for a moment, because VS Code may still be writing its last log lines. */
export function deleteProfile(profile: Profile): void {
	rmSync(profile.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
