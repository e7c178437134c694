import { commands } from '../ids.ts';

/** Commands that have something to do in an untrusted workspace, too: they start nothing, and nothing of its servers is needed for them. */
const withoutTrust: ReadonlySet<string> = new Set([
	commands.ask,
	commands.openWalkthrough,
	commands.openGuide,
	commands.createConfig,
	commands.openConfig,
	commands.showContext,
	commands.clearFilter,
	commands.copyResult,
	commands.saveResult,
	// What the user has kept can be taken away anywhere.
	commands.manageSecrets,
	commands.clearHistory,
]);

/** Whether a command does what it says only where the workspace is trusted; keys and other callers reach it anywhere. */
export function needsTrust(command: string): boolean {
	return !withoutTrust.has(command);
}
