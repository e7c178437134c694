import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The folders of one VS Code profile. */
export interface Profile {
	readonly root: string;
	readonly userData: string;
	readonly extensions: string;
}

/** Keeps a new window to the point: no welcome page, no telemetry, no questions, no tips over the chat. */
const CALM_SETTINGS = {
	'workbench.startupEditor': 'none',
	// Else any program that opens a port puts a notification over the chat's input.
	'remote.autoForwardPorts': false,
	'workbench.tips.enabled': false,
	'workbench.welcomePage.walkthroughs.openOnInstall': false,
	// The extension's own greeting is for `npm start`, which turns it on, and for the test about it.
	'mcpDiscovery.welcome': false,
	// Else VS Code asks whether to open the repository that the folder is in.
	'git.openRepositoryInParentFolders': 'never',
	'telemetry.telemetryLevel': 'off',
	'extensions.autoUpdate': false,
	'extensions.autoCheckUpdates': false,
	'extensions.ignoreRecommendations': true,
	'update.mode': 'none',
};

/** Makes a profile with calm settings and `settings` over them; in a temporary folder unless `root` is given. */
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

/** Gives a profile the calm settings and `settings` over them, instead of those it has. */
export function writeSettings(profile: Profile, settings: Readonly<Record<string, unknown>>): void {
	writeFileSync(
		path.join(profile.userData, 'User/settings.json'),
		JSON.stringify({ ...CALM_SETTINGS, ...settings }, null, '\t'),
	);
}

/** Deletes a profile; VS Code may still be writing its last log lines, so it tries again for a moment. */
export function deleteProfile(profile: Profile): void {
	rmSync(profile.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
